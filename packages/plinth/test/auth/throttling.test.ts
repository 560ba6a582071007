// Guessing is stopped; owners are not.

import { createClock, minutes } from '@plinth/test-kit/clock'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, extent } from '@plinth/test-kit/extent'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

const paths = ['/api/auth/jwt/access', '/api/auth/basic', '/api/auth/userDetails', '/apiauth/userDetails'] as const

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  const clock = createClock()
  beforeAll(async () => {
    service = await startAccounts(database, {
      clock: clock.now,
      settings: { 'app.auth.throttle.perAccount': '10', 'app.auth.throttle.perAddress': '30' },
    })
  })
  afterAll(() => service.stop())
  const guess = (from: string, username: string, path: string = paths[0]) =>
    openBrowser(service.url, from).post(path, { username, password: 'wrong guess' })

  test('of many wrong passwords at once ten are tried, and the owner still signs in from elsewhere', async () => {
    const many = extent(200, 1000)
    const replies = await Promise.all(
      Array.from({ length: many }, (_, at) => guess('127.0.1.1', 'client', paths[at % paths.length])),
    )
    const count = (status: number) => replies.filter(reply => reply.status === status).length
    expect([count(401), count(429)]).toEqual([10, many - 10])
    expect((await openBrowser(service.url, '127.0.1.2').signIn('client')).status).toBe(201)
    // The right password does not help a caller who has been guessing.
    expect((await openBrowser(service.url, '127.0.1.1').signIn('client')).status).toBe(429)
    const credentials = await service
      .as('admin')
      .get('/api/rest/userCredentials/00000000-0000-7000-8000-000000000004', { Accept: 'application/json' })
    expect(credentials.body.loginAttempts).toBe(0)
    expect((await openBrowser(service.url, '127.0.1.1').signIn('simple')).status).toBe(201)
  }, 120_000)

  test('a refusal says when to come back, and then lets in', async () => {
    const refused = await guess('127.0.1.1', 'client')
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(15 * 60)
    expect(refused.headers['ratelimit-limit']).toBe('10')
    expect(refused.headers['ratelimit-remaining']).toBe('0')
    expect(refused.headers['ratelimit-reset']).toBe(refused.headers['retry-after'])
    clock.pass(15 * minutes)
    expect((await openBrowser(service.url, '127.0.1.1').signIn('client')).status).toBe(201)
  })

  test('a clock that is set back locks an account for no longer than the window', async () => {
    const from = '127.0.12.1'
    for (let at = 0; at < 10; at++) expect((await guess(from, 'staff')).status).toBe(401)
    clock.pass(-120 * minutes)
    for (let at = 0; at < 2; at++) {
      const refused = await guess(from, 'staff')
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(15 * 60)
    }
    clock.pass(15 * minutes)
    expect((await openBrowser(service.url, from).signIn('staff')).status).toBe(201)
  })

  test('every way in counts together: logins, Basic headers and verification', async () => {
    const from = '127.0.2.1'
    const signedIn = openBrowser(service.url, from)
    await signedIn.signIn('staff')
    const basic = { headers: { Authorization: `Basic ${btoa('staff:wrong guess')}` } }
    const attempts = [
      ...paths.map(path => () => guess(from, 'staff', path)),
      () => guess(from, 'staff@plinth.example'),
      () => guess(from, 'STAFF'),
      () => openBrowser(service.url, from).get('/api/rest/users', basic),
      () => openBrowser(service.url, from).post('/api/auth/jwt/refresh', undefined, basic),
      () => signedIn.post('/api/auth/userDetails/verification', { password: 'wrong guess' }),
      () => signedIn.post('/apiauth/userDetails/verification', { password: 'wrong guess' }),
    ]
    for (const attempt of attempts) expect((await attempt()).status).toBe(401)
    for (const attempt of attempts) expect((await attempt()).status).toBe(429)
  })

  test('a success wipes the slate of its address', async () => {
    const from = '127.0.3.1'
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 9; at++) expect((await guess(from, 'operator')).status).toBe(401)
      expect((await openBrowser(service.url, from).signIn('operator')).status).toBe(201)
    }
  })

  test('a right password is none the less right when what it was asked for fails', async () => {
    clock.pass(15 * minutes)
    const browser = openBrowser(service.url, '127.0.9.1')
    await browser.signIn('operator')
    for (let at = 0; at < 12; at++) {
      const body = { username: 'client', password: 'operator' }
      expect((await browser.ask('PUT', '/api/auth/account/username', { body })).status).toBe(409)
    }
    expect((await openBrowser(service.url, '127.0.9.1').signIn('operator')).status).toBe(201)
  })

  test('an account that many addresses guess at gives each newcomer a few tries', async () => {
    for (let at = 0; at < 10; at++) expect((await guess(`127.0.4.${at + 1}`, 'simple')).status).toBe(401)
    const newcomer = '127.0.4.100'
    for (let at = 0; at < 3; at++) expect((await guess(newcomer, 'simple')).status).toBe(401)
    expect((await guess(newcomer, 'simple')).status).toBe(429)
    expect((await openBrowser(service.url, '127.0.4.101').signIn('simple')).status).toBe(201)
  })

  test('an address that guesses many names, even unknown ones, is blocked as a whole', async () => {
    const from = '127.0.5.1'
    for (let at = 0; at < 30; at++) expect((await guess(from, `nobody${at}`)).status).toBe(401)
    expect((await guess(from, 'nobody99')).status).toBe(429)
    expect((await openBrowser(service.url, from).signIn('admin')).status).toBe(429)
    expect((await openBrowser(service.url, '127.0.5.2').signIn('admin')).status).toBe(201)
  })

  test('an unknown name is throttled like a known one', async () => {
    const statusesOf = async (from: string, username: string) => {
      const statuses: number[] = []
      for (let at = 0; at < 12; at++) statuses.push((await guess(from, username)).status)
      return statuses
    }
    clock.pass(15 * minutes)
    expect(await statusesOf('127.0.6.1', 'nobody-at-all')).toEqual(await statusesOf('127.0.6.2', 'staff'))
  })

  test.each(
    everyThird([
      ['a blank behind it', 'staff ', 'ghost '],
      ['capital letters', 'STAFF', 'GHOST'],
      ['letters of full width', 'ｓｔａｆｆ', 'ｇｈｏｓｔ'],
      ['a blank before the address', ' staff@plinth.example', ' ghost@plinth.example'],
      ['capital letters in the address', 'Staff@Plinth.Example', 'Ghost@Plinth.Example'],
      ['letters of full width in the address', 'ｓｔａｆｆ@plinth.example', 'ｇｈｏｓｔ@plinth.example'],
      ['a NUL', 'staff\0', 'ghost\0'],
    ]),
  )('guesses at another spelling of a name, %s, do not reveal whether it exists', async (_, known, unknown) => {
    const lastOf = async (from: string, spelling: string) => {
      clock.pass(15 * minutes)
      const plain = spelling.normalize('NFKC').replace('\0', '').trim().toLowerCase()
      for (let at = 0; at < 10; at++) expect((await guess(from, plain)).status).toBe(401)
      return (await guess(from, spelling)).status
    }
    expect(await lastOf('127.0.10.1', known)).toBe(await lastOf('127.0.10.2', unknown))
  })

  test('a header that claims another address changes nothing', async () => {
    const from = '127.0.7.1'
    const ask = (at: number) =>
      openBrowser(service.url, from).post(
        paths[0],
        { username: 'operator', password: 'wrong guess' },
        { headers: { 'X-Forwarded-For': `10.0.0.${at}`, Forwarded: `for=10.0.0.${at}`, 'X-Real-IP': `10.0.0.${at}` } },
      )
    const statuses: number[] = []
    for (let at = 0; at < 12; at++) statuses.push((await ask(at)).status)
    expect(statuses.slice(10)).toEqual([429, 429])
  })

  test('behind a proxy that is trusted each caller is counted apart', async () => {
    const proxy = '127.0.11.1'
    const behind = await startAccounts(database, { settings: { 'server.trustedProxies': proxy } })
    try {
      const from = (caller: string) => ({ headers: { 'X-Forwarded-For': caller } })
      const signIn = (caller: string, password: string) =>
        openBrowser(behind.url, proxy).post(paths[0], { username: 'client', password }, from(caller))
      for (let at = 0; at < 10; at++) expect((await signIn('192.0.2.1', 'wrong guess')).status).toBe(401)
      expect((await signIn('192.0.2.1', 'client')).status).toBe(429)
      expect((await signIn('192.0.2.2', 'client')).status).toBe(201)
    } finally {
      await behind.stop()
    }
  })

  test('many right passwords at once all pass', async () => {
    const replies = await Promise.all(
      Array.from({ length: extent(20, 50) }, () => openBrowser(service.url, '127.0.8.1').signIn('admin')),
    )
    expect(new Set(replies.map(reply => reply.status))).toEqual(new Set([201]))
  })
})
