// The password was right, and the second factor is still to come. What has been shown so far is a session that opens nothing;
// the browser keeps its name in a sealed cookie, for the few minutes that it takes to look at a telephone.

import type { Request } from '../../../core/http/exchange.ts'
import { type Secrets, secrets } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { type Cookie, cookieNames, readCookie } from '../sessions/cookies.ts'
import { openSession } from '../sessions/open-session.ts'
import { isOver } from '../sessions/rotate.ts'
import { sessions } from '../sessions/sessions.ts'
import { holdProved } from '../verification/still-valid.ts'

const lasts = 5 * 60_000

/** What the sign-in will give when it is complete. */
export interface Wanted {
  readonly by: 'tokens' | 'sso'
  readonly remember: boolean
}

export interface Halfway extends Wanted {
  readonly secrets: Secrets
  readonly request: Request
}

/** Begins the pending session; gives the cookie that names it. */
export const openPending = async (auth: AuthContext, { secrets, request, by, remember }: Halfway): Promise<Cookie> => {
  const { platform } = auth
  const terms = { ...auth.terms, idle: lasts, whole: lasts }
  const { session } = await platform.store.transaction(async tx => {
    const held = await holdProved(tx, secrets)
    return openSession(tx, { secrets: held, request, state: 'mfa_pending' }, { now: platform.clock(), terms })
  })
  const seals = await auth.seals()
  const value = seals.seal(JSON.stringify({ sid: session.pk, by, remember }), 'pending sign-in')
  return { name: cookieNames.pending, value, lasts }
}

export interface Pending extends Wanted {
  readonly sid: string
  readonly secrets: Secrets
}

/** The sign-in that the request's cookie names, unless it is over, complete, or its user may not sign in any more. */
export const readPending = async (auth: AuthContext, request: Request): Promise<Pending | null> => {
  const { records, clock } = auth.platform
  const sealed = readCookie(request, cookieNames.pending)
  const text = sealed && (await auth.seals()).open(sealed, 'pending sign-in')
  if (!text) return null
  // Ours, since it opened.
  const { sid, by, remember } = JSON.parse(text) as Wanted & { readonly sid: string }
  const session = await records.first(sessions, { pk: sid })
  if (session?.state !== 'mfa_pending' || isOver(session, clock())) return null
  const found = await records.first(secrets, { pk: session.user.pk })
  return found?.active && found.mfa ? { sid, by, remember, secrets: found } : null
}

export const pendingOver: Cookie = { name: cookieNames.pending, value: '', lasts: 0 }
