// A sign-in that waits for the second factor: the password was right. It is a session that opens nothing; its pk is in an
// encrypted cookie, for the few minutes that it takes to read a code.

import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import { type Secrets, secrets } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { type Cookie, cookieNames } from '../sessions/cookies.ts'
import { createSession, isEnded, sessions } from '../sessions/session.ts'
import { lockVerified } from '../verification/verify-password.ts'

const lasts = 5 * 60_000

/** Which cookies the sign-in sets when it is complete. */
export interface PendingCookies {
  readonly by: 'tokens' | 'sso'
  readonly remember: boolean
}

export interface NewPending extends PendingCookies {
  readonly secrets: Secrets
  readonly request: Request
}

/** Creates the pending session; answers its cookie. */
export const createPending = async (
  auth: AuthContext,
  { secrets, request, by, remember }: NewPending,
): Promise<Cookie> => {
  const { platform } = auth
  const lifetimes = { ...auth.lifetimes, idle: lasts, session: lasts }
  const { session } = await platform.store.transaction(async tx => {
    const session = { secrets: await lockVerified(tx, secrets), request, state: 'mfa_pending' } as const
    return createSession(tx, session, { now: platform.clock(), lifetimes })
  })
  const seals = await auth.seals()
  const value = seals.seal(JSON.stringify({ sid: session.pk, by, remember }), 'pending sign-in')
  return { name: cookieNames.pending, value, lasts }
}

export interface PendingSignIn extends PendingCookies {
  readonly sid: string
  readonly secrets: Secrets
}

/** The sign-in that the cookie names; null when it has ended or is complete, or when its user cannot sign in any more. */
export const readPending = async (auth: AuthContext, request: Request): Promise<PendingSignIn | null> => {
  const { records, clock } = auth.platform
  const sealed = readCookie(request, cookieNames.pending)
  const text = sealed && (await auth.seals()).open(sealed, 'pending sign-in')
  if (!text) return null
  // It can be decrypted, so this service has written it.
  const { sid, by, remember } = JSON.parse(text) as PendingCookies & { readonly sid: string }
  const session = await records.first(sessions, { pk: sid })
  if (session?.state !== 'mfa_pending' || isEnded(session, clock())) return null
  const found = await records.first(secrets, { pk: session.user.pk })
  return found?.active && found.mfa ? { sid, by, remember, secrets: found } : null
}

export const expiredPending: Cookie = { name: cookieNames.pending, value: '', lasts: 0 }
