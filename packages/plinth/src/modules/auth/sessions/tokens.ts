// Access and refresh tokens: compact JWTs, signed with one fixed algorithm. A token only names its session; the row of the
// session says whether it is still valid.

import type { Algorithm } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import { followingKeys, type KeyRing } from '../key-ring.ts'
import { type Cookie, cookieNames } from './cookies.ts'
import type { Lifetimes, Session } from './session.ts'

export type TokenType = 'access' | 'refresh'

export interface TokenClaims {
  readonly iss: string
  /** The user's pk. */
  readonly sub: string
  /** The session's pk. */
  readonly sid: string
  readonly jti: string
  readonly typ: TokenType
  /** The time in seconds (RFC 7519, section 2). */
  readonly iat: number
  readonly exp: number
}

export interface Tokens {
  sign(claims: Omit<TokenClaims, 'iss'>): Promise<string>
  /** Reads as `read` does, but synchronously, tokens that were read before. */
  peek(token: string, type: TokenType): TokenClaims | null
  /** The claims of a genuine token of this type, expired or not; null for everything else. */
  read(token: string, type: TokenType): Promise<TokenClaims | null>
}

/** Our tokens are far shorter. */
const maxLength = 2000
const cacheSize = 10_000

interface TokenParties {
  readonly issuer: string
  readonly audience: string
  readonly clock: () => Date
}

type Verifier = (token: string) => Readonly<Record<string, unknown>>

interface TokenKeys {
  /** Newest first, each with the time from which on it is used. */
  readonly signers: readonly { readonly from: number; readonly sign: (claims: object) => string }[]
  /** By the header, which is the same for all tokens of a key. Tokens of earlier versions name no key, and no audience. */
  readonly verifiers: ReadonlyMap<string, readonly Verifier[]>
}

export const createTokens = (readRing: () => Promise<KeyRing>, { issuer, audience, clock }: TokenParties): Tokens => {
  // By size: `max` would allocate room for all of them at the start.
  const genuine = new LRUCache<string, TokenClaims>({ maxSize: cacheSize, sizeCalculation: () => 1 })
  const peek: Tokens['peek'] = (token, type) => {
    // To verify a token again from time to time is cheaper than to record every use.
    const claims = genuine.peek(token)
    return claims?.typ === type ? claims : null
  }
  const withKeys = followingKeys(readRing, ring => tokenKeys(ring, { issuer, audience }))
  const verify = async (token: string): Promise<TokenClaims | null> => {
    const { verifiers } = await withKeys()
    for (const verifier of verifiers.get(token.slice(0, token.indexOf('.'))) ?? [])
      try {
        return toClaims(verifier(token))
      } catch {}
    return null
  }
  return {
    sign: async claims => {
      const { signers } = await withKeys()
      const now = clock().getTime()
      const signer = signers.find(({ from }) => from <= now) ?? signers.at(-1)
      if (!signer) throw new Error('a ring of keys is empty')
      return signer.sign({ iss: issuer, aud: audience, ...claims })
    },
    peek,
    read: async (token, type) => {
      if (token.length > maxLength) return null
      const claims = peek(token, type) ?? (await verify(token))
      if (claims) genuine.set(token, claims)
      return claims?.typ === type ? claims : null
    },
  }
}

const algorithm = 'HS256'
const algorithms: Algorithm[] = [algorithm]

const headerOf = (token: string): string => token.slice(0, token.indexOf('.'))

const tokenKeys = async (ring: KeyRing, { issuer, audience }: Omit<TokenParties, 'clock'>): Promise<TokenKeys> => {
  const { createSigner, createVerifier } = await import('fast-jwt')
  // Expiry is checked by the service's own clock.
  const shared = { algorithms, allowedIss: issuer, ignoreExpiration: true }
  const signers = ring.map(({ name, secret: key, from }) => ({
    ...{ key, from },
    sign: createSigner({ key, algorithm, kid: name }),
  }))
  const verifiers = new Map<string, readonly Verifier[]>()
  for (const { key, sign } of signers)
    verifiers.set(headerOf(sign({})), [
      createVerifier({ ...shared, key, allowedAud: audience, requiredClaims: ['aud'] }),
    ])
  const nameless = createSigner({ key: ring[0]?.secret ?? '', algorithm })
  verifiers.set(
    headerOf(nameless({})),
    ring.map(({ secret: key }) => createVerifier({ ...shared, key })),
  )
  return { signers, verifiers }
}

const toClaims = (payload: Readonly<Record<string, unknown>>): TokenClaims | null => {
  const { iss, sub, sid, jti, typ, iat, exp } = payload
  if (!isText(iss) || !isText(sub) || !isText(sid) || !isText(jti) || !isWhole(iat) || !isWhole(exp)) return null
  return typ === 'access' || typ === 'refresh' ? { iss, sub, sid, jti, typ, iat, exp } : null
}

const isText = (claim: unknown): claim is string => typeof claim === 'string' && claim !== ''
const isWhole = (claim: unknown): claim is number => Number.isInteger(claim)

export const isExpired = ({ exp }: TokenClaims, now: Date): boolean => exp * 1000 <= now.getTime()

interface IssuedToken {
  readonly value: string
  /** The milliseconds from when it was issued. */
  readonly lasts: number
}

interface IssuedTokens {
  readonly access: IssuedToken
  readonly refresh: IssuedToken
  readonly issued: number
}

/** The tokens follow from the row of the session alone, so a repeated request gets the very same ones. */
const issueTokens = async (session: Session, tokens: Tokens, lifetimes: Lifetimes): Promise<IssuedTokens> => {
  const issued = Date.parse(session.rotated ?? session.created)
  const shared = { sub: session.user.pk, sid: session.pk, iat: Math.floor(issued / 1000) }
  const refreshId = session.refreshId ?? ''
  const refreshLasts = Math.min(lifetimes.refresh, Date.parse(session.until) - issued)
  const accessLasts = Math.min(lifetimes.access, refreshLasts)
  const expiryAfter = (milliseconds: number) => Math.floor((issued + milliseconds) / 1000)
  const access = { ...shared, typ: 'access', jti: `${refreshId}.a`, exp: expiryAfter(accessLasts) } as const
  const refresh = { ...shared, typ: 'refresh', jti: refreshId, exp: expiryAfter(refreshLasts) } as const
  return {
    access: { value: await tokens.sign(access), lasts: accessLasts },
    refresh: { value: await tokens.sign(refresh), lasts: refreshLasts },
    issued,
  }
}

export const tokenCookies = async (session: Session, tokens: Tokens, lifetimes: Lifetimes): Promise<Cookie[]> => {
  const { access, refresh } = await issueTokens(session, tokens, lifetimes)
  return [
    { name: cookieNames.access, ...access },
    { name: cookieNames.refresh, ...refresh },
  ]
}

/** The tokens of a session, for applications without cookies. */
export interface BodyTokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** Seconds until the access token expires. */
  readonly expiresIn: number
}

export const bodyTokens = async (
  session: Session,
  tokens: Tokens,
  { lifetimes, now }: { readonly lifetimes: Lifetimes; readonly now: Date },
): Promise<BodyTokens> => {
  const { access, refresh, issued } = await issueTokens(session, tokens, lifetimes)
  const expiresIn = Math.max(0, Math.ceil((issued + access.lasts - now.getTime()) / 1000))
  return { accessToken: access.value, refreshToken: refresh.value, expiresIn }
}
