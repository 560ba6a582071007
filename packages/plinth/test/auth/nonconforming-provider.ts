// A provider that does not keep to the standard: it signs whatever the test wants to have signed.

import { createHmac, createSign, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rsaKeys } from '@plinth/test-kit/rsa-keys'

export interface IdToken {
  readonly header: Record<string, unknown>
  readonly claims: Record<string, unknown>
  /** The key with which a token is signed; none at all for an unsigned token. */
  readonly by: 'own key' | 'another key' | 'client secret' | 'nobody'
}

export interface CrookedProvider {
  readonly issuer: string
  /** What the next exchange of a code gives. */
  give(token: IdToken): void
  /** A token that is in order, for this nonce. */
  good(nonce: string): IdToken
  stop(): Promise<void>
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What a provider tells of itself. */
export const metadataOf = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

export const startCrookedProvider = async (client: {
  readonly clientId: string
  readonly clientSecret: string
}): Promise<CrookedProvider> => {
  let next: IdToken | null = null
  const sign = ({ header, claims, by }: IdToken): string => {
    const text = `${part(header)}.${part(claims)}`
    const rsa = (key: KeyObject) => createSign('RSA-SHA256').update(text).sign(key).toString('base64url')
    const signatures = {
      'own key': () => rsa(rsaKeys.own.privateKey),
      'another key': () => rsa(rsaKeys.other.privateKey),
      'client secret': () => createHmac('sha256', client.clientSecret).update(text).digest('base64url'),
      nobody: () => '',
    }
    return `${text}.${signatures[by]()}`
  }
  const server = createServer((request, response) => {
    const answer = (value: object) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify(value))
    }
    if (request.url === '/.well-known/openid-configuration') return answer(metadataOf(issuer))
    if (request.url === '/keys')
      return answer({
        keys: [{ ...rsaKeys.own.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'own' }],
      })
    return answer({ access_token: 'access', token_type: 'Bearer', ...(next && { id_token: sign(next) }) })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    give: token => {
      next = token
    },
    good: nonce => {
      const now = Math.floor(Date.now() / 1000)
      return {
        header: { alg: 'RS256', typ: 'JWT', kid: 'own' },
        claims: {
          iss: issuer,
          sub: 'crook',
          aud: client.clientId,
          iat: now,
          exp: now + 300,
          nonce,
          email: 'crook@example.org',
          email_verified: true,
        },
        by: 'own key',
      }
    },
    stop: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
