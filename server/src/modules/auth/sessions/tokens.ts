// Access and refresh tokens: compact JWTs, signed with one fixed algorithm. A token only names its session; the session's
// own row says whether it still goes on.

import { createSigner, createVerifier } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import { lazy } from '../../../core/lazy.ts'

export type TokenType = 'access' | 'refresh'

export interface TokenClaims {
  readonly iss: string
  /** The user's pk. */
  readonly sub: string
  /** The session's pk. */
  readonly sid: string
  readonly jti: string
  readonly typ: TokenType
  /** In seconds (RFC 7519, section 2). */
  readonly iat: number
  readonly exp: number
}

export interface Tokens {
  sign(claims: Omit<TokenClaims, 'iss'>): Promise<string>
  /** As below, at once, for tokens seen before. */
  known(token: string, type: TokenType): TokenClaims | null
  /** What a genuine token of this type says, expired or not; null for everything else. */
  read(token: string, type: TokenType): Promise<TokenClaims | null>
}

/** Ours are far shorter; whatever is longer is not worth a look. */
const maxLength = 2000
const remembered = 10_000

export const createTokens = (signingKey: () => Promise<string>, issuer: string): Tokens => {
  const genuine = new LRUCache<string, TokenClaims>({ max: remembered })
  const known: Tokens['known'] = (token, type) => {
    // To be verified anew once in a while is cheaper than to keep account of every use.
    const claims = genuine.peek(token)
    return claims?.typ === type ? claims : null
  }
  const withKey = lazy(async () => {
    const key = await signingKey()
    return {
      sign: createSigner({ key, algorithm: 'HS256' }),
      // Expiry is checked by the service's own clock.
      verify: createVerifier({ key, algorithms: ['HS256'], allowedIss: issuer, ignoreExpiration: true }),
    }
  })
  const verified = async (token: string): Promise<TokenClaims | null> => {
    const { verify } = await withKey()
    try {
      return toClaims(verify(token))
    } catch {
      return null
    }
  }
  return {
    sign: async claims => (await withKey()).sign({ iss: issuer, ...claims }),
    known,
    read: async (token, type) => {
      if (token.length > maxLength) return null
      const claims = known(token, type) ?? (await verified(token))
      if (claims) genuine.set(token, claims)
      return claims?.typ === type ? claims : null
    },
  }
}

const toClaims = (payload: unknown): TokenClaims | null => {
  const { iss, sub, sid, jti, typ, iat, exp } = payload as Record<keyof TokenClaims, unknown>
  const texts = [iss, sub, sid, jti].every(one => typeof one === 'string' && one !== '')
  const times = [iat, exp].every(Number.isInteger)
  return texts && times && (typ === 'access' || typ === 'refresh') ? (payload as TokenClaims) : null
}

export const isExpired = ({ exp }: TokenClaims, now: Date): boolean => exp * 1000 <= now.getTime()
