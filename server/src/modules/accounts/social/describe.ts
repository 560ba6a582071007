// What callers are told of social sign-in.

import type { Description } from '../../../core/model/description.ts'
import type { JsonSchema } from '../../../core/model/json.ts'

const text: JsonSchema = { type: 'string' }
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
  leave: {
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
  comeBack: {
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
} satisfies Record<string, Description>
