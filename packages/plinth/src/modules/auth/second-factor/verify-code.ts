// Verifies codes of the second factor: throttled like passwords, and more strictly, since six digits are quickly guessed.

import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import { Problem } from '../../../core/problem.ts'
import { type Secrets, secrets, usernameOf } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { authAudit } from '../problems.ts'
import { type Cookie, cookieNames } from '../sessions/cookies.ts'
import { createSession, isEnded, type SessionCarrier, sessions } from '../sessions/session.ts'
import type { CountedAttempt, ThrottledAttempt } from '../verification/throttle.ts'
import { lockVerified } from '../verification/verify-password.ts'
import { type CodeType, useCode } from './second-factors.ts'

export interface CodeAttempt {
  /** The row of `secrets` of the user. */
  readonly secrets: Secrets
  readonly code: string
  readonly request: Request
  /** Is false for a second factor that is being set up. */
  readonly enabled?: boolean
}

/** Does the work in the transaction that uses up the code. Null, and no work, when the code is wrong. */
export const withCode = async <T>(
  auth: AuthContext,
  attempt: CodeAttempt,
  work: (records: TransactionRecords) => Promise<T>,
): Promise<T | null> => {
  const { secrets, code, request, enabled = true } = attempt
  const throttled: ThrottledAttempt = {
    account: `second factor of ${secrets.pk}`,
    userPk: secrets.pk,
    address: request.remoteAddress,
    strict: true,
  }
  const seals = await auth.seals()
  const counted = await begin(auth, attempt, throttled)
  const decide = async (records: TransactionRecords): Promise<T | null> => {
    const now = auth.platform.clock()
    const type = await useCode(records, seals, { userPk: secrets.pk, code: withoutBlanks(code), now, enabled })
    await record(records, { ...attempt, type }, now)
    await (type === null ? counted.fail(records) : counted.succeed(records))
    return type === null ? null : work(records)
  }
  return auth.platform.records.transaction(decide).catch(async error => {
    await counted.abandon()
    throw error
  })
}

/** Apps show their codes in two halves. */
const withoutBlanks = (code: string): string => code.replace(/\s/g, '')

const begin = async (
  auth: AuthContext,
  { secrets, request }: CodeAttempt,
  throttled: ThrottledAttempt,
): Promise<CountedAttempt> => {
  try {
    return await auth.throttle.begin(throttled)
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_many_requests') {
      const principal = usernameOf(secrets)
      await auth.recordRefusal({ type: 'AUTHENTICATION_THROTTLED', principal, request, reason: 'second factor' })
    }
    throw error
  }
}

const record = async (
  records: TransactionRecords,
  { secrets, request, type: codeType }: CodeAttempt & { readonly type: CodeType | null },
  now: Date,
): Promise<void> => {
  if (codeType === 'code') return
  const type = codeType === null ? 'SECOND_FACTOR_FAILURE' : 'RECOVERY_CODE_USED'
  const data = { address: request.remoteAddress, path: request.path }
  await authAudit.record(records, { type, principal: usernameOf(secrets), data, now })
}

// A sign-in that waits for the second factor: the password was right. It is a session that opens nothing; its pk is encrypted in
// a cookie, or in the response to an application without cookies, for the few minutes that it takes to read a code.

const lasts = 5 * 60_000

/** What carries the session when the sign-in is complete. */
export interface PendingCarrier {
  readonly by: SessionCarrier
  readonly remember: boolean
}

export interface NewPending extends PendingCarrier {
  readonly secrets: Secrets
  readonly request: Request
}

/** Creates the pending session; returns the encrypted text that names it. */
export const createPending = async (
  auth: AuthContext,
  { secrets, request, by, remember }: NewPending,
): Promise<string> => {
  const { platform } = auth
  const lifetimes = { ...auth.lifetimes, idle: lasts, session: lasts }
  const { session } = await platform.records.transaction(async records => {
    const session = { secrets: await lockVerified(records, secrets), request, state: 'mfa_pending' } as const
    return createSession(records, session, { now: platform.clock(), lifetimes })
  })
  const seals = await auth.seals()
  return seals.seal(JSON.stringify({ sid: session.pk, by, remember }), 'pending sign-in')
}

export const pendingCookie = (value: string): Cookie => ({ name: cookieNames.pending, value, lasts })

export interface PendingSignIn extends PendingCarrier {
  readonly sid: string
  readonly secrets: Secrets
}

/**
 * The sign-in that the body or else the cookie names; null when it has ended or is complete, or when its user cannot sign in any
 * more. One that a cookie names never returns tokens in the body, where scripts of the page could read them.
 */
export const readPending = async (
  auth: AuthContext,
  request: Request,
  code: string | null,
): Promise<PendingSignIn | null> => {
  const { records, clock } = auth.platform
  const sealed = code ?? readCookie(request, cookieNames.pending)
  const text = sealed && (await auth.seals()).open(sealed, 'pending sign-in')
  if (!text) return null
  // It can be decrypted, so this service has written it.
  const { sid, by, remember } = JSON.parse(text) as PendingCarrier & { readonly sid: string }
  if ((by === 'body') !== (code !== null)) return null
  const session = await records.first(sessions, { where: { pk: sid } })
  if (session?.state !== 'mfa_pending' || isEnded(session, clock())) return null
  const found = await records.first(secrets, { where: { pk: session.user.pk } })
  return found?.active && found.mfa ? { sid, by, remember, secrets: found } : null
}

export const expiredPending: Cookie = { name: cookieNames.pending, value: '', lasts: 0 }
