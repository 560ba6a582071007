// The protocol with a provider: OpenID Connect Core 1.0, the authorization code flow, with PKCE (RFC 7636) and the issuer in the
// response (RFC 9207). Signatures are verified although the tokens come over TLS.

import type { Configuration, IDToken } from 'openid-client'
import { lazy } from '../../../core/lazy.ts'
import type { Provider } from './providers.ts'

export interface Challenge {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface ProviderExchange {
  readonly challenge: Challenge
  /** The address to which the provider redirects the browser. */
  readonly redirectUri: string
}

/** What the provider says about the user. */
export interface ProviderClaims {
  readonly issuer: string
  readonly subject: string
  /** How long before the response the user signed in at the provider, in milliseconds; null when the provider does not say. */
  readonly signedInFor: number | null
  /** Is null unless the provider says that it is verified. */
  readonly email: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly locale: string | null
}

export interface ProviderClient {
  /** The address at which the user signs in. */
  begin(exchange: ProviderExchange): Promise<URL>
  /** Exchanges the code that the browser brought back; throws when anything is wrong with it. */
  finish(exchange: ProviderExchange, search: string): Promise<ProviderClaims>
}

/** Loads the protocol: most services have no provider. */
const loadProtocol = () => import('openid-client')

export const newChallenge = async (): Promise<Challenge> => {
  const { randomNonce, randomPKCECodeVerifier, randomState } = await loadProtocol()
  return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
}

/** Says whether the provider reported that the user refused. */
export const isDenial = async (error: unknown): Promise<boolean> => {
  const { AuthorizationResponseError } = await loadProtocol()
  return error instanceof AuthorizationResponseError && error.error === 'access_denied'
}

/** Seconds that a provider may take to answer, and that its clock may be off. */
const [timeout, tolerance] = [10, 30]
const cachedFor = 3600_000

export const createProviderClient = (provider: Provider, clock: () => Date): ProviderClient => {
  const configuration = createConfiguration(provider, clock)
  return {
    begin: async ({ challenge, redirectUri }) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadProtocol()
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: provider.scopes.join(' '),
        state: challenge.state,
        nonce: challenge.nonce,
        // The user signs in again, even with an open session at the provider: that counts as a recent sign-in.
        max_age: '0',
        code_challenge: await calculatePKCECodeChallenge(challenge.verifier),
        code_challenge_method: 'S256',
      })
    },
    finish: async ({ challenge, redirectUri }, search) => {
      const { authorizationCodeGrant, fetchUserInfo } = await loadProtocol()
      const known = await configuration()
      const tokens = await authorizationCodeGrant(known, new URL(`${redirectUri}?${search}`), {
        expectedState: challenge.state,
        expectedNonce: challenge.nonce,
        pkceCodeVerifier: challenge.verifier,
        idTokenExpected: true,
      })
      const token = tokens.claims()
      if (!token) throw new Error('the provider gave no ID token')
      const hasMore = token.email === undefined && known.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await fetchUserInfo(known, tokens.access_token, token.sub) : {}
      return toClaims({ ...more, ...token })
    },
  }
}

/** The metadata of the provider, discovered when first needed and cached for a while. */
const createConfiguration = (provider: Provider, clock: () => Date): (() => Promise<Configuration>) => {
  const { issuer, clientId, clientSecret } = provider
  const discover = async (): Promise<Configuration> => {
    const oidc = await loadProtocol()
    const found = await oidc.discovery(
      issuer,
      clientId,
      { [oidc.clockTolerance]: tolerance },
      clientSecret === null ? oidc.None() : oidc.ClientSecretPost(clientSecret),
      { timeout, ...(issuer.protocol === 'http:' && { execute: [oidc.allowInsecureRequests] }) },
    )
    oidc.enableNonRepudiationChecks(found)
    return found
  }
  let known = { found: lazy(discover), until: 0 }
  return () => {
    const now = clock().getTime()
    if (known.until <= now) known = { found: lazy(discover), until: now + cachedFor }
    return known.found()
  }
}

const toClaims = (all: IDToken): ProviderClaims => {
  const text = (value: unknown): string | null =>
    typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0') ? value : null
  return {
    issuer: all.iss,
    subject: all.sub,
    signedInFor: signedInFor(all),
    // Only `true`: a text "true", or nothing, is not verified by the standard.
    email: all.email_verified === true ? text(all.email) : null,
    firstName: text(all.given_name)?.slice(0, 100) ?? null,
    lastName: text(all.family_name)?.slice(0, 100) ?? null,
    locale: text(all.locale),
  }
}

/**
 * Returns the milliseconds since the sign-in. Both dates are by the provider's clock. Not every provider knows
 * `max_age` and sends `auth_time`.
 */
const signedInFor = ({ auth_time: signedIn, iat: issued }: IDToken): number | null =>
  signedIn === undefined ? null : Math.max(0, issued - signedIn) * 1000
