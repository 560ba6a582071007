// A real OpenID Connect provider on loopback, where every visitor is the person that the test names.

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { type Browser, openBrowser } from './cookie-client.ts'
import { rsaKeys } from './rsa-keys.ts'

export interface IdentityClaims {
  readonly email?: string
  readonly email_verified?: boolean
  readonly given_name?: string
  readonly family_name?: string
  readonly locale?: string
}

export interface IdentityProvider {
  readonly issuer: string
  /** The people who have an account there, by their subject. */
  readonly people: Map<string, IdentityClaims>
  /** Goes through the provider's own pages as one of them; gives the address at which the service takes over. */
  signIn(location: string, subject: string): Promise<URL>
  /** Says no on the provider's page. */
  refuse(location: string): Promise<URL>
  stop(): Promise<void>
}

export const clientSettings = { clientId: 'plinth', clientSecret: 'a-secret-of-the-client' } as const

export const startIdentityProvider = async (redirectUri: string): Promise<IdentityProvider> => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, IdentityClaims>()
  const { privateKey } = rsaKeys.own
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientSettings.clientId,
        client_secret: clientSettings.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'first' }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'locale'] },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AuthorizationCode: 60, AccessToken: 600, IdToken: 600 },
    findAccount: (_: unknown, accountId: string) =>
      people.has(accountId) ? { accountId, claims: () => ({ sub: accountId, ...people.get(accountId) }) } : undefined,
  })
  let next: string | null = null
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    if (next === null) return provider.interactionFinished(request, response, { error: 'access_denied' })
    if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: next } })
    const grant = new provider.Grant({ accountId: session?.accountId ?? next, clientId: params.client_id })
    grant.addOIDCScope(params.scope)
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }
  const callback = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    interact(request, response).catch(error => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
  const walk = async (location: string): Promise<URL> => {
    const browser: Browser = openBrowser(issuer)
    let at = new URL(location)
    for (let step = 0; step < 10 && at.origin === issuer; step++) {
      const reply = await browser.get(at.pathname + at.search)
      const target = reply.headers.location
      if (target === undefined) throw new Error(`the provider said ${reply.status} ${reply.text.slice(0, 300)}`)
      at = new URL(target, issuer)
    }
    return at
  }
  return {
    issuer,
    people,
    signIn: (location, subject) => {
      next = subject
      return walk(location)
    },
    refuse: location => {
      next = null
      return walk(location)
    },
    stop: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
