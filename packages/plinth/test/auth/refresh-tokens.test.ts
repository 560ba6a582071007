// Refresh tokens: each is good once, for one of many at a time, and a stolen one ends the session.

import { createClock, days, minutes, seconds } from '@plinth/test-kit/clock'
import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

const path = '/api/auth/jwt/refresh'
const tokenOf = (browser: Browser) => ({ refresh_token: browser.jar.get('refresh_token') ?? '' })

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  const clock = createClock()
  const signedIn = async (): Promise<Browser> => {
    const browser = openBrowser(service.url)
    await browser.signIn('client')
    return browser
  }
  beforeAll(async () => {
    service = await startAccounts(database, { clock: clock.now })
  })
  afterAll(() => service.stop())

  test('many at once advance the session once: all get the same pair', async () => {
    const browser = await signedIn()
    const replies = await Promise.all(
      Array.from({ length: extent(20, 50) }, () => browser.copy().post(path, undefined, { cookies: tokenOf(browser) })),
    )
    expect(new Set(replies.map(reply => reply.status))).toEqual(new Set([201]))
    for (const name of ['access_token', 'refresh_token'])
      expect(new Set(replies.map(reply => reply.cookies.get(name)?.value)).size).toBe(1)
    const [child] = replies
    const cookies = { refresh_token: child?.cookies.get('refresh_token')?.value ?? '' }
    expect((await browser.post(path, undefined, { cookies })).status).toBe(201)
  })

  test('used again within the grace, a token gives the child that it gave before', async () => {
    const browser = await signedIn()
    const cookies = tokenOf(browser)
    const first = await browser.post(path, undefined, { cookies })
    clock.pass(20 * seconds)
    const second = await browser.post(path, undefined, { cookies })
    expect(second.status).toBe(201)
    expect(second.cookies.get('refresh_token')?.value).toBe(first.cookies.get('refresh_token')?.value)
  })

  test('used again later, it ends the session for the thief and for the owner', async () => {
    const thief = await signedIn()
    const owner = thief.copy()
    const stolen = tokenOf(thief)
    expect((await owner.post(path)).status).toBe(201)
    clock.pass(21 * seconds)
    expect((await owner.get('/api/rest/users')).status).toBe(200)
    expect((await thief.post(path, undefined, { cookies: stolen })).status).toBe(401)
    expect((await owner.get('/api/rest/users')).status).toBe(401)
    expect((await owner.post(path)).status).toBe(401)
    expect((await owner.signIn('client')).status).toBe(201)
  })

  test('a token from before the last but one ends the session even at once', async () => {
    const browser = await signedIn()
    const oldest = tokenOf(browser)
    await browser.post(path)
    await browser.post(path)
    expect((await browser.copy().post(path, undefined, { cookies: oldest })).status).toBe(401)
    expect((await browser.get('/api/rest/users')).status).toBe(401)
  })

  test('a token of one session does nothing to another', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    const stolen = tokenOf(one)
    await one.post(path)
    clock.pass(1 * minutes)
    expect((await one.post(path, undefined, { cookies: stolen })).status).toBe(401)
    expect((await other.post(path)).status).toBe(201)
  })

  test('a session that is not used for its idle time is over', async () => {
    const browser = await signedIn()
    clock.pass(6 * days)
    expect((await browser.post(path)).status).toBe(201)
    clock.pass(7 * days)
    expect((await browser.post(path)).status).toBe(401)
  })

  test('a session is over after its whole time, however much it is used', async () => {
    const browser = await signedIn()
    for (let day = 5; day < 30; day += 5) {
      clock.pass(5 * days)
      expect((await browser.post(path)).status).toBe(201)
    }
    clock.pass(5 * days)
    expect((await browser.post(path)).status).toBe(401)
  })

  test('a remembered device comes back after its session is over, for as long as it is remembered', async () => {
    const browser = openBrowser(service.url)
    await browser.post('/api/auth/userDetails', { username: 'client', password: 'client', rememberMe: true })
    const cookies = { 'remember-me': browser.jar.get('remember-me') ?? '' }
    clock.pass(29 * days)
    const back = await browser.get('/api/auth/userDetails', { cookies })
    expect([back.status, back.body?.username]).toEqual([200, 'client'])
    expect((await browser.get('/api/rest/users')).status).toBe(200)
    expect((await browser.post(path)).status).toBe(201)
    clock.pass(1 * days)
    expect((await browser.get('/api/auth/userDetails', { cookies })).status).toBe(401)
  })

  test('a remembered device does not outlive the longest time of a session', async () => {
    const strict = await startAccounts(database, {
      clock: clock.now,
      settings: { 'app.auth.session.maxMinutes': '2880', 'app.auth.session.idleMinutes': '60' },
    })
    onTestFinished(strict.stop)
    const browser = openBrowser(strict.url)
    const login = { username: 'client', password: 'client', rememberMe: true }
    const signedIn = await browser.post('/api/auth/userDetails', login)
    expect(signedIn.cookies.get('remember-me')?.attributes.get('max-age')).toBe(`${2 * 24 * 3600}`)
    const cookies = { 'remember-me': browser.jar.get('remember-me') ?? '' }
    clock.pass(2 * days - 30 * minutes)
    const back = await browser.get('/api/auth/userDetails', { cookies })
    expect([back.status, back.cookies.get('refresh_token')?.attributes.get('max-age')]).toEqual([200, `${30 * 60}`])
    expect((await browser.get('/api/auth/sessions')).body).toHaveLength(1)
    clock.pass(30 * minutes)
    expect((await browser.get('/api/auth/userDetails', { cookies })).status).toBe(401)
    expect((await browser.post(path)).status).toBe(401)
    await browser.post('/api/auth/jwt/access', login)
    expect((await browser.get('/api/auth/sessions')).body).toHaveLength(1)
  })

  test('what opened by Basic in a cookie is idle and over like the rest', async () => {
    const browser = openBrowser(service.url)
    await browser.post('/api/auth/basic', { username: 'client', password: 'client' })
    clock.pass(6 * days)
    expect((await browser.get('/api/rest/users')).status).toBe(200)
    clock.pass(6 * days)
    expect((await browser.get('/api/rest/users')).status).toBe(200)
    clock.pass(7 * days)
    expect((await browser.get('/api/rest/users')).status).toBe(401)
  })
})
