// Acts that need a recent sign-in: every one is refused to a session that was left open, with one problem, and goes on after the user
// has been verified again. What a password or a code verifies, and what an API key cannot.

import { enrol } from '@plinth/test-kit/authenticator'
import { days, minutes } from '@plinth/test-kit/clock'
import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { describe, expect, test } from 'vitest'
import { keysPath, openKeys, pks } from './api-key-service.ts'

const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
const sessionsPath = '/api/auth/sessions'
const credentials = '/api/rest/userCredentials'
const verification = '/api/auth/userDetails/verification'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { clock, service, bodyOf, make, by } = openKeys(database)

  const leftOpen = async (username: string, by: Browser = openBrowser(service().url)) => {
    expect((await by.signIn(username)).status).toBe(201)
    clock.pass(16 * minutes)
    expect((await by.post('/api/auth/jwt/refresh')).status).toBe(201)
    return by
  }
  const someone = async () => {
    const body = { username: `someone${Math.random()}`.slice(0, 20), firstName: 'Some' }
    return (await service().as('admin').post('/api/rest/users', body)).body.pk as string
  }

  type Act = readonly [what: string, user: string, (browser: Browser) => Promise<{ readonly status: number }>]
  const patch = (browser: Browser, path: string, body: object) => browser.ask('PATCH', path, { body, headers: json })
  const staffRole = '00000000-0000-7000-9000-000000000003'
  const anotherSession = async (browser: Browser) => {
    await openBrowser(service().url).signIn('staff')
    const list: readonly { readonly id: string; readonly current: boolean }[] = (await browser.get(sessionsPath)).body
    return list.find(({ current }) => !current)?.id
  }
  const acts: readonly Act[] = [
    ['creates an API key', 'staff', browser => browser.post(keysPath, bodyOf())],
    [
      'changes the roles of a user',
      'admin',
      async browser => patch(browser, `/api/rest/users/${await someone()}`, { roles: [staffRole] }),
    ],
    [
      'renames a user',
      'admin',
      async browser => patch(browser, `/api/rest/users/${await someone()}`, { username: `n${Math.random()}` }),
    ],
    [
      'creates a user with roles',
      'admin',
      browser => browser.post('/api/rest/users', { username: `r${Math.random()}`, roles: [staffRole] }),
    ],
    [
      'sets the password of a user',
      'admin',
      async browser => patch(browser, `${credentials}/${await someone()}`, { password: 'a long sentence of words' }),
    ],
    [
      'deactivates a user',
      'admin',
      async browser => patch(browser, `${credentials}/${await someone()}`, { active: false }),
    ],
    [
      'changes the own address',
      'staff',
      browser =>
        patch(browser, `/api/rest/contactDetails/${pks.staff}`, {
          primaryEmail: { email: `${Math.random()}@example.org` },
        }),
    ],
    ['ends all other sessions', 'staff', browser => browser.ask('DELETE', sessionsPath)],
    [
      'ends a session',
      'staff',
      async browser => browser.ask('DELETE', `${sessionsPath}/${await anotherSession(browser)}`),
    ],
    [
      'signs out a user',
      'admin',
      async browser => browser.ask('DELETE', `/api/rest/users/${await someone()}/sessions`),
    ],
    ['starts a backup', 'admin', browser => browser.post('/api/management/backups')],
  ]

  test.each(acts)('a session that was left open %s only after the password', async (_what, user, act) => {
    const browser = await leftOpen(user)
    const refused = await act(browser)
    expect(refused).toMatchObject({ status: 403, body: { code: 'recent_sign_in_required', maxAge: 900 } })
    expect((await browser.post(verification, { password: user })).status).toBe(200)
    expect([200, 201, 202, 204]).toContain((await act(browser)).status)
  })

  test('nothing else asks for it', async () => {
    const browser = await leftOpen('simple')
    const changes = { description: 'Some text', locale: 'de' }
    expect((await patch(browser, `/api/rest/users/${pks.simple}`, changes)).status).toBe(200)
    const details = { primaryCellphone: { number: '+30 210 1234567' } }
    expect((await patch(browser, `/api/rest/contactDetails/${pks.simple}`, details)).status).toBe(200)
  })

  test('a wrong password is no verification, and the session says how its user can be verified', async () => {
    const browser = await leftOpen('client')
    expect((await browser.get(verification)).body).toEqual({ recentFor: 0, ways: ['password'] })
    expect((await browser.post(verification, { password: 'wrong' })).status).toBe(401)
    expect((await browser.post(verification, { code: '123456' })).status).toBe(401)
    expect((await browser.post(verification, {})).status).toBe(400)
    expect((await browser.post(keysPath, bodyOf())).status).toBe(403)
    await browser.post(verification, { password: 'client' })
    clock.pass(1 * minutes)
    expect((await browser.get(verification)).body.recentFor).toBe(14 * 60)
  })

  test('a code of the second factor verifies its user, once', async () => {
    const browser = openBrowser(service().url)
    await browser.signIn('operator')
    const { telephone } = await enrol(browser, 'operator', clock.now)
    clock.pass(16 * minutes)
    await browser.post('/api/auth/jwt/refresh')
    expect((await browser.get(verification)).body.ways).toEqual(['password', 'code'])
    const code = telephone.code()
    expect((await browser.post(verification, { code })).status).toBe(200)
    expect((await browser.post(keysPath, bodyOf())).status).toBe(201)
    expect((await browser.post(verification, { code })).status).toBe(401)
  })

  test('a password in the header counts, and an API key cannot be confirmed', async () => {
    clock.pass(1 * days)
    const roles = { roles: ['00000000-0000-7000-9000-000000000004'] }
    const path = `/api/rest/users/${await someone()}`
    const problems = { Accept: 'application/problem+json' }
    const { key } = await make('admin', { scopes: ['read', 'write'] })
    expect(await by(key).patch(path, roles, problems)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const own = `/api/rest/contactDetails/${pks.admin}`
    expect((await by(key).patch(own, { primaryEmail: { email: 'thief@example.org' } })).status).toBe(403)
    expect((await service().as('admin').patch(path, roles)).status).toBe(200)
  })
})
