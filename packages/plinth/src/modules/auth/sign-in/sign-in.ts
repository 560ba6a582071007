// Starts sessions: every endpoint that takes a password, and everything else that verifies a user, signs the user in here.

import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import { shape } from '../../../core/model/description.ts'
import { choice, integer, text } from '../../../core/model/fields.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import { defineShape, optional } from '../../../core/model/shape.ts'
import { Problem, type ProblemDetails } from '../../../core/problem.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { AnswerOptions } from '../../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../../core/rest/endpoint-answers.ts'
import type { Permit } from '../../../core/rest/permits.ts'
import { toUserRecord, userRecord, userRecordOf, type VerifiedAccount } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { authAudit, authProblem } from '../problems.ts'
import { createPending, pendingCookie, withCode } from '../second-factor/verify-code.ts'
import { type Cookie, type CookieName, cookieNames, expiredCookies, hasCookies } from '../sessions/cookies.ts'
import {
  type CreatedSession,
  createSession,
  type Lifetimes,
  type Session,
  type SessionCarrier,
  sessions,
  toAuditEvent,
} from '../sessions/session.ts'
import { findClaimedSessions, readSessionClaims } from '../sessions/session-claims.ts'
import { type BodyTokens, bodyTokens, tokenCookies } from '../sessions/tokens.ts'
import { deviceCookie } from '../verification/known-devices.ts'
import type { Verification } from '../verification/verify-password.ts'

export interface SignIn extends Pick<Verification, 'secrets'> {
  /** Records the sign-in in the transaction of the session, and locks the row of `secrets`, which it returns. */
  readonly commit: Verification['commit']
  readonly request: Request
  /** The session that the caller came with. */
  readonly former?: string | undefined
  readonly by: SessionCarrier
  readonly remember?: boolean
  /** The time when the user was verified; null when that is not known; by default now. */
  readonly verified?: Date | null
  /** The code of the second factor, when it was sent with the password. */
  readonly code?: string | null
}

/** What the caller gets: cookies, or tokens in the body. Never both. */
export interface SessionDelivery {
  readonly cookies: readonly Cookie[]
  readonly tokens?: BodyTokens
  /** The account of the user, where the sign-in has read it. */
  readonly account?: VerifiedAccount | undefined
}

export interface SignInResult extends SessionDelivery {
  /** The second factor is missing: this names the sign-in that waits for it. */
  readonly pending: string | null
}

/** Starts a session, or the step for the second factor if the user has one. */
export const signIn = async (auth: AuthContext, attempt: SignIn): Promise<SignInResult> => {
  const { secrets, request, by, remember = false, code = null } = attempt
  const start = await prepareSession(auth, attempt)
  if (!secrets.mfa) {
    const started = await auth.platform.records.transaction(start)
    return { ...(await deliver(auth, started, by)), account: started.account, pending: null }
  }
  const started = code === null ? null : await withCode(auth, { secrets, code, request }, start)
  if (started) return { ...(await deliver(auth, started, by)), account: started.account, pending: null }
  const pending = await createPending(auth, { secrets, request, by, remember })
  return { cookies: by === 'body' ? [] : [pendingCookie(pending)], pending }
}

/** Signs in as `signIn` does, for endpoints that answer nothing before the second factor is verified. */
export const signInOrChallenge = async (auth: AuthContext, attempt: SignIn): Promise<SessionDelivery> => {
  const { pending, ...delivery } = await signIn(auth, attempt)
  if (pending === null) return delivery
  const noStore = { 'Cache-Control': 'no-store' }
  if (attempt.by === 'body') throw secondFactorRequired({ headers: noStore, extra: { pending } })
  throw secondFactorRequired({ headers: auth.cookieHeaders(attempt.request, delivery.cookies) })
}

export const secondFactorRequired = (details: Pick<ProblemDetails, 'headers' | 'extra'> = {}): Problem =>
  authProblem('second_factor_required', {
    detail: { en: 'A second-factor code is required.', de: 'Ein Code des zweiten Faktors ist erforderlich.' },
    ...details,
  })

export interface StartedSession extends CreatedSession {
  /** Cookies of sessions that this one replaces. */
  readonly replaced: readonly CookieName[]
  readonly account: VerifiedAccount | undefined
}

/** The work that starts the session of a user who is fully verified, for a transaction. */
export const prepareSession = async (
  auth: AuthContext,
  attempt: SignIn,
): Promise<(records: TransactionRecords) => Promise<StartedSession>> => {
  const { platform, lifetimes, tokens } = auth
  const { request, by, verified } = attempt
  const remember = attempt.remember === true && by !== 'body'
  // An application without cookies neither replaces the sessions of a browser nor deletes its cookies.
  const claims = by === 'body' ? [] : await readSessionClaims(tokens, request, attempt.former)
  return async records => {
    const { secrets, account } = await attempt.commit(records)
    const former = claims.length === 0 ? [] : await findClaimedSessions(records, claims)
    const replaced = former.length === 0 ? [] : await endReplaced(auth, records, { ...attempt, former })
    const session = { secrets, request, state: 'full', sso: by === 'sso', remember, verified } as const
    return { ...(await createSession(records, session, { now: platform.clock(), lifetimes })), replaced, account }
  }
}

export const deliver = async (
  auth: AuthContext,
  { session, sso, remember, replaced }: StartedSession,
  by: SessionCarrier,
): Promise<SessionDelivery> => {
  const { lifetimes, tokens, platform } = auth
  if (by === 'body') {
    const now = platform.clock()
    return { cookies: [], tokens: await bodyTokens(session, tokens, { lifetimes, now }) }
  }
  const cookies: Cookie[] = by === 'tokens' ? await tokenCookies(session, tokens, lifetimes) : []
  if (sso !== null) cookies.push(ssoCookie(sso, lifetimes))
  if (remember !== null) {
    cookies.push({ name: cookieNames.remember, value: remember, lasts: lifetimes.remember })
    cookies.push(deviceCookie(await auth.seals(), session.user.pk, platform.clock()))
  }
  const isSet = (name: CookieName): boolean => cookies.some(cookie => cookie.name === name)
  return { cookies: [...cookies, ...expiredCookies.filter(({ name }) => replaced.includes(name) && !isSet(name))] }
}

export const ssoCookie = (value: string, { idle, session }: Lifetimes): Cookie => ({
  name: cookieNames.sso,
  value,
  lasts: Math.min(idle, session),
})

const carriers = {
  tokens: [cookieNames.access, cookieNames.refresh, cookieNames.remember],
  sso: [cookieNames.sso],
} as const

/**
 * A device has one user: sessions of other users on it end. So does a session of the same user whose cookies are replaced; one
 * that is carried by other cookies stays.
 */
const endReplaced = async (
  auth: AuthContext,
  records: TransactionRecords,
  { request, secrets, by, former }: Omit<SignIn, 'former'> & { readonly former: readonly Session[] },
): Promise<CookieName[]> => {
  const replaced = new Set<CookieName>()
  for (const session of former) {
    const carrier = session.ssoHash === null ? 'tokens' : 'sso'
    const isOwn = session.user.pk === secrets.pk
    if (isOwn && carrier !== by) continue
    await records.removeMany(sessions, { where: { pk: session.pk } })
    if (!isOwn)
      await authAudit.record(records, toAuditEvent({ type: 'SESSION_ENDED', session, request }, auth.platform.clock()))
    for (const name of carriers[carrier]) if (readCookie(request, name) !== null) replaced.add(name)
  }
  return [...replaced]
}

/** The response to a sign-in: the user record, and the cookies or tokens. */
export const userResponse = async (
  auth: AuthContext,
  { request, status }: { readonly request: Request; readonly status: 200 | 201 },
  { userPk, cookies, tokens, account }: SessionDelivery & { readonly userPk: string },
): Promise<Answer> => {
  const user = account ? toUserRecord(account) : await userRecordOf(auth.platform.records, userPk)
  const value = { ...user, ...tokens }
  const headers = cookies.length > 0 ? auth.cookieHeaders(request, cookies) : { 'Cache-Control': 'no-store' }
  return toValueAnswer(signedInUser, value, { status, headers })
}

/** The endpoint verifies the credentials itself, since it uses some of them up. */
export const withCredentials: Permit = ({ caller }, request) => {
  const hasSome = caller.pk !== null || request.headers.authorization !== undefined || hasCookies(request)
  if (!hasSome) throw new Problem('unauthorized')
}

// What the endpoints of sign-in answer.

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

/** The field of bodies that says where tokens are returned. */
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
            code: {
              type: 'string',
              enum: ['second_factor_required', 'email_unconfirmed', 'demo_password', 'unauthorized'],
            },
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
    '(`second_factor_required`), the e-mail address is not confirmed yet (`email_unconfirmed`), or the password is a demo ' +
    'password and demo mode is off (`demo_password`).',
  ...problem,
  headers: { 'Set-Cookie': 'Identifies the sign-in that waits for the code.' },
}

export const refusedCodeAnswer: AnswerOptions = {
  about: 'Without a body: sign in again. With a body of code `second_factor_required`: another code may be tried.',
  ...problem,
}

export const signInProblems = [400, 401, 403, 406, 415, 429, 503] as const
