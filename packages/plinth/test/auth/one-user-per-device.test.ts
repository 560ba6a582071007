// A device has one user: a new sign-in replaces the previous user.

import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startAccounts(database)
  })
  afterAll(() => service.stop())

  const signIn = (browser: Browser, path: string, username: string, rememberMe = false) =>
    browser.post(path, { username, password: username, rememberMe })
  /** Returns the browser as it is when the access token has expired and the browser has dropped it. */
  const later = (browser: Browser): Browser => {
    const copy = browser.copy()
    copy.jar.delete('access_token')
    return copy
  }
  const whoIsThere = async (browser: Browser) => (await browser.get('/api/auth/userDetails')).body?.username ?? null

  test.each([
    ['remembered, then tokens', '/api/auth/userDetails', '/api/auth/jwt/access'],
    ['remembered, then remembered', '/api/auth/userDetails', '/api/auth/userDetails'],
    ['tokens, then Basic', '/api/auth/jwt/access', '/api/auth/basic'],
    ['remembered, then Basic', '/api/auth/userDetails', '/api/auth/basic'],
    ['Basic, then tokens', '/api/auth/basic', '/api/auth/jwt/access'],
    ['Basic, then Basic', '/api/auth/basic', '/api/auth/basic'],
  ])('%s: the first user is gone from it for good', async (_, first, second) => {
    for (const isExpired of [false, true]) {
      const browser = openBrowser(service.url)
      await signIn(browser, first, 'client', true)
      const former = browser.copy()
      if (isExpired) browser.jar.delete('access_token')
      await signIn(browser, second, 'staff')
      expect(await whoIsThere(browser)).toBe('staff')
      expect(await whoIsThere(later(browser))).toBe(second === '/api/auth/basic' ? 'staff' : null)
      // A kept copy of the cookies gives no access either.
      expect(await whoIsThere(former)).toBeNull()
      expect(await whoIsThere(later(former))).toBeNull()
      expect((await former.post('/api/auth/jwt/refresh')).status).toBe(401)
    }
    const { body } = await service.as('admin').get('/api/management/auditevents?type=SESSION_ENDED&principal=client')
    const last = (body.events as { data: Record<string, string> }[]).slice(-2)
    expect(last.map(({ data }) => data.path)).toEqual([second, second])
  })

  test('the same user may be there by tokens and by the login cookie at once', async () => {
    const browser = openBrowser(service.url)
    await signIn(browser, '/api/auth/userDetails', 'client', true)
    await signIn(browser, '/api/auth/basic', 'client')
    expect([...browser.jar.keys()].sort()).toEqual([
      ...['access_token', 'app-sso', 'known-device', 'refresh_token', 'remember-me'],
    ])
    for (const name of ['access_token', 'app-sso', 'remember-me']) {
      const cookies = { [name]: browser.jar.get(name) ?? '' }
      expect((await openBrowser(service.url).get('/api/auth/userDetails', { cookies })).status).toBe(200)
    }
  })

  test('signing in again without being remembered forgets the device', async () => {
    const browser = openBrowser(service.url)
    await signIn(browser, '/api/auth/userDetails', 'simple', true)
    const remembered = { 'remember-me': browser.jar.get('remember-me') ?? '' }
    await signIn(browser, '/api/auth/userDetails', 'simple')
    expect(browser.jar.has('remember-me')).toBe(false)
    const reply = await openBrowser(service.url).get('/api/auth/userDetails', { cookies: remembered })
    expect(reply.status).toBe(401)
  })

  test('to sign out may be the first thing that a service is asked for after a restart', async () => {
    const kept = await keepDatabase(database, { 'app.modules': '' })
    onTestFinished(() => kept.remove())
    const first = await startAccounts(database, { settings: kept.settings })
    const browser = openBrowser(first.url)
    await signIn(browser, '/api/auth/userDetails', 'client', true)
    await first.stop()
    const second = await startAccounts(database, { settings: kept.settings })
    onTestFinished(() => second.stop())
    const again = later(openBrowser(second.url, '127.0.0.1', browser.jar))
    const cookies = { refresh_token: again.jar.get('refresh_token') ?? '' }
    expect((await again.ask('DELETE', '/api/auth/userDetails', { cookies })).status).toBe(204)
    expect(await whoIsThere(again)).toBeNull()
  })

  test('a name that is changed with a Basic header is the name of the session that begins with it', async () => {
    const admin = service.as('admin')
    const password = 'horse staple battery'
    await admin.post('/api/rest/users', { username: 'caterpillar', password }, { Accept: 'application/json' })
    const browser = openBrowser(service.url)
    const headers = { Authorization: `Basic ${btoa(`caterpillar:${password}`)}` }
    const body = { username: 'butterfly', password }
    expect((await browser.ask('PUT', '/api/auth/account/username', { body, headers })).status).toBe(200)
    expect((await browser.post('/api/auth/userDetails/verification', { password })).status).toBe(200)
  })

  test('a name that is changed in a session of the login cookie leaves no other cookie behind', async () => {
    const username = `chrysalis-${database}`
    const password = 'horse staple battery'
    await service.as('admin').post('/api/rest/users', { username, password }, { Accept: 'application/json' })
    const browser = openBrowser(service.url)
    await browser.post('/api/auth/basic', { username, password })
    const body = { username: `${username}-new`, password }
    const renamed = await browser.ask('PUT', '/api/auth/account/username', { body })
    expect([renamed.status, [...renamed.cookies.keys()]]).toEqual([200, ['app-sso']])
    expect(await whoIsThere(browser)).toBe(body.username)
    await signIn(browser, '/api/auth/basic', 'staff')
    expect([...browser.jar.keys()]).toEqual(['app-sso'])
    expect(await whoIsThere(browser)).toBe('staff')
  })

  test('a stranger whose cookies name other sessions does not sign them out', async () => {
    const victim = openBrowser(service.url)
    await signIn(victim, '/api/auth/userDetails', 'client', true)
    const [sid] = (victim.jar.get('remember-me') ?? '').split('.')
    const cookies = { 'remember-me': `${sid}.${'A'.repeat(43)}`, 'app-sso': `${sid}.${'A'.repeat(43)}` }
    const body = { username: 'simple', password: 'simple' }
    expect((await openBrowser(service.url).post('/api/auth/jwt/access', body, { cookies })).status).toBe(201)
    expect(await whoIsThere(victim)).toBe('client')
  })
})
