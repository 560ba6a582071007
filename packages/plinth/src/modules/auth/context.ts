// What authentication works with: keys, tokens, throttling and cookies. The endpoints of a service share one. The authentication
// of requests has its own, so that programs with wrong Basic headers take no turn of people who sign in.

import type { Request } from '../../core/http/exchange.ts'
import type { Headers } from '../../core/rest/answer.ts'
import type { Service } from '../../core/service.ts'
import { createKeys } from './keys.ts'
import { createSeals, type Seals } from './seals.ts'
import { type Cookie, createCookieWriter } from './sessions/cookies.ts'
import { type Lifetimes, lifetimesOf } from './sessions/session.ts'
import { createTokens, type Tokens } from './sessions/tokens.ts'
import { jwtSettings } from './settings.ts'
import { createRefusalLog, type RecordRefusal } from './verification/refusals.ts'
import { createThrottle, type Throttle } from './verification/throttle.ts'
import { createPasswordVerifier, type VerifyPassword } from './verification/verify-password.ts'

export interface AuthContext extends Pick<Service, 'platform' | 'config' | 'log'> {
  readonly lifetimes: Lifetimes
  readonly tokens: Tokens
  readonly verifyPassword: VerifyPassword
  readonly throttle: Throttle
  readonly seals: () => Promise<Seals>
  readonly recordRefusal: RecordRefusal
  /** The headers that set these cookies. */
  cookieHeaders(request: Request, cookies: readonly Cookie[]): Headers
}

type AuthParts = Pick<Service, 'platform' | 'config' | 'log'>

const contexts = new WeakMap<AuthParts['platform'], AuthContext>()

/** Returns the context of the endpoints. */
export const authContextOf = (service: AuthParts): AuthContext => {
  const known = contexts.get(service.platform)
  if (known) return known
  const created = createAuthContext(service)
  contexts.set(service.platform, created)
  return created
}

export const createAuthContext = ({ platform, config, log }: AuthParts): AuthContext => {
  const keys = createKeys(platform, config)
  const { tokenIssuer, tokenAudience } = config.get(jwtSettings)
  const throttle = createThrottle(platform, config)
  const writeCookies = createCookieWriter(config)
  const recordRefusal = createRefusalLog(platform)
  const seals = createSeals(keys.seals, platform.clock)
  return {
    ...{ platform, config, log },
    lifetimes: lifetimesOf(config),
    tokens: createTokens(keys.tokens, {
      issuer: tokenIssuer,
      audience: tokenAudience || tokenIssuer,
      clock: platform.clock,
    }),
    verifyPassword: createPasswordVerifier({ platform, config, log, throttle, seals, recordRefusal }),
    throttle,
    seals,
    recordRefusal,
    cookieHeaders: (request, cookies) => ({
      'Set-Cookie': writeCookies(request, cookies),
      'Cache-Control': 'no-store',
    }),
  }
}
