// Every row of the interface's table on authentication, on both names of its paths.

import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

const userRecord = [
  'pk',
  'username',
  'lastPassWordChangeDate',
  'emailHash',
  'firstName',
  'lastName',
  'roles',
  'name',
  'avatarUrl',
  'locale',
  'active',
  'metadata',
  'admin',
  'siteAdmin',
  'stompSessionCount',
]

const logins = [
  ['/api/auth/jwt/access', 201, ['access_token', 'refresh_token']],
  ['/api/auth/basic', 201, ['app-sso']],
  ['/api/auth/userDetails', 200, ['access_token', 'refresh_token']],
  ['/apiauth/userDetails', 200, ['access_token', 'refresh_token']],
] as const

const detailPaths = ['/api/auth/userDetails', '/apiauth/userDetails'] as const

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  const visit = (from?: string): Browser => openBrowser(service.url, from)
  beforeAll(async () => {
    service = await startAccounts(database)
  })
  afterAll(() => service.stop())

  describe.each(logins)('POST %s', (path, status, cookies) => {
    test('answers the user record and sets its cookies', async () => {
      const reply = await visit().post(path, { username: 'staff', password: 'staff' })
      expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/json'])
      expect(Object.keys(reply.body)).toEqual(userRecord)
      expect(reply.body).toMatchObject({
        username: 'staff',
        firstName: 'Stella',
        roles: [{ authority: 'ROLE_STAFF' }, { authority: 'ROLE_USER' }],
        active: true,
        admin: false,
        siteAdmin: false,
      })
      expect(reply.body.emailHash).toMatch(/^[0-9a-f]{64}$/)
      expect(reply.body.lastPassWordChangeDate).toMatch(/^\d{4}-\d\d-\d\dT/)
      expect([...reply.cookies.keys()].sort()).toEqual([...cookies].sort())
      expect(reply.headers['cache-control']).toBe('no-store')
    })

    test('takes a verified address in place of the name, and the name in any case', async () => {
      for (const login of [
        { username: 'STAFF' },
        { username: ' staff ' },
        { email: 'staff@plinth.example' },
        { username: 'Staff@Plinth.Example' },
      ]) {
        const reply = await visit().post(path, { ...login, password: 'staff' })
        expect([login, reply.status, reply.body?.username]).toEqual([login, status, 'staff'])
      }
    })

    test('signs in: the cookies alone open what needs a caller', async () => {
      const browser = visit()
      expect((await browser.get('/api/rest/users')).status).toBe(401)
      await browser.post(path, { username: 'operator', password: 'operator' })
      expect((await browser.get('/api/rest/users')).status).toBe(200)
      expect((await browser.get('/api/auth/userDetails')).body.username).toBe('operator')
    })

    test.each([
      ['a wrong password', { username: 'client', password: 'wrong' }],
      ['an unknown name', { username: 'stranger', password: 'wrong' }],
      ['an unknown address', { email: 'stranger@plinth.example', password: 'wrong' }],
    ])('tells %s by 401 without a body or a cookie', async (_, login) => {
      const reply = await visit('127.0.0.9').post(path, login)
      expect([reply.status, reply.text, reply.cookies.size]).toEqual([401, '', 0])
      expect(reply.headers['www-authenticate']).toContain('Bearer')
    })

    test.each([
      ['nothing', {}],
      ['no password', { username: 'staff' }],
      ['no name', { password: 'staff' }],
      ['a number for a name', { username: 1, password: 'staff' }],
      ['a list for a password', { username: 'staff', password: ['staff'] }],
      ['a list', []],
      ['a name that no database could hold', { username: 'a\u0000b', password: 'wrong' }],
    ])('refuses %s by 400', async (_, body) => {
      const reply = await visit().post(path, body)
      expect([reply.status, reply.headers['content-type']]).toEqual([400, 'application/problem+json'])
    })

    test('takes no body of a form, such as a page of a foreign site could send', async () => {
      const body = '{"username":"staff","password":"staff"}'
      const reply = await visit().ask('POST', path, { body, headers: { 'Content-Type': 'text/plain' } })
      expect(reply.status).toBe(415)
    })
  })

  test('a refresh exchanges both tokens and answers the user record', async () => {
    const browser = visit()
    const before = await browser.signIn('client')
    const reply = await browser.post('/api/auth/jwt/refresh')
    expect(reply.status).toBe(201)
    expect(Object.keys(reply.body)).toEqual(userRecord)
    for (const name of ['access_token', 'refresh_token']) {
      expect(reply.cookies.get(name)?.value).toBeTruthy()
      expect(reply.cookies.get(name)?.value).not.toBe(before.cookies.get(name)?.value)
    }
    expect((await browser.get('/api/rest/users')).status).toBe(200)
  })

  test('a refresh takes the token as a Bearer token too, and nothing else for it', async () => {
    const browser = visit()
    const tokens = (await browser.signIn('client')).cookies
    const bearer = (value = '') => ({ cookies: {}, headers: { Authorization: `Bearer ${value}` } })
    const path = '/api/auth/jwt/refresh'
    expect((await browser.post(path, undefined, bearer(tokens.get('refresh_token')?.value))).status).toBe(201)
    expect((await browser.post(path, undefined, bearer(tokens.get('access_token')?.value))).status).toBe(401)
    expect((await browser.post(path, undefined, { cookies: {} })).status).toBe(401)
    expect((await browser.post(path, undefined, { cookies: { refresh_token: 'made.up.token' } })).status).toBe(401)
  })

  describe.each(detailPaths)('%s', path => {
    test('GET returns the signed-in user, for every way to sign in, and 401 without one', async () => {
      expect((await visit().get(path)).status).toBe(401)
      const browser = visit()
      await browser.signIn('simple')
      const reply = await browser.get(path)
      expect([reply.status, Object.keys(reply.body), reply.body.username]).toEqual([200, userRecord, 'simple'])
      const basic = { headers: { Authorization: `Basic ${btoa('simple:simple')}` } }
      expect((await visit().get(path, basic)).body.username).toBe('simple')
      const bearer = { headers: { Authorization: `Bearer ${browser.jar.get('access_token')}` }, cookies: {} }
      expect((await browser.get(path, bearer)).body.username).toBe('simple')
    })

    test('DELETE ends the session, clears every cookie and answers 204', async () => {
      const browser = visit()
      await browser.post(path, { email: 'simple@plinth.example', password: 'simple', rememberMe: true })
      await browser.post('/api/auth/basic', { username: 'simple', password: 'simple' })
      const copy = browser.copy()
      const reply = await browser.ask('DELETE', path)
      expect([reply.status, reply.text]).toEqual([204, ''])
      expect([...reply.cookies.keys()].sort()).toEqual([
        'access_token',
        'app-sso',
        'known-device',
        'mfa_pending',
        'oauth_pending',
        'refresh_token',
        'remember-me',
      ])
      for (const { value, attributes } of reply.cookies.values())
        expect([value, attributes.get('max-age')]).toEqual(['', '0'])
      for (const [name, value] of copy.jar) {
        const cookies = { [name]: value }
        expect([name, (await copy.get('/api/rest/users', { cookies })).status]).toEqual([name, 401])
        expect([name, (await copy.get(path, { cookies })).status]).toEqual([name, 401])
        expect((await copy.post('/api/auth/jwt/refresh', undefined, { cookies })).status).toBe(401)
      }
      expect((await visit().ask('DELETE', path)).status).toBe(401)
    })

    test('DELETE also works when only the refresh token is left', async () => {
      const browser = visit()
      await browser.signIn('simple')
      const cookies = { refresh_token: browser.jar.get('refresh_token') ?? '' }
      expect((await browser.ask('DELETE', path, { cookies })).status).toBe(204)
      expect((await browser.post('/api/auth/jwt/refresh', undefined, { cookies })).status).toBe(401)
    })

    test('verification takes the own password and no other', async () => {
      const browser = visit()
      const address = `${path}/verification`
      expect((await browser.post(address, { password: 'simple' })).status).toBe(401)
      await browser.signIn('simple')
      const right = await browser.post(address, { password: 'simple' })
      expect([right.status, Object.keys(right.body)]).toEqual([200, userRecord])
      for (const own of [{ username: 'simple' }, { email: 'simple@plinth.example' }])
        expect((await browser.post(address, { password: 'simple', ...own })).status).toBe(200)
      for (const body of [
        { password: 'wrong' },
        { password: 'staff', username: 'staff' },
        { password: 'simple', email: 'staff@plinth.example' },
      ])
        expect([body, (await browser.post(address, body)).status]).toEqual([body, 401])
      expect((await browser.post(address, {})).status).toBe(400)
    })

    test('remembers a device that asks for it, and signs it in again', async () => {
      const browser = visit()
      const reply = await browser.post(path, { username: 'simple', password: 'simple', rememberMe: true })
      const remembered = reply.cookies.get('remember-me')?.value ?? ''
      expect(remembered).not.toBe('')
      const later = await visit().get(path, { cookies: { 'remember-me': remembered } })
      expect([later.status, later.body.username]).toEqual([200, 'simple'])
      expect([...later.cookies.keys()].sort()).toEqual(['access_token', 'refresh_token'])
      const cookies = { access_token: later.cookies.get('access_token')?.value ?? '' }
      expect((await visit().get('/api/rest/users', { cookies })).status).toBe(200)
      const forged = `${remembered.slice(0, -1)}${remembered.endsWith('A') ? 'B' : 'A'}`
      expect((await visit().get(path, { cookies: { 'remember-me': forged } })).status).toBe(401)
      // It is good here and nowhere else.
      expect((await visit().get('/api/rest/users', { cookies: { 'remember-me': remembered } })).status).toBe(401)
    })
  })

  test('the user record is sent as XML to callers who prefer it', async () => {
    const reply = await visit().post(
      '/api/auth/jwt/access',
      { username: 'simple', password: 'simple' },
      { headers: { Accept: 'application/xml' } },
    )
    expect([reply.status, reply.headers['content-type']]).toEqual([201, 'application/xml'])
    expect(reply.text).toContain('<username>simple</username>')
  })

  test('credentials that are no longer valid do not prevent a sign-in', async () => {
    const browser = visit()
    await browser.signIn('simple')
    await browser.copy().ask('DELETE', '/api/auth/userDetails')
    expect((await browser.get('/api/rest/countries')).status).toBe(401)
    expect((await browser.signIn('simple')).status).toBe(201)
    expect((await browser.get('/api/rest/countries')).status).toBe(200)
  })
})

describe('POST /api/auth/basic', () => {
  test.each([
    [{ 'app.auth.basic.enabled': 'false' }, 404],
    [{ 'app.auth.basic.enabled': 'true' }, 201],
  ])('with %o answers %i', async (settings, status) => {
    const service = await startAccounts('sqlite', { settings })
    const reply = await openBrowser(service.url).post('/api/auth/basic', { username: 'admin', password: 'admin' })
    await service.stop()
    expect(reply.status).toBe(status)
  })
})
