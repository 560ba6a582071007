// What callers are told of the account endpoints.

import { type Description, shape } from '../../core/model/description.ts'
import type { JsonSchema } from '../../core/model/json.ts'

const textMembers = (...names: readonly string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map(name => [name, { type: 'string' }]))

const texts = (...names: readonly string[]): JsonSchema => ({ type: 'object', properties: textMembers(...names) })

const user = shape('UserRecord')

/** No body counts as null. */
const userOrNothing: JsonSchema = { anyOf: [user, { type: 'null', description: 'No body: a mail was asked for.' }] }

const tag = 'registration'

export const accountDescriptions = {
  register: {
    id: 'register',
    tag,
    summary: 'Register a new user',
    description: 'The user can sign in once the mail that is sent to the address has been answered.',
    open: true,
    body: {
      schema: {
        ...texts(
          'email',
          'username',
          'password',
          'passwordConfirmation',
          'firstName',
          'lastName',
          'locale',
          'registrationCode',
        ),
        required: ['email', 'password', 'passwordConfirmation'],
      },
    },
    answers: { 201: { says: 'The same whether or not the address is known.', value: user } },
    problems: [400, 403, 409, 422, 429],
  },
  password: {
    id: 'changePassword',
    tag,
    summary: 'Change or reset a password, or confirm an address',
    description: [
      'Signed in, with `currentPassword`, `password` and `passwordConfirmation`: the password is changed.',
      'With `resetPasswordToken`, `password` and `passwordConfirmation`: the password is changed.',
      'With `email` or `username` alone: a link to choose a new password is mailed; the answer is always the same.',
      'With `resetPasswordToken` and `email` or `username`: the address is confirmed. One that was entered for an account that has a password or a confirmed address, or that was signed in to before, takes the `currentPassword`, too.',
    ].join('\n\n'),
    open: true,
    body: {
      schema: {
        type: 'object',
        properties: {
          ...textMembers(
            'currentPassword',
            'password',
            'passwordConfirmation',
            'resetPasswordToken',
            'email',
            'username',
          ),
          revokeApiKeys: { type: 'boolean', description: 'With `currentPassword`: all API keys of the user end, too.' },
        },
      },
    },
    answers: { 200: { says: 'Done; the user, or no body when a mail was asked for.', value: userOrNothing } },
    problems: [400, 401, 403, 409, 422, 429],
  },
  checkLink: {
    id: 'checkAccountLink',
    tag,
    summary: 'Check the link of a mail',
    description: 'Says whether the token is still good, and for what. The token is not used up.',
    open: true,
    body: { schema: { ...texts('resetPasswordToken', 'email', 'username'), required: ['resetPasswordToken'] } },
    answers: {
      200: {
        says: 'The token is good.',
        value: {
          type: 'object',
          properties: {
            purpose: { type: 'string', enum: ['confirmation', 'addressChange', 'passwordReset'] },
            takesPassword: { type: 'boolean', description: 'Is `currentPassword` needed to confirm the address?' },
          },
          required: ['purpose', 'takesPassword'],
        },
      },
    },
    problems: [400, 422],
  },
  username: {
    id: 'changeUsername',
    tag,
    summary: 'Change the own username',
    body: { schema: { ...texts('username', 'password'), required: ['username', 'password'] } },
    answers: { 200: { says: 'The user, with new cookies.', value: user, headers: { 'Set-Cookie': 'New tokens.' } } },
    problems: [400, 401, 403, 409, 429],
  },
} satisfies Record<string, Description>
