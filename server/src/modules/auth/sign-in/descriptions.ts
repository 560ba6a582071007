// What callers are told of sign-in and sessions.

import { type Description, shape } from '../../../core/model/description.ts'
import type { JsonSchema } from '../../../core/model/json.ts'

const nullableText: JsonSchema = { type: ['string', 'null'] }
const text: JsonSchema = { type: 'string' }
const time: JsonSchema = { type: 'string', format: 'date-time' }

export const signInSchemas: Readonly<Record<string, JsonSchema>> = {
  SignInProblem: {
    description: '`unauthorized` has a body only if `Accept` asks for `application/problem+json`.',
    allOf: [
      shape('Problem'),
      {
        type: 'object',
        properties: { code: { type: 'string', enum: ['second_factor_required', 'email_unconfirmed', 'unauthorized'] } },
      },
    ],
  },
  LoginRequest: {
    type: 'object',
    properties: {
      username: { type: 'string', description: 'Or a verified e-mail address.' },
      email: { type: 'string', description: 'In place of the username.' },
      password: { type: 'string', format: 'password' },
      code: { type: 'string', description: 'Of the second factor, where there is one; or in a second step.' },
    },
    required: ['password'],
    anyOf: [{ required: ['username'] }, { required: ['email'] }],
  },
  DeviceSession: {
    type: 'object',
    properties: {
      id: text,
      created: time,
      lastUsed: time,
      expires: time,
      userAgent: nullableText,
      address: nullableText,
      remembered: { type: 'boolean' },
      current: { type: 'boolean' },
    },
    required: ['id', 'created', 'lastUsed', 'current'],
  },
}

const user = { value: shape('UserRecord') } as const
const cookies = { 'Set-Cookie': 'The cookies by which the caller stays signed in.' } as const
const signsIn = { says: 'The user.', ...user, headers: cookies } as const
const login = { schema: shape('LoginRequest') } as const
const refused = {
  says: 'Without a body: the credentials are wrong. With a body: a code of the second factor is needed next (`second_factor_required`), or the e-mail address is not confirmed yet (`email_unconfirmed`).',
  content: { 'application/problem+json': shape('SignInProblem') },
  headers: { 'Set-Cookie': 'Names the sign-in that waits for the code.' },
} as const
const wrong = [400, 401, 403, 406, 415, 429, 503] as const

export const descriptions = {
  access: {
    id: 'createTokens',
    summary: 'Sign in with tokens',
    description: 'Sets the cookies `access_token` and `refresh_token`.',
    open: true,
    body: login,
    answers: { 201: signsIn, 401: refused },
    problems: wrong,
  },
  refresh: {
    id: 'refreshTokens',
    summary: 'Exchange the refresh token',
    description: 'Takes the cookie `refresh_token`, or the token as a Bearer token, and gives new ones.',
    open: true,
    answers: { 201: signsIn },
    problems: [401, 403, 406, 503],
  },
  basic: {
    id: 'createBasicLogin',
    summary: 'Sign in for development',
    description: 'Sets the cookie `app-sso`, which stands for a Basic header.',
    open: true,
    body: login,
    answers: { 201: signsIn, 401: refused },
    problems: wrong,
  },
  logIn: {
    id: 'logIn',
    summary: 'Sign in, and be remembered if `rememberMe` is true',
    open: true,
    body: { schema: { ...shape('LoginRequest'), properties: { rememberMe: { type: 'boolean' } } } },
    answers: { 200: signsIn, 401: refused },
    problems: wrong,
  },
  secondStep: {
    id: 'giveSecondFactor',
    summary: 'Give the second factor, and be signed in',
    description: 'The second step after a sign-in that was answered by `second_factor_required`, within five minutes.',
    open: true,
    body: {
      schema: {
        type: 'object',
        properties: {
          code: { type: 'string', description: 'Six digits of the authenticator, or a recovery code.' },
        },
        required: ['code'],
      },
    },
    answers: {
      200: signsIn,
      401: {
        says: 'Without a body: sign in again. With a body of code `second_factor_required`: another code may be tried.',
        content: { 'application/problem+json': shape('SignInProblem') },
      },
    },
    problems: [400, 403, 406, 415, 429, 503],
  },
  current: {
    id: 'readCurrentUser',
    summary: 'Read who is signed in, or sign in whoever is remembered',
    answers: { 200: signsIn },
    problems: [401, 406, 503],
  },
  logOut: {
    id: 'logOut',
    summary: 'Sign out and be forgotten',
    answers: { 204: { says: 'The session is over and every cookie is cleared.', headers: cookies } },
    problems: [401, 403, 503],
  },
  verify: {
    id: 'verifyCurrentUser',
    summary: 'Verify the current user by the password',
    body: {
      schema: {
        type: 'object',
        properties: { password: { type: 'string', format: 'password' }, email: text, username: text },
        required: ['password'],
      },
    },
    answers: { 200: { says: 'The user.', ...user } },
    problems: wrong,
  },
  sessions: {
    id: 'listSessions',
    summary: 'List the devices on which one is signed in',
    answers: { 200: { says: 'The sessions.', value: { type: 'array', items: shape('DeviceSession') } } },
    problems: [401, 406, 503],
  },
  endOthers: {
    id: 'endOtherSessions',
    summary: 'Sign out everywhere else',
    answers: { 204: { says: 'All other sessions are over.' } },
    problems: [401, 403, 503],
  },
  endOne: {
    id: 'endSession',
    summary: 'End one of the own sessions',
    path: { id: 'The session.' },
    answers: { 204: { says: 'The session is over.' } },
    problems: [401, 403, 404, 503],
  },
  endAll: {
    id: 'endSessionsOfUser',
    summary: 'Sign a user out everywhere',
    description: 'For administrators. The user may sign in again.',
    answers: { 204: { says: 'The sessions are over.' } },
    problems: [401, 403, 404, 503],
  },
} satisfies Record<string, Description>
