// What ends takes effect on the next request, by every way.

import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

/** The ways in which a user may come; each gives what to send. */
const waysOf = async (url: string, username: string, password: string) => {
  const [tokens, sso, remembered] = [openBrowser(url), openBrowser(url), openBrowser(url)]
  await tokens.signIn(username, password)
  await sso.post('/api/auth/basic', { username, password })
  await remembered.post('/api/auth/userDetails', { username, password, rememberMe: true })
  const access = tokens.jar.get('access_token') ?? ''
  const cookie = (name: string, browser: Browser) => ({ cookies: { [name]: browser.jar.get(name) ?? '' } })
  const header = (Authorization: string) => ({ cookies: {}, headers: { Authorization } })
  return [
    ['the cookie access_token', cookie('access_token', tokens)],
    ['a Bearer header', header(`Bearer ${access}`)],
    ['the cookie app-sso', cookie('app-sso', sso)],
    ['a Basic header', header(`Basic ${btoa(`${username}:${password}`)}`)],
    ['the cookie remember-me', cookie('remember-me', remembered)],
    ['the cookie refresh_token', cookie('refresh_token', tokens)],
  ] as const
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  let serial = 0
  const password = 'horse staple battery'
  beforeAll(async () => {
    service = await startAccounts(database)
    admin = service.as('admin')
  })
  afterAll(() => service.stop())

  const makeUser = async (): Promise<{ pk: string; username: string }> => {
    serial += 1
    const username = `person${serial}`
    const made = await admin.post('/api/rest/users', { username, password }, { Accept: 'application/json' })
    expect(made).toHaveStatus(201)
    return { pk: made.body.pk, username }
  }
  /** 200 for each way that works, as far as it can be asked. */
  const outcomes = async (ways: Awaited<ReturnType<typeof waysOf>>) => {
    const stranger = openBrowser(service.url)
    const statuses: Record<string, number> = {}
    for (const [name, asking] of ways) {
      const reply =
        name === 'the cookie refresh_token'
          ? await stranger.post('/api/auth/jwt/refresh', undefined, asking)
          : await stranger.get('/api/auth/userDetails', asking)
      statuses[name] = reply.status
    }
    return statuses
  }
  const all = (status: number, refresh = status) => ({
    'the cookie access_token': status,
    'a Bearer header': status,
    'the cookie app-sso': status,
    'a Basic header': status,
    'the cookie remember-me': status,
    'the cookie refresh_token': refresh,
  })

  test('a user who is deactivated is out at once, and in again once reactivated', async () => {
    const { pk, username } = await makeUser()
    const ways = await waysOf(service.url, username, password)
    expect(await outcomes(ways)).toEqual(all(200, 201))
    const off = { active: false, inactivationReason: 'left' }
    const patched = await admin.patch(`/api/rest/userCredentials/${pk}`, off, { Accept: 'application/json' })
    expect(patched.body).toMatchObject(off)
    expect(patched.body.inactivationDate).toMatch(/^\d{4}/)
    expect(await outcomes(ways)).toEqual(all(401))
    expect((await openBrowser(service.url).signIn(username, password)).status).toBe(401)
    expect((await admin.get(`/api/rest/users/${pk}`, { Accept: 'application/json' })).body.active).toBe(false)
    await admin.patch(`/api/rest/userCredentials/${pk}`, { active: true })
    expect((await openBrowser(service.url).signIn(username, password)).status).toBe(201)
    const back = (await admin.get(`/api/rest/userCredentials/${pk}`, { Accept: 'application/json' })).body
    expect([back.inactivationReason, back.inactivationDate]).toEqual([null, null])
  })

  test('a password that an administrator sets ends every session that came by the old one', async () => {
    const { pk, username } = await makeUser()
    const ways = await waysOf(service.url, username, password)
    expect(await outcomes(ways)).toEqual(all(200, 201))
    const next = 'staple horse battery'
    expect((await admin.patch(`/api/rest/userCredentials/${pk}`, { password: next })).status).toBe(200)
    expect(await outcomes(ways)).toEqual(all(401))
    expect((await openBrowser(service.url).signIn(username, password)).status).toBe(401)
    expect((await openBrowser(service.url).signIn(username, next)).status).toBe(201)
  })

  test('a user who is deleted is gone with credentials, details and sessions', async () => {
    const { pk, username } = await makeUser()
    const ways = await waysOf(service.url, username, password)
    expect((await admin.delete(`/api/rest/users/${pk}`)).status).toBe(204)
    expect(await outcomes(ways)).toEqual(all(401))
    for (const resource of ['users', 'userCredentials', 'contactDetails', 'personalDetails'])
      expect([resource, (await admin.get(`/api/rest/${resource}/${pk}`)).status]).toEqual([resource, 404])
  })

  test('deleted credentials cannot be used to sign in', async () => {
    const { pk, username } = await makeUser()
    const ways = await waysOf(service.url, username, password)
    expect((await admin.delete(`/api/rest/userCredentials/${pk}`)).status).toBe(204)
    expect(await outcomes(ways)).toEqual(all(401))
    expect((await openBrowser(service.url).signIn(username, password)).status).toBe(401)
  })

  const rolePk = async (name: string): Promise<string> => {
    const found = await admin.get(`/api/rest/roles?name=${name}`, { Accept: 'application/json' })
    return found.body.content[0].pk
  }
  const linkage = (type: string, ...pks: string[]) => ({ data: pks.map(id => ({ type, id })) })
  const asJsonApi = { 'Content-Type': 'application/vnd.api+json' }

  test.each([
    [
      'a patch of the user',
      async (user: string, role: string) => admin.patch(`/api/rest/users/${user}`, { roles: [role] }),
    ],
    [
      'a relationship of the user',
      (user: string, role: string) =>
        admin.post(`/api/rest/users/${user}/relationships/roles`, linkage('roles', role), asJsonApi),
    ],
    [
      'a relationship of the role',
      (user: string, role: string) =>
        admin.post(`/api/rest/roles/${role}/relationships/members`, linkage('users', user), asJsonApi),
    ],
    [
      'an atomic operation',
      (user: string, role: string) =>
        admin.post(
          '/api/rest/operations',
          {
            'atomic:operations': [
              { op: 'add', ref: { type: 'users', id: user, relationship: 'roles' }, ...linkage('roles', role) },
            ],
          },
          { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' },
        ),
    ],
  ])('a role given by %s counts on the next request of a session that is open', async (_, give) => {
    const { pk, username } = await makeUser()
    const ways = (await waysOf(service.url, username, password)).slice(0, 4)
    const tryAll = async (): Promise<number[]> => {
      const replies = ways.map(([, asking], at) =>
        openBrowser(service.url).post('/api/rest/continents', { pk: `Z${serial}${at}`, name: 'Zealandia' }, asking),
      )
      return (await Promise.all(replies)).map(reply => reply.status)
    }
    expect(await tryAll()).toEqual([403, 403, 403, 403])
    expect((await give(pk, await rolePk('ROLE_SITE_OPERATOR'))).status).toBeLessThan(300)
    // 400: the identifier is not one of a continent, so the caller has passed the rule.
    expect(await tryAll()).toEqual([400, 400, 400, 400])
    await admin.patch(`/api/rest/users/${pk}`, { roles: [] })
    expect(await tryAll()).toEqual([403, 403, 403, 403])
  })

  test('a role that is renamed or deleted goes from the sessions of its members', async () => {
    const made = await admin.post('/api/rest/roles', { name: 'ROLE_TEMP' }, { Accept: 'application/json' })
    const { pk, username } = await makeUser()
    await admin.patch(`/api/rest/users/${pk}`, { roles: [made.body.pk] })
    const browser = openBrowser(service.url)
    await browser.signIn(username, password)
    const rolesNow = async () => (await browser.get('/api/auth/userDetails')).body.roles
    const kept = async () =>
      (await admin.get(`/api/rest/explain?resource=users&operation=read&user=${pk}`)).body.user.roles
    expect(await rolesNow()).toEqual([{ authority: 'ROLE_TEMP' }])
    await admin.patch(`/api/rest/roles/${made.body.pk}`, { name: 'ROLE_PASSING' })
    expect([await rolesNow(), await kept()]).toEqual([[{ authority: 'ROLE_PASSING' }], ['ROLE_PASSING']])
    expect((await admin.delete(`/api/rest/roles/${made.body.pk}`)).status).toBe(204)
    expect([await rolesNow(), await kept()]).toEqual([[], []])
  })

  test('the roles that the service relies on can be neither renamed nor deleted', async () => {
    const pk = await rolePk('ROLE_ADMIN')
    expect((await admin.delete(`/api/rest/roles/${pk}`)).status).toBe(409)
    expect((await admin.patch(`/api/rest/roles/${pk}`, { name: 'ROLE_OTHER' })).status).toBe(409)
    expect((await admin.patch(`/api/rest/roles/${pk}`, { description: 'All of it.' })).status).toBe(200)
  })
})
