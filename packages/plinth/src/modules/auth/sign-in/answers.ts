// What the endpoints of sign-in answer.

import { shape } from '../../../core/model/description.ts'
import { choice, integer, text } from '../../../core/model/fields.ts'
import { defineShape, optional } from '../../../core/model/shape.ts'
import type { AnswerOptions } from '../../../core/rest/endpoint.ts'
import { userRecord } from '../../people/index.ts'

export const sessionCookieHeader = { 'Set-Cookie': 'The session cookies.' } as const

const must = { required: true } as const

export const signedInUser = defineShape(
  'SignedInUser',
  {
    ...userRecord.fields,
    accessToken: optional(text({ ...must, about: 'If `tokens` was `body`.' })),
    refreshToken: optional(text({ ...must, about: 'If `tokens` was `body`.' })),
    expiresIn: optional(integer({ ...must, min: 0, about: 'Seconds until the access token expires.' })),
  },
  { element: 'user', about: 'The user who has signed in.' },
)

export const signedInAnswer = { about: 'The user.', value: signedInUser, headers: sessionCookieHeader } as const

/** In bodies: where tokens are returned. */
export const tokensField = choice(['body'], {
  about: 'Return the tokens in the body and set no cookies: for mobile apps and pages of other sites.',
})

const problem = {
  content: { 'application/problem+json': shape('SignInProblem') },
  schemas: {
    SignInProblem: {
      description: '`unauthorized` has a body only if `Accept` is `application/problem+json`.',
      allOf: [
        shape('Problem'),
        {
          type: 'object',
          properties: {
            code: { type: 'string', enum: ['second_factor_required', 'email_unconfirmed', 'unauthorized'] },
            pending: { type: 'string', description: 'Send it with the code, if `tokens` was `body`.' },
          },
        },
      ],
    },
  },
} as const

export const refusedAnswer: AnswerOptions = {
  about:
    'Without a body: the credentials are wrong. With a body: a second-factor code is required next ' +
    '(`second_factor_required`), or the e-mail address is not confirmed yet (`email_unconfirmed`).',
  ...problem,
  headers: { 'Set-Cookie': 'Identifies the sign-in that waits for the code.' },
}

export const refusedCodeAnswer: AnswerOptions = {
  about: 'Without a body: sign in again. With a body of code `second_factor_required`: another code may be tried.',
  ...problem,
}

export const signInProblems = [400, 401, 403, 406, 415, 429, 503] as const
