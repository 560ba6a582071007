// A sign-in that waits for the second factor: the password was right. It is a session that opens nothing; its pk is encrypted in
// a cookie, or in the response to an application without cookies, for the few minutes that it takes to read a code.

import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import { type Secrets, secrets } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { type Cookie, cookieNames } from '../sessions/cookies.ts'
import { createSession, isEnded, type SessionCarrier, sessions } from '../sessions/session.ts'
import { lockVerified } from '../verification/verify-password.ts'

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
  const { session } = await platform.store.transaction(async tx => {
    const session = { secrets: await lockVerified(tx, secrets), request, state: 'mfa_pending' } as const
    return createSession(tx, session, { now: platform.clock(), lifetimes })
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
  given: string | null,
): Promise<PendingSignIn | null> => {
  const { records, clock } = auth.platform
  const sealed = given ?? readCookie(request, cookieNames.pending)
  const text = sealed && (await auth.seals()).open(sealed, 'pending sign-in')
  if (!text) return null
  // It can be decrypted, so this service has written it.
  const { sid, by, remember } = JSON.parse(text) as PendingCarrier & { readonly sid: string }
  if ((by === 'body') !== (given !== null)) return null
  const session = await records.first(sessions, { pk: sid })
  if (session?.state !== 'mfa_pending' || isEnded(session, clock())) return null
  const found = await records.first(secrets, { pk: session.user.pk })
  return found?.active && found.mfa ? { sid, by, remember, secrets: found } : null
}

export const expiredPending: Cookie = { name: cookieNames.pending, value: '', lasts: 0 }
