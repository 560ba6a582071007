// What is not exactly one of our tokens opens nothing.

import { createHmac, createSign } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createClock, minutes } from '@plinth/test-kit/clock'
import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { rsaKeys } from '@plinth/test-kit/rsa-keys'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

const key = 'q7GJw2r9Xc4Lz8Vn5Bt1Md6Hs3Kf0PyE-tests'

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())

const signed = (header: object, payload: object, secret: string | Buffer = key, hash = 'sha256'): string => {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}

const { privateKey, publicKey } = rsaKeys.own
const publicPem = publicKey.export({ type: 'spki', format: 'pem' })

/** A genuine token → one that must not be taken for one. */
const forgeries: readonly [string, (token: string, claims: Record<string, unknown>) => string][] = [
  ['algorithm none', (_, claims) => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`],
  ['algorithm None', (_, claims) => `${encode({ alg: 'None', typ: 'JWT' })}.${encode(claims)}.`],
  ['algorithm nOnE', (_, claims) => `${encode({ alg: 'nOnE', typ: 'JWT' })}.${encode(claims)}.`],
  [
    'algorithm none with a signature',
    (token, claims) => `${encode({ alg: 'none' })}.${encode(claims)}.${token.split('.')[2]}`,
  ],
  ['no algorithm', (_, claims) => signed({ typ: 'JWT' }, claims)],
  ['an empty signature', token => token.split('.').slice(0, 2).join('.').concat('.')],
  ['no signature', token => token.split('.').slice(0, 2).join('.')],
  ['a signature too many', token => `${token}.${token.split('.')[2]}`],
  ['another key', (_, claims) => signed({ alg: 'HS256' }, claims, 'another key that is long enough for it')],
  ['an empty key', (_, claims) => signed({ alg: 'HS256' }, claims, Buffer.alloc(0))],
  ['HS512 with the right key', (_, claims) => signed({ alg: 'HS512' }, claims, key, 'sha512')],
  [
    'a key of its own in the header',
    (_, claims) => {
      const own = 'the key that the header brings along itself'
      const jwk = { kty: 'oct', k: Buffer.from(own).toString('base64url') }
      return signed({ alg: 'HS256', jwk, jku: 'https://evil.example/keys', kid: '../../dev/null' }, claims, own)
    },
  ],
  [
    'RS256 of a foreign key',
    (_, claims) => {
      const text = `${encode({ alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) })}.${encode(claims)}`
      return `${text}.${createSign('sha256').update(text).sign(privateKey, 'base64url')}`
    },
  ],
  ['HS256 with a public key', (_, claims) => signed({ alg: 'HS256' }, claims, Buffer.from(publicPem))],
  [
    'claims changed under the signature',
    (token, claims) => {
      const [head, , tail] = token.split('.')
      return `${head}.${encode({ ...claims, sub: '00000000-0000-7000-8000-000000000001' })}.${tail}`
    },
  ],
  ['another issuer', (_, claims) => signed({ alg: 'HS256' }, { ...claims, iss: 'elsewhere' })],
  ['no issuer', (_, { iss: __, ...claims }) => signed({ alg: 'HS256' }, claims)],
  ['the type of a refresh token', (_, claims) => signed({ alg: 'HS256' }, { ...claims, typ: 'refresh' })],
  ['no type', (_, { typ: __, ...claims }) => signed({ alg: 'HS256' }, claims)],
  ['no session', (_, { sid: __, ...claims }) => signed({ alg: 'HS256' }, claims)],
  ['a session that does not exist', (_, claims) => signed({ alg: 'HS256' }, { ...claims, sid: claims.sub })],
  ['no expiry', (_, { exp: __, ...claims }) => signed({ alg: 'HS256' }, claims)],
  ['an expiry that is over', (_, claims) => signed({ alg: 'HS256' }, { ...claims, exp: Number(claims.iat) })],
  ['an expiry in words', (_, claims) => signed({ alg: 'HS256' }, { ...claims, exp: '9999999999' })],
  ['a list for a payload', () => signed({ alg: 'HS256' }, [])],
  ['a megabyte of nothing', () => 'a'.repeat(40_000)],
  ['a word', () => 'token'],
]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let browser: Browser
  let genuine = ''
  const clock = createClock()
  beforeAll(async () => {
    service = await startAccounts(database, { settings: { 'app.jwt.tokenSigningKey': key }, clock: clock.now })
    browser = openBrowser(service.url)
    await browser.signIn('staff')
    genuine = browser.jar.get('access_token') ?? ''
  })
  afterAll(() => service.stop())

  const open = (token: string) => [
    browser.get('/api/rest/users', { cookies: {}, headers: { Authorization: `Bearer ${token}` } }),
    browser.get('/api/rest/users', { cookies: { access_token: token } }),
    browser.get('/api/auth/userDetails', { cookies: { access_token: token } }),
  ]
  const statuses = async (token: string) => (await Promise.all(open(token))).map(reply => reply.status)

  test('a genuine token opens by header and by cookie, and says no more than it must', async () => {
    expect(await statuses(genuine)).toEqual([200, 200, 200])
    const claims = decode(genuine.split('.')[1])
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub', 'typ'])
    expect(claims).toMatchObject({ iss: 'plinth', typ: 'access', sub: '00000000-0000-7000-8000-000000000003' })
    expect(Number(claims.exp) - Number(claims.iat)).toBe(600)
    expect(decode(genuine.split('.')[0])).toEqual({
      alg: 'HS256',
      typ: 'JWT',
      kid: expect.stringMatching(/^[\da-f]{12}$/),
    })
  })

  test('the test signs as the service does, so that a forgery fails for its own fault', async () => {
    expect(await statuses(signed({ alg: 'HS256', typ: 'JWT' }, decode(genuine.split('.')[1])))).toEqual([200, 200, 200])
  })

  test.each(forgeries)('%s opens nothing', async (_, forge) => {
    const forged = forge(genuine, decode(genuine.split('.')[1]))
    expect(await statuses(forged)).toEqual([401, 401, 401])
  })

  test('a refresh token is no access token, and an access token no refresh token', async () => {
    expect(await statuses(browser.jar.get('refresh_token') ?? '')).toEqual([401, 401, 401])
    const reply = await browser.post('/api/auth/jwt/refresh', undefined, { cookies: { refresh_token: genuine } })
    expect(reply.status).toBe(401)
  })

  test('other schemes and broken headers open nothing', async () => {
    for (const Authorization of [
      'Bearer',
      'Bearer ',
      'bearer x y',
      'Basic',
      'Basic ***',
      `Basic ${btoa('staff')}`,
      `Basic ${btoa(':staff')}`,
      'Digest username="staff"',
      genuine,
    ])
      expect([
        Authorization,
        (await browser.get('/api/rest/users', { cookies: {}, headers: { Authorization } })).status,
      ]).toEqual([Authorization, 401])
  })

  test('a token is over after its minutes, and a fresh one takes its place', async () => {
    clock.pass(10 * minutes)
    expect(await statuses(genuine)).toEqual([401, 401, 401])
    expect((await browser.post('/api/auth/jwt/refresh')).status).toBe(201)
    expect((await browser.get('/api/rest/users')).status).toBe(200)
  })
})

test('a service without a configured key makes one, keeps it and keeps it to itself', async () => {
  const service = await startAccounts('sqlite')
  const browser = openBrowser(service.url)
  await browser.signIn('admin')
  for (const path of [
    'signingKeys',
    'secrets',
    'sessions',
    'auditEvents',
    'throttleCounters',
    'firstAdministratorTokens',
  ])
    expect([path, (await browser.get(`/api/rest/${path}`)).status]).toEqual([path, 404])
  for (const name of ['token-signing.key', 'sealing.key', 'plinth.db', 'plinth.db-wal', 'plinth.db-shm'])
    expect([name, (await stat(join(service.folder, name))).mode & 0o777]).toEqual([name, 0o600])
  await service.stop()
})
