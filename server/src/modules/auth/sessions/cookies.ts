// The cookies by which browsers stay signed in.

import { appSettings } from '../../../core/config/service-settings.ts'
import type { Config } from '../../../core/config/settings.ts'
import type { Request } from '../../../core/http/exchange.ts'
import { cookieSettings } from '../settings.ts'

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

/** The first cookie of the name, as the nearest path and domain come first (RFC 6265, 5.4). */
export const readCookie = ({ headers: { cookie } }: Request, name: CookieName): string | null => {
  if (cookie === undefined) return null
  // Without taking it apart, and looking at each character once: every request with cookies comes by here.
  for (let start = 0, end = 0, sign = -1; end < cookie.length; start = end + 1) {
    end = cookie.indexOf(';', start)
    if (end === -1) end = cookie.length
    if (sign < start) sign = cookie.indexOf('=', start)
    if (sign === -1) return null
    if (sign < end && cookie.slice(start, sign).trim() === name) return cookie.slice(sign + 1, end).trim() || null
  }
  return null
}

export const hasCookies = (request: Request): boolean =>
  request.headers.cookie !== undefined && Object.values(cookieNames).some(name => readCookie(request, name) !== null)

/** The `Set-Cookie` lines for this caller. */
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
 * A name without dots must have no domain: some clients drop the cookie otherwise. Nor has an IPv6 address, which some
 * clients want in brackets and others without.
 */
const domainOf = (base: string): string | null => {
  const { hostname } = new URL(base)
  return hostname.includes('.') && !hostname.startsWith('[') ? hostname : null
}

/** What makes a browser forget. */
export const forgotten: readonly Cookie[] = Object.values(cookieNames).map(name => ({ name, value: '', lasts: 0 }))
