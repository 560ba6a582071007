// The cookies by which browsers stay signed in, and the sessions that they name.

import { appSettings } from '../../../core/config/service-settings.ts'
import type { Config } from '../../../core/config/settings.ts'
import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import type { Reader } from '../../../core/model/transaction.ts'
import { readerOf } from '../../../core/records/reader.ts'
import { cookieSettings } from '../settings.ts'
import { isSecretOf, readSessionSecret, type Session, sessions } from './session.ts'
import type { Tokens } from './tokens.ts'

export const cookieNames = {
  access: 'access_token',
  refresh: 'refresh_token',
  sso: 'app-sso',
  remember: 'remember-me',
  pending: 'mfa_pending',
  social: 'oauth_pending',
} as const

export type CookieName = (typeof cookieNames)[keyof typeof cookieNames]

export interface Cookie {
  readonly name: CookieName
  readonly value: string
  /** In milliseconds; null for as long as the browser runs. */
  readonly lasts: number | null
}

export const hasCookies = (request: Request): boolean =>
  request.headers.cookie !== undefined && Object.values(cookieNames).some(name => readCookie(request, name) !== null)

/** Writes the `Set-Cookie` headers. */
export const createCookieWriter = (config: Config): ((request: Request, cookies: readonly Cookie[]) => string[]) => {
  const secure = config.get(cookieSettings).secure
  const fixed = [
    'Path=/',
    'SameSite=Lax',
    ...(config.get(cookieSettings).httpOnly ? ['HttpOnly'] : []),
    ...(secure === 'true' || (secure === 'auto' && config.get(appSettings).baseUrl.startsWith('https:'))
      ? ['Secure']
      : []),
  ]
  const configured = config.get(cookieSettings).domain
  return (request, cookies) => {
    const domain = configured || domainOf(request.base)
    const common = [...(domain ? [`Domain=${domain}`] : []), ...fixed]
    return cookies.map(({ name, value, lasts }) =>
      [`${name}=${value}`, ...(lasts === null ? [] : [`Max-Age=${Math.floor(lasts / 1000)}`]), ...common].join('; '),
    )
  }
}

/**
 * None for a name without dots: some clients drop the cookie otherwise. None for an IPv6 address, which some clients expect in
 * brackets and others without.
 */
const domainOf = (base: string): string | null => {
  const { hostname } = new URL(base)
  return hostname.includes('.') && !hostname.startsWith('[') ? hostname : null
}

/** Deletes all cookies. */
export const expiredCookies: readonly Cookie[] = Object.values(cookieNames).map(name => ({ name, value: '', lasts: 0 }))

/** A session that a request names, and whether the request is entitled to it. */
export interface SessionClaim {
  readonly sid: string
  readonly isGenuine: (session: Session) => boolean
}

/**
 * The sessions that the cookies name, even if they are no longer valid for anything else. `own` is the caller's session. Call
 * this before a transaction: to verify a token may take the signing key from the database.
 */
export const readSessionClaims = async (
  tokens: Tokens,
  request: Request,
  own: string | undefined,
): Promise<SessionClaim[]> => {
  const claims: SessionClaim[] = []
  const add = (sid: string | undefined, isGenuine: SessionClaim['isGenuine'] = () => true): void => {
    if (sid !== undefined) claims.push({ sid, isGenuine })
  }
  add(own)
  const refresh = readCookie(request, cookieNames.refresh)
  add(refresh === null ? undefined : (await tokens.read(refresh, 'refresh'))?.sid)
  const remember = readSessionSecret(readCookie(request, cookieNames.remember))
  add(remember?.sid, ({ rememberHash }) => isSecretOf(rememberHash, remember?.secret ?? ''))
  const sso = readSessionSecret(readCookie(request, cookieNames.sso))
  add(sso?.sid, ({ ssoHash }) => isSecretOf(ssoHash, sso?.secret ?? ''))
  return claims
}

export const findClaimedSessions = async (reader: Reader, claims: readonly SessionClaim[]): Promise<Session[]> => {
  const found = new Map<string, Session>()
  for (const { sid, isGenuine } of claims) {
    const session = found.has(sid) ? null : await readerOf(reader).first(sessions, { pk: sid })
    if (session && isGenuine(session)) found.set(sid, session)
  }
  return [...found.values()]
}
