// What cookies look like, and which requests may rest on them.

import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { type KeptDatabase, keepDatabase } from '@plinth/test-kit/kept-database'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

const withSettings = async <T>(
  settings: Record<string, string>,
  work: (browser: Browser) => Promise<T>,
): Promise<T> => {
  const service = await startAccounts('sqlite', { settings })
  try {
    return await work(openBrowser(service.url))
  } finally {
    await service.stop()
  }
}

const login = { username: 'client', password: 'client', rememberMe: true }
const ownPassword = 'seven-brown-kettles'
const everyCookie = async (
  browser: Browser,
  headers: Record<string, string> = {},
  { password }: Pick<typeof login, 'password'> = login,
) => {
  const byTokens = await browser.post('/api/auth/userDetails', { ...login, password }, { headers })
  const bySso = await browser.post('/api/auth/basic', { ...login, password }, { headers })
  return new Map([...byTokens.cookies, ...bySso.cookies])
}

const attributesOf = (cookies: Awaited<ReturnType<typeof everyCookie>>) =>
  Object.fromEntries([...cookies].map(([name, { attributes }]) => [name, Object.fromEntries(attributes)]))

describe('cookies', () => {
  let cookies: Awaited<ReturnType<typeof everyCookie>>
  // Demo mode only accepts loopback hosts, so the service starts without it, on the demo data.
  let kept: KeptDatabase
  beforeAll(async () => {
    cookies = await withSettings({}, browser => everyCookie(browser))
    kept = await keepDatabase('sqlite', { 'app.modules': '' })
    // Without demo mode, demo passwords are refused.
    const service = await startAccounts('sqlite', { settings: kept.settings })
    const words = { password: ownPassword, passwordConfirmation: ownPassword }
    const changed = await service.as('client').put('/api/auth/account', { currentPassword: 'client', ...words })
    expect(changed.status).toBe(200)
    await service.stop()
  })

  test('are kept from scripts and from foreign pages, and last as long as what they hold', () => {
    const common = { domain: '127.0.0.1', path: '/', samesite: 'Lax', httponly: '' }
    expect(attributesOf(cookies)).toEqual({
      access_token: { ...common, 'max-age': '600' },
      refresh_token: { ...common, 'max-age': '604800' },
      'remember-me': { ...common, 'max-age': '2592000' },
      'known-device': { ...common, 'max-age': '7776000' },
      'app-sso': { ...common, 'max-age': '604800' },
    })
  })

  test('hold nothing that tells of the password', () => {
    for (const { value } of cookies.values()) {
      const texts = [value, ...value.split('.').map(part => Buffer.from(part, 'base64').toString('latin1'))]
      for (const text of texts) expect(text).not.toContain('client')
    }
  })

  /** Tests with the same settings, which follow one another, share a service. */
  let running: { readonly settings: string; readonly service: TestService } | undefined
  const browserWith = async (settings: Record<string, string>): Promise<Browser> => {
    const asText = JSON.stringify(settings)
    if (running?.settings !== asText) {
      await running?.service.stop()
      running = undefined
      const withoutDemo = { ...kept.settings, 'app.demo': 'false', 'app.auth.basic.enabled': 'true', ...settings }
      running = { settings: asText, service: await startAccounts('sqlite', { settings: withoutDemo }) }
    }
    return openBrowser(running.service.url)
  }
  afterAll(async () => {
    await running?.service.stop()
    await kept.remove()
  })

  test.each<[Record<string, string>, string, Record<string, string | undefined>]>(
    everyThird([
      [{}, 'plinth.example:8080', { domain: 'plinth.example' }],
      [{}, 'Www.Plinth.Example', { domain: 'www.plinth.example' }],
      [{}, 'localhost:8080', { domain: undefined }],
      [{}, '127.0.0.1:8080', { domain: '127.0.0.1' }],
      [{}, '[::1]:8080', { domain: undefined }],
      [{ 'app.baseUrl': 'https://192.0.2.7' }, 'x', { domain: '192.0.2.7' }],
      [{ 'app.cookies.domain': 'example.com' }, 'api.example.com', { domain: 'example.com' }],
      [{ 'app.baseUrl': 'https://plinth.example' }, 'x', { domain: 'plinth.example', secure: '' }],
      [{ 'app.baseUrl': 'http://plinth.example' }, 'x', { domain: 'plinth.example', secure: undefined }],
      [{ 'app.baseUrl': 'https://plinth.example', 'app.cookies.secure': 'false' }, 'x', { secure: undefined }],
      [{ 'app.cookies.secure': 'true' }, 'plinth.example', { secure: '' }],
      [{ 'app.cookies.httpOnly': 'false' }, 'plinth.example', { httponly: undefined }],
    ]),
  )('with %o, asked for at %s, have %o', async (settings, Host, expected) => {
    const cookies = await everyCookie(await browserWith(settings), { Host }, { password: ownPassword })
    expect(cookies.size).toBe(5)
    for (const attributes of Object.values(attributesOf(cookies)))
      for (const [name, value] of Object.entries(expected)) expect([name, attributes[name]]).toEqual([name, value])
  })
})

describe('the start', () => {
  test.each<[Record<string, string>, string]>(
    everyThird([
      [{ 'app.jwt.accessTokenMinutes': '60', 'app.jwt.refreshTokenMinutes': '60' }, 'app.jwt.refreshTokenMinutes'],
      [{ 'app.jwt.accessTokenMinutes': '60', 'app.jwt.refreshTokenMinutes': '30' }, 'app.jwt.refreshTokenMinutes'],
      [{ 'app.jwt.tokenSigningKey': 'short' }, 'app.jwt.tokenSigningKey'],
      [{ 'app.jwt.tokenSigningKey': 'a'.repeat(64) }, 'app.jwt.tokenSigningKey'],
      [{ 'app.jwt.tokenSigningKey': 'your-256-bit-secret-your-256-bit-secret' }, 'app.jwt.tokenSigningKey'],
    ]),
  )('is refused with %o, and the fault is named without the secret', async (settings, name) => {
    const failure = await startAccounts('sqlite', { settings }).catch(error => error)
    expect(failure.message).toContain(name)
    if ('app.jwt.tokenSigningKey' in settings)
      expect(failure.message).not.toContain(settings['app.jwt.tokenSigningKey'])
  })
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  const visit = () => openBrowser(service.url)
  beforeAll(async () => {
    service = await startAccounts(database, { settings: { 'app.cors.allowedOrigins': 'https://friend.example' } })
  })
  afterAll(() => service.stop())

  test('a session begins with values of its own, whatever cookies were there before', async () => {
    const planted = {
      access_token: 'planted',
      refresh_token: 'planted',
      'app-sso': 'planted',
      'remember-me': 'planted',
    }
    const reply = await visit().post('/api/auth/userDetails', login, { cookies: planted })
    expect(reply.status).toBe(200)
    expect([...reply.cookies.values()].map(({ value }) => value)).not.toContain('planted')
    const victim = visit()
    const attacker = visit()
    await attacker.signIn('simple')
    await victim.post('/api/auth/jwt/access', login, { cookies: Object.fromEntries(attacker.jar) })
    expect((await victim.get('/api/auth/userDetails')).body.username).toBe('client')
    // The session that was planted ended with the sign-in.
    expect((await attacker.get('/api/rest/users')).status).toBe(401)
  })

  const own = () => new URL(service.url).origin
  /** What the browser tells of the page that asks → may a request that rests on cookies change something? */
  const pages: readonly [string, () => Record<string, string>, boolean][] = [
    ['no browser', () => ({}), true],
    ['an own page', () => ({ 'Sec-Fetch-Site': 'same-origin', Origin: own() }), true],
    ['an own page of a browser without Origin', () => ({ 'Sec-Fetch-Site': 'same-origin' }), true],
    ['an own page of an old browser', () => ({ Origin: own() }), true],
    ['an own page behind a proxy that ends TLS', () => ({ Origin: own().replace('http:', 'https:') }), true],
    ['the person at the browser', () => ({ 'Sec-Fetch-Site': 'none' }), true],
    ['a page that CORS allows', () => ({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://friend.example' }), true],
    ['a page that CORS allows, in an old browser', () => ({ Origin: 'https://friend.example' }), true],
    ['a foreign page', () => ({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }), false],
    ['a foreign page in an old browser', () => ({ Origin: 'https://evil.example' }), false],
    ['a foreign page without Origin', () => ({ 'Sec-Fetch-Site': 'cross-site' }), false],
    ['a page of a sister site', () => ({ 'Sec-Fetch-Site': 'same-site', Origin: 'https://sister.localhost' }), false],
    ['a page of a sister site without Origin', () => ({ 'Sec-Fetch-Site': 'same-site' }), false],
    ['a page that hides its origin', () => ({ Origin: 'null' }), false],
    ['a page that hides its origin, cross-site', () => ({ 'Sec-Fetch-Site': 'cross-site', Origin: 'null' }), false],
    ['another port of this host, in demo mode', () => ({ Origin: own().replace(/:\d+$/, ':1') }), true],
    ['another port of a host', () => ({ Origin: 'https://friend.example:8443' }), false],
    ['a name that begins like a friend', () => ({ Origin: 'https://friend.example.evil.example' }), false],
    ['a contradiction', () => ({ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' }), false],
    ['an origin that is none', () => ({ Origin: 'evil' }), false],
  ]

  describe.each(everyThird(pages))('%s', (_, headersOf, passes) => {
    test(passes ? 'may change things with cookies' : 'may not change things with cookies', async () => {
      const headers = headersOf()
      for (const sign of ['/api/auth/jwt/access', '/api/auth/basic']) {
        const browser = visit()
        await browser.post(sign, login)
        const patched = await browser.ask('PATCH', '/api/rest/users/00000000-0000-7000-8000-000000000004', {
          body: { description: `by ${sign} ${Math.random()}` },
          headers,
        })
        expect(patched.status).toBe(passes ? 200 : 403)
        // Reading is no change, and CORS decides who may see the answer.
        expect((await browser.get('/api/rest/users', { headers })).status).toBe(200)
      }
      const browser = visit()
      const entered = await browser.post('/api/auth/userDetails', login, { headers })
      expect([entered.status, entered.cookies.size]).toEqual(passes ? [200, 4] : [403, 0])
      await browser.signIn('client')
      expect((await browser.copy().post('/api/auth/jwt/refresh', undefined, { headers })).status).toBe(
        passes ? 201 : 403,
      )
      expect((await browser.copy().ask('DELETE', '/api/auth/userDetails', { headers })).status).toBe(passes ? 204 : 403)
    })

    test('changes things with a header of its own credentials', async () => {
      const patched = await visit().ask('PATCH', '/api/rest/users/00000000-0000-7000-8000-000000000004', {
        body: { description: `${Math.random()}` },
        headers: { ...headersOf(), Authorization: `Basic ${btoa('client:client')}` },
      })
      expect(patched.status).toBe(200)
    })
  })
})
