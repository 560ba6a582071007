// A sign-in that is under way at a provider. What it needs when the browser comes back travels with that browser, sealed: the
// answer of the provider is worth nothing in any other.

import type { Request } from '../../../core/http/exchange.ts'
import type { AuthContext } from '../context.ts'
import { type Cookie, cookieNames, readCookie } from '../sessions/cookies.ts'
import type { Challenge } from './provider-client.ts'

const lasts = 10 * 60_000

export interface Attempt {
  readonly provider: string
  readonly challenge: Challenge
  /** A page of the client. */
  readonly to: string
  readonly remember: boolean
}

export const keepAttempt = async ({ platform, seals }: AuthContext, attempt: Attempt): Promise<Cookie> => {
  const until = platform.clock().getTime() + lasts
  const value = (await seals()).seal(JSON.stringify({ ...attempt, until }), 'social sign-in')
  return { name: cookieNames.social, value, lasts }
}

/** The attempt of this browser at this provider; null when there is none, or not any more. */
export const readAttempt = async (auth: AuthContext, request: Request, provider: string): Promise<Attempt | null> => {
  const sealed = readCookie(request, cookieNames.social)
  const text = sealed && (await auth.seals()).open(sealed, 'social sign-in')
  if (!text) return null
  // Ours, since it opened.
  const attempt = JSON.parse(text) as Attempt & { readonly until: number }
  return attempt.provider === provider && attempt.until > auth.platform.clock().getTime() ? attempt : null
}

export const attemptOver: Cookie = { name: cookieNames.social, value: '', lasts: 0 }
