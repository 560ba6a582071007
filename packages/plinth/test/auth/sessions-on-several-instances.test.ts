// Several instances on one database, and one after the other: sessions are the database's, not the process's.

import { createClock, minutes } from '@plinth/test-kit/clock'
import { type Browser, type BrowserResponse, openBrowser } from '@plinth/test-kit/cookie-client'
import { databases, type TestedDatabase } from '@plinth/test-kit/databases'
import { everyThird, extent, testAll } from '@plinth/test-kit/extent'
import { type KeptDatabase, keepDatabase } from '@plinth/test-kit/kept-database'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'
import { startAccounts } from './accounts-service.ts'

const path = '/api/auth/jwt/refresh'
const password = 'horse staple battery'

const refreshAt = (url: string, token: string): Promise<BrowserResponse> =>
  openBrowser(url).post(path, undefined, { cookies: { refresh_token: token } })

const refreshTokenOf = ({ cookies }: BrowserResponse): string => cookies.get('refresh_token')?.value ?? ''

/** The replies to many concurrent refreshes with one token, spread over the addresses. */
const manyAt = async (urls: readonly string[], token: string): Promise<BrowserResponse[]> =>
  Promise.all(Array.from({ length: extent(20, 50) }, (_, at) => refreshAt(urls[at % urls.length] ?? '', token)))

const mustBeOneStep = (replies: readonly BrowserResponse[]): string => {
  expect(new Set(replies.map(reply => reply.status))).toEqual(new Set([201]))
  const children = new Set(replies.map(refreshTokenOf))
  expect(children.size).toBe(1)
  return [...children][0] ?? ''
}

// PostgreSQL is for several instances. On SQLite they follow one another.
describe.each(extent<readonly TestedDatabase[]>(['postgres'], databases))('on %s', database => {
  const clock = createClock()
  let kept: KeptDatabase
  let here: TestService
  let there: TestService
  const start = () => startAccounts(database, { clock: clock.now, settings: kept.settings })
  beforeAll(async () => {
    kept = await keepDatabase(database, { 'app.modules': '' })
    here = await start()
    there = await start()
  })
  afterAll(async () => {
    await here.stop()
    await there.stop()
    await kept.remove()
  })

  let serial = 0
  const makeUser = async (): Promise<{ pk: string; username: string }> => {
    serial += 1
    const username = `person${serial}`
    const made = await here.as('admin').post('/api/rest/users', { username, password }, { Accept: 'application/json' })
    expect(made).toHaveStatus(201)
    return { pk: made.body.pk, username }
  }

  test('many refreshes on two instances advance the session once', async () => {
    const first = refreshTokenOf(await openBrowser(here.url).signIn('client'))
    const child = mustBeOneStep(await manyAt([here.url, there.url], first))
    mustBeOneStep(await manyAt([there.url, here.url], child))
  })

  test('an old token that is used on the other instance ends the session on both', async () => {
    const owner = openBrowser(here.url)
    const stolen = refreshTokenOf(await owner.signIn('client'))
    expect((await owner.post(path)).status).toBe(201)
    clock.pass(1 * minutes)
    expect((await owner.get('/api/rest/users')).status).toBe(200)
    expect((await refreshAt(there.url, stolen)).status).toBe(401)
    expect((await owner.get('/api/rest/users')).status).toBe(401)
    expect((await owner.post(path)).status).toBe(401)
  })

  test('concurrent refreshes with an old token after the grace period end the session', async () => {
    const first = refreshTokenOf(await openBrowser(here.url).signIn('client'))
    const child = refreshTokenOf(await refreshAt(here.url, first))
    clock.pass(1 * minutes)
    const replies = await manyAt([here.url, there.url], first)
    expect(new Set(replies.map(reply => reply.status))).toEqual(new Set([401]))
    expect((await refreshAt(there.url, child)).status).toBe(401)
  })

  testAll('after a restart many still advance it once, and a stolen token still ends it', async () => {
    const browser = openBrowser(there.url)
    const first = refreshTokenOf(await browser.signIn('client'))
    await there.stop()
    there = await start()
    expect((await openBrowser(there.url, '127.0.0.1', browser.jar).get('/api/rest/users')).status).toBe(200)
    const child = mustBeOneStep(await manyAt([there.url], first))
    await there.stop()
    there = await start()
    expect(refreshTokenOf(await refreshAt(there.url, first))).toBe(child)
    clock.pass(1 * minutes)
    await there.stop()
    there = await start()
    expect((await refreshAt(there.url, first)).status).toBe(401)
    expect((await refreshAt(there.url, child)).status).toBe(401)
  })

  interface Person {
    readonly pk: string
    readonly username: string
    /** The browser, signed in by tokens at the first instance, where the deed is done. */
    readonly browser: Browser
  }
  const admin = (change: object) => async (person: Person) =>
    (await here.as('admin').patch(`/api/rest/userCredentials/${person.pk}`, change)).status
  const own = { password: 'battery horse staple', passwordConfirmation: 'battery horse staple' }

  /** What is done at the first instance → what the other one answers to the session, and to another of the same user. */
  const deeds: readonly [string, (person: Person) => Promise<number>, number, number][] = [
    ['the user is deactivated', admin({ active: false }), 401, 401],
    ['an administrator sets a password', admin({ password: own.password }), 401, 401],
    [
      'the user changes the password',
      async ({ browser }) =>
        (await browser.ask('PUT', '/api/auth/account', { body: { currentPassword: password, ...own } })).status,
      200,
      401,
    ],
    [
      'the user signs out',
      async ({ browser }) => (await browser.ask('DELETE', '/api/auth/userDetails')).status,
      401,
      200,
    ],
    [
      'the user ends the other sessions',
      async ({ browser }) => (await browser.ask('DELETE', '/api/auth/sessions')).status,
      200,
      401,
    ],
    [
      'an administrator signs the user out',
      async ({ pk }) => (await here.as('admin').delete(`/api/rest/users/${pk}/sessions`)).status,
      401,
      401,
    ],
    [
      'the user is deleted',
      async ({ pk }) => (await here.as('admin').delete(`/api/rest/users/${pk}`)).status,
      401,
      401,
    ],
    [
      'the credentials are deleted',
      async ({ pk }) => (await here.as('admin').delete(`/api/rest/userCredentials/${pk}`)).status,
      401,
      401,
    ],
  ]

  test.each(everyThird(deeds))(
    'once %s, the next request on the other instance knows',
    async (_, deed, same, other) => {
      const { pk, username } = await makeUser()
      const [browser, second, sso] = [openBrowser(here.url), openBrowser(here.url), openBrowser(here.url)]
      await browser.signIn(username, password)
      await second.signIn(username, password)
      await sso.post('/api/auth/basic', { username, password })
      const bearer = { cookies: {}, headers: { Authorization: `Bearer ${browser.jar.get('access_token')}` } }
      const ask = async () => [
        (await openBrowser(there.url, '127.0.0.1', new Map(jar)).get('/api/rest/users')).status,
        (await openBrowser(there.url).get('/api/rest/users', bearer)).status,
        (await openBrowser(there.url, '127.0.0.1', second.jar).get('/api/rest/users')).status,
        (await openBrowser(there.url, '127.0.0.1', sso.jar).get('/api/rest/users')).status,
      ]
      const jar = new Map(browser.jar)
      // Twice, so that the other instance has every reason to think that it knows them.
      for (let round = 0; round < 2; round++) expect(await ask()).toEqual([200, 200, 200, 200])
      expect(await deed({ pk, username, browser })).toBeLessThan(300)
      expect(await ask()).toEqual([same, same, other, other])
    },
  )

  test('a role that is given and taken at one instance counts on the next request at the other', async () => {
    const { pk, username } = await makeUser()
    const browser = openBrowser(there.url)
    await browser.signIn(username, password)
    const operator = '00000000-0000-7000-9000-000000000002'
    const change = (roles: string[]) => here.as('admin').patch(`/api/rest/users/${pk}`, { roles })
    const read = async () => (await browser.get('/api/rest/userAgents')).status
    const refused = async () => {
      const query = `principal=${username}&type=AUTHORIZATION_FAILURE`
      return (await here.as('admin').get(`/api/management/auditevents?${query}`)).body.events.length
    }
    expect(await read()).toBe(403)
    const before = await refused()
    await change([operator])
    expect(await read()).toBe(200)
    expect(await refused()).toBe(before)
    await change([])
    expect(await read()).toBe(403)
  })

  test('under a load of requests, none that is sent after the end is let in', async () => {
    const { username } = await makeUser()
    const browser = openBrowser(here.url)
    await browser.signIn(username, password)
    const urls = [here.url, there.url]
    const jar = new Map(browser.jar)
    const ask = (at: number) => openBrowser(urls[at % 2] ?? '', '127.0.0.1', new Map(jar)).get('/api/rest/users')
    let isOver = false
    const count = extent(40, 100)
    const late: number[] = []
    const early: number[] = []
    const asking = Array.from({ length: 16 }, async (_, at) => {
      while (late.length < count) {
        const into = isOver ? late : early
        into.push((await ask(at)).status)
      }
    })
    await until(`${count} answers before the sign-out`, () => early.length >= count)
    expect((await browser.ask('DELETE', '/api/auth/userDetails')).status).toBe(204)
    isOver = true
    await Promise.all(asking)
    expect(early).toContain(200)
    expect(new Set(late)).toEqual(new Set([401]))
  })
})
