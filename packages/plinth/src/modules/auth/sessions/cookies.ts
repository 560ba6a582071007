// The cookies by which browsers stay signed in.

import { appSettings } from '../../../core/config/service-settings.ts'
import type { Config } from '../../../core/config/settings.ts'
import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import { cookieSettings } from '../settings.ts'

export const cookieNames = {
  access: 'access_token',
  refresh: 'refresh_token',
  sso: 'app-sso',
  remember: 'remember-me',
  pending: 'mfa_pending',
  social: 'oauth_pending',
  /** Opens nothing. */
  device: 'known-device',
} as const

export type CookieName = (typeof cookieNames)[keyof typeof cookieNames]

export interface Cookie {
  readonly name: CookieName
  readonly value: string
  /** The milliseconds that it lasts; null for as long as the browser runs. */
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
