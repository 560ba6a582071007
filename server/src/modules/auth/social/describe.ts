// What callers are told of social sign-in.

import type { Description } from '../../../core/model/description.ts'
import type { JsonSchema } from '../../../core/model/json.ts'

const text: JsonSchema = { type: 'string' }
const nullableText: JsonSchema = { type: ['string', 'null'] }
const time: JsonSchema = { type: 'string', format: 'date-time' }
const provider = { provider: 'The name of the provider in the configuration.' } as const

export const socialDescriptions = {
  providers: {
    id: 'listSignInProviders',
    summary: 'List the services by which one can sign in',
    open: true,
    answers: {
      200: {
        says: 'The providers.',
        value: {
          type: 'array',
          items: { type: 'object', properties: { name: text, label: text }, required: ['name', 'label'] },
        },
      },
    },
    problems: [406, 503],
  },
  redirectToProvider: {
    id: 'beginSocialSignIn',
    summary: 'Begin to sign in at a provider',
    description: 'Redirects to the provider. A script asks for `application/json` and is told the address instead.',
    open: true,
    path: provider,
    query: {
      to: { says: 'The page of the client to come back to, such as `/films`.' },
      rememberMe: { says: 'Is the device to be remembered?', schema: { type: 'boolean' } },
    },
    answers: {
      200: {
        says: 'Where to go.',
        value: { type: 'object', properties: { location: { type: 'string', format: 'uri' } }, required: ['location'] },
        headers: { 'Set-Cookie': 'Binds the sign-in to the browser.' },
      },
      302: { says: 'To the provider.', headers: { Location: 'The provider, or the sign-in page with an error.' } },
    },
    problems: [400, 403, 404, 503],
  },
  returnFromProvider: {
    id: 'finishSocialSignIn',
    summary: 'Come back from a provider',
    description: 'Providers send browsers here. Nothing but a redirect to a page of the client is answered.',
    open: true,
    path: provider,
    answers: {
      302: {
        says: 'To the page that was asked for; to the sign-in page with `error`, or with `secondFactor`.',
        headers: { Location: 'A page of the client.', 'Set-Cookie': 'The cookies of the session.' },
      },
    },
    problems: [404, 503],
  },
  identities: {
    id: 'listIdentities',
    summary: 'List the services at which one signs in',
    answers: {
      200: {
        says: 'The identities there.',
        value: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: text,
              provider: { ...nullableText, description: 'Null for one that is no longer configured.' },
              label: text,
              email: { ...nullableText, description: 'The verified address there, as of the last sign-in.' },
              created: time,
              lastUsed: time,
            },
            required: ['id', 'provider', 'label', 'email', 'created', 'lastUsed'],
          },
        },
      },
    },
    problems: [401, 406, 503],
  },
  removeIdentity: {
    id: 'removeIdentity',
    summary: 'Let one of these services open the account no more',
    description: 'Only where there is another way in: a password, or another such service.',
    path: { id: 'The identity.' },
    answers: { 204: { says: 'It opens the account no more.' } },
    problems: [401, 403, 404, 409, 503],
  },
} satisfies Record<string, Description>
