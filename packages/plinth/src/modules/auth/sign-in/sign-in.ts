// Starts sessions: every endpoint that takes a password, and everything else that verifies a user, signs the user in here.

import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import { toValueAnswer } from '../../../core/rest/endpoint-answers.ts'
import type { Permit } from '../../../core/rest/platform.ts'
import { userRecord, userRecordOf } from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authProblem } from '../faults.ts'
import { createPending } from '../second-factor/pending.ts'
import { withCode } from '../second-factor/verify-code.ts'
import {
  type Cookie,
  type CookieName,
  cookieNames,
  expiredCookies,
  findClaimedSessions,
  hasCookies,
  readSessionClaims,
} from '../sessions/cookies.ts'
import {
  type CreatedSession,
  createSession,
  type Lifetimes,
  type Session,
  sessions,
  toAuditEvent,
} from '../sessions/session.ts'
import { tokenCookies } from '../sessions/tokens.ts'
import { lockVerified, type Verification } from '../verification/verify-password.ts'

export interface SignIn extends Pick<Verification, 'secrets'> {
  /** Further work in the transaction of the session. */
  readonly commit: (tx: Transaction) => Promise<unknown>
  readonly request: Request
  /** The session that the caller came with. */
  readonly former?: string | undefined
  /** Which cookies carry the session: tokens, or the one that stands for a Basic header. */
  readonly by: 'tokens' | 'sso'
  readonly remember?: boolean
  /** The code of the second factor, when it was sent with the password. */
  readonly code?: string | null
}

export interface SignInResult {
  readonly cookies: readonly Cookie[]
  /** The second factor is missing: the cookie only allows to send it. */
  readonly isPending: boolean
}

/** Starts a session, or the step for the second factor if the user has one. */
export const signIn = async (auth: AuthContext, attempt: SignIn): Promise<SignInResult> => {
  const { secrets, request, by, remember = false, code = null } = attempt
  const start = await prepareSession(auth, attempt)
  if (!secrets.mfa) {
    const started = await auth.platform.store.transaction(start)
    return { cookies: await cookiesOf(auth, started, by), isPending: false }
  }
  const started = code === null ? null : await withCode(auth, { secrets, code, request }, start)
  if (started) return { cookies: await cookiesOf(auth, started, by), isPending: false }
  return { cookies: [await createPending(auth, { secrets, request, by, remember })], isPending: true }
}

/** As `signIn`, for endpoints that answer nothing before the second factor is verified. */
export const signInOrChallenge = async (auth: AuthContext, attempt: SignIn): Promise<readonly Cookie[]> => {
  const { cookies, isPending } = await signIn(auth, attempt)
  if (isPending) throw secondFactorRequired(auth.cookieHeaders(attempt.request, cookies))
  return cookies
}

export const secondFactorRequired = (headers: Record<string, string | string[]>): Problem =>
  authProblem('second_factor_required', { detail: 'A second-factor code is required.', headers })

export interface StartedSession extends CreatedSession {
  /** Cookies of sessions that this one replaces. */
  readonly replaced: readonly CookieName[]
}

/** The work that starts the session of a user who is fully verified, for a transaction. */
export const prepareSession = async (
  auth: AuthContext,
  attempt: SignIn,
): Promise<(tx: Transaction) => Promise<StartedSession>> => {
  const { platform, lifetimes, tokens } = auth
  const { request, by, remember = false } = attempt
  const claims = await readSessionClaims(tokens, request, attempt.former)
  return async tx => {
    await attempt.commit(tx)
    const secrets = await lockVerified(tx, attempt.secrets)
    const replaced = await endReplaced(auth, tx, { ...attempt, former: await findClaimedSessions(tx, claims) })
    const session = { secrets, request, state: 'full', sso: by === 'sso', remember } as const
    return { ...(await createSession(tx, session, { now: platform.clock(), lifetimes })), replaced }
  }
}

export const cookiesOf = async (
  { lifetimes, tokens }: AuthContext,
  { session, sso, remember, replaced }: StartedSession,
  by: SignIn['by'],
): Promise<Cookie[]> => {
  const cookies: Cookie[] = by === 'tokens' ? await tokenCookies(session, tokens, lifetimes) : []
  if (sso !== null) cookies.push(ssoCookie(sso, lifetimes))
  if (remember !== null) cookies.push({ name: cookieNames.remember, value: remember, lasts: lifetimes.remember })
  const isSet = (name: CookieName): boolean => cookies.some(cookie => cookie.name === name)
  return [...cookies, ...expiredCookies.filter(({ name }) => replaced.includes(name) && !isSet(name))]
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
  tx: Transaction,
  { request, secrets, by, former }: Omit<SignIn, 'former'> & { readonly former: readonly Session[] },
): Promise<CookieName[]> => {
  const replaced = new Set<CookieName>()
  for (const session of former) {
    const carrier = session.ssoHash === null ? 'tokens' : 'sso'
    const isOwn = session.user.pk === secrets.pk
    if (isOwn && carrier !== by) continue
    await recordsIn(tx).removeWhere(sessions, { pk: session.pk })
    if (!isOwn)
      await authAudit.record(tx, toAuditEvent({ type: 'SESSION_ENDED', session, request }, auth.platform.clock()))
    for (const name of carriers[carrier]) if (readCookie(request, name) !== null) replaced.add(name)
  }
  return [...replaced]
}

/** The response to a sign-in: the user record and the cookies. */
export const userResponse = async (
  auth: AuthContext,
  { request, status }: { readonly request: Request; readonly status: 200 | 201 },
  { userPk, cookies }: { readonly userPk: string; readonly cookies: readonly Cookie[] },
): Promise<Answer> => {
  const value = await userRecordOf(auth.platform.store, userPk)
  const headers = cookies.length > 0 ? auth.cookieHeaders(request, cookies) : { 'Cache-Control': 'no-store' }
  return toValueAnswer(userRecord, value, { status, headers })
}

/** The endpoint verifies the credentials itself, since it uses some of them up. */
export const withCredentials: Permit = ({ caller }, request) => {
  const hasSome = caller.pk !== null || request.headers.authorization !== undefined || hasCookies(request)
  if (!hasSome) throw new Problem('unauthorized')
}
