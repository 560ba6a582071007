// What authentication works with. Created once for authenticating requests and once for the endpoints; what they share is in
// the database.

import type { Request } from '../../core/http/exchange.ts'
import type { Headers } from '../../core/rest/answer.ts'
import type { Service } from '../../core/rest/service.ts'
import { createKeys } from './keys.ts'
import { createSeals, type Seals } from './seals.ts'
import { type Cookie, createCookieWriter } from './sessions/cookies.ts'
import { type Terms, termsOf } from './sessions/terms.ts'
import { createTokens, type Tokens } from './sessions/tokens.ts'
import { jwtSettings } from './settings.ts'
import { createRefusalLog, type NoteRefusal } from './verification/refusal-log.ts'
import { createThrottle, type Throttle } from './verification/throttle.ts'
import { createProve, type Prove } from './verification/verify-password.ts'

export interface AuthContext extends Pick<Service, 'platform' | 'config' | 'log'> {
  readonly terms: Terms
  readonly tokens: Tokens
  readonly prove: Prove
  readonly throttle: Throttle
  readonly seals: () => Promise<Seals>
  readonly noteRefusal: NoteRefusal
  /** The headers that give the caller these cookies. */
  cookieHeaders(request: Request, cookies: readonly Cookie[]): Headers
}

export const createAuthContext = ({
  platform,
  config,
  log,
}: Pick<Service, 'platform' | 'config' | 'log'>): AuthContext => {
  const keys = createKeys(platform.store, config)
  const throttle = createThrottle(platform, config)
  const writeCookies = createCookieWriter(config)
  const noteRefusal = createRefusalLog(platform)
  return {
    ...{ platform, config, log },
    terms: termsOf(config),
    tokens: createTokens(keys.tokens, config.get(jwtSettings).tokenIssuer),
    prove: createProve(platform, throttle, noteRefusal),
    throttle,
    seals: createSeals(keys.seals),
    noteRefusal,
    cookieHeaders: (request, cookies) => ({
      'Set-Cookie': writeCookies(request, cookies),
      'Cache-Control': 'no-store',
    }),
  }
}
