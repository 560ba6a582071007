// What callers are told of the second factor.

import { type Description, shape } from '../../../core/model/description.ts'
import type { JsonSchema } from '../../../core/model/json.ts'

const text: JsonSchema = { type: 'string' }
const password: JsonSchema = { type: 'string', format: 'password' }
const code: JsonSchema = { type: 'string', description: 'Six digits of the authenticator, or a recovery code.' }

const bodyOf = (properties: Record<string, JsonSchema>) => ({
  schema: { type: 'object', properties, required: Object.keys(properties) },
})

export const secondFactorSchemas: Readonly<Record<string, JsonSchema>> = {
  RecoveryCodes: {
    type: 'object',
    properties: { recoveryCodes: { type: 'array', items: text, description: 'Shown once; each works once.' } },
    required: ['recoveryCodes'],
  },
}

const tag = 'auth'

export const secondFactorDescriptions = {
  status: {
    id: 'readSecondFactor',
    tag,
    summary: 'Read whether a second factor is asked for',
    answers: {
      200: {
        says: 'The state.',
        value: {
          type: 'object',
          properties: { enabled: { type: 'boolean' }, recoveryCodesLeft: { type: 'integer', minimum: 0 } },
          required: ['enabled', 'recoveryCodesLeft'],
        },
      },
    },
    problems: [401, 403, 406, 503],
  },
  setUp: {
    id: 'setUpSecondFactor',
    tag,
    summary: 'Begin to set up a second factor',
    description: 'Gives the secret for an authenticator app, once. It counts when a code has come back by PUT.',
    body: bodyOf({ password }),
    answers: {
      200: {
        says: 'The secret.',
        value: {
          type: 'object',
          properties: { secret: text, uri: { type: 'string', format: 'uri', description: 'For a QR code.' } },
          required: ['secret', 'uri'],
        },
      },
    },
    problems: [400, 401, 403, 409, 429, 503],
  },
  turnOn: {
    id: 'turnOnSecondFactor',
    tag,
    summary: 'Turn the second factor on by its first code',
    description: 'Ends all other sessions.',
    body: {
      schema: {
        type: 'object',
        properties: {
          code,
          revokeApiKeys: { type: 'boolean', description: 'All API keys of the user end, too.' },
        },
        required: ['code'],
      },
    },
    answers: { 200: { says: 'It is on; the recovery codes.', value: shape('RecoveryCodes') } },
    problems: [400, 401, 403, 409, 422, 429, 503],
  },
  turnOff: {
    id: 'turnOffSecondFactor',
    tag,
    summary: 'Turn the second factor off',
    body: bodyOf({ password, code }),
    answers: { 204: { says: 'The password alone is enough from now on.' } },
    problems: [400, 401, 403, 409, 422, 429, 503],
  },
  newCodes: {
    id: 'renewRecoveryCodes',
    tag,
    summary: 'Get new recovery codes in place of the former',
    body: bodyOf({ password, code }),
    answers: { 200: { says: 'The new codes.', value: shape('RecoveryCodes') } },
    problems: [400, 401, 403, 409, 422, 429, 503],
  },
  remove: {
    id: 'removeSecondFactorOfUser',
    summary: 'Take away the second factor of a user who has lost it',
    description: 'For administrators, and not for their own. Ends the sessions of the user.',
    path: { pk: 'The user.' },
    answers: { 204: { says: 'The password alone is enough from now on.' } },
    problems: [401, 403, 404, 503],
  },
} satisfies Record<string, Description>
