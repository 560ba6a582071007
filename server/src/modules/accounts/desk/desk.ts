// Everything that signing in works with. Made once for identification and once for the endpoints; what they share lies in
// the database.

import type { Request } from '../../../core/http/exchange.ts'
import type { Headers } from '../../../core/rest/answer.ts'
import type { Service } from '../../../core/rest/service.ts'
import { createKeys } from '../keys.ts'
import { createSeals, type Seals } from '../seals.ts'
import { type Cookie, createCookieWriter } from '../sessions/cookies.ts'
import { type Terms, termsOf } from '../sessions/terms.ts'
import { createTokens, type Tokens } from '../sessions/tokens.ts'
import { jwtSettings } from '../settings.ts'
import { createProve, type Prove } from './prove.ts'
import { createRefusalLog, type NoteRefusal } from './refusal-log.ts'
import { createThrottle, type Throttle } from './throttle.ts'

export interface Desk extends Pick<Service, 'platform' | 'log'> {
  readonly terms: Terms
  readonly tokens: Tokens
  readonly prove: Prove
  readonly throttle: Throttle
  readonly seals: () => Promise<Seals>
  readonly noteRefusal: NoteRefusal
  /** The headers that give the caller these cookies. */
  cookieHeaders(request: Request, cookies: readonly Cookie[]): Headers
}

export const createDesk = ({ platform, config, log }: Pick<Service, 'platform' | 'config' | 'log'>): Desk => {
  const keys = createKeys(platform.store, config)
  const throttle = createThrottle(platform, config)
  const writeCookies = createCookieWriter(config)
  const noteRefusal = createRefusalLog(platform)
  return {
    platform,
    log,
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
