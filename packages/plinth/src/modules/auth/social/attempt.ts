// A sign-in that is in progress at a provider. What it needs when the browser comes back is in an encrypted cookie: in another
// browser the answer of the provider is worth nothing. And the pages of the client to which browsers are redirected.

import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import type { AuthContext } from '../context.ts'
import { type Cookie, cookieNames } from '../sessions/cookies.ts'
import type { Challenge } from './provider-client.ts'

const lasts = 10 * 60_000

export interface SocialAttempt {
  readonly provider: string
  readonly challenge: Challenge
  /** A page of the client. */
  readonly to: string
  readonly remember: boolean
}

export const attemptCookie = async ({ platform, seals }: AuthContext, attempt: SocialAttempt): Promise<Cookie> => {
  const until = platform.clock().getTime() + lasts
  const value = (await seals()).seal(JSON.stringify({ ...attempt, until }), 'social sign-in')
  return { name: cookieNames.social, value, lasts }
}

/** The attempt of this browser at this provider; null when there is none, or when it has expired. */
export const readAttempt = async (
  { platform, seals }: AuthContext,
  request: Request,
  provider: string,
): Promise<SocialAttempt | null> => {
  const sealed = readCookie(request, cookieNames.social)
  const text = sealed && (await seals()).open(sealed, 'social sign-in')
  if (!text) return null
  // It can be decrypted, so this service has written it.
  const attempt = JSON.parse(text) as SocialAttempt & { readonly until: number }
  return attempt.provider === provider && attempt.until > platform.clock().getTime() ? attempt : null
}

export const expiredAttempt: Cookie = { name: cookieNames.social, value: '', lasts: 0 }

const home = '/client/'

/**
 * The path of a page of the client, named as the client names its pages, such as `/films?sort=title`. Null for everything that
 * would lead elsewhere: the name is appended to the path of the client before it is parsed, so it cannot name another host.
 */
export const clientPage = (to: string): string | null => {
  if (!/^\/(?![/\\])/.test(to) || to.length > 1000 || /[\\\p{Cc}]/u.test(to)) return null
  const base = 'http://client.invalid'
  if (!URL.canParse(`${base}/client${to}`)) return null
  const { origin, pathname, search, hash } = new URL(`${base}/client${to}`)
  return origin === base && pathname.startsWith(home) ? pathname + search + hash : null
}

/** The sign-in page, with its parameters. */
export const signInPage = (parameters: Readonly<Record<string, string>>): string =>
  `${home}sign-in?${new URLSearchParams(parameters)}`
