// What happened around accounts can be looked up, and holds no secret.

import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../../src/core/model/query.ts'
import { startAccounts } from './accounts-service.ts'

const canary = 'Canary-password-5a7c'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  const events = async (): Promise<{ type: string; principal: string | null; data: Record<string, string> }[]> => {
    const { store } = service.app.platform
    const resource = store.resource('auditEvents')
    const { records } = await store.find(resource, everything(resource))
    return records.map(({ type, principal, data }) => ({
      type: String(type),
      principal: principal as string | null,
      data: data as Record<string, string>,
    }))
  }
  /** The events that the work leads to. */
  const during = async (work: () => Promise<unknown>) => {
    const before = (await events()).length
    await work()
    return (await events()).slice(before).map(({ type, principal }) => [type, principal])
  }
  const clientPk = '00000000-0000-7000-8000-000000000004'
  beforeAll(async () => {
    service = await startAccounts(database)
  })
  afterAll(() => service.stop())

  test('sign-ins, failures, refusals, ends and changes are each written down with who and from where', async () => {
    const browser = openBrowser(service.url, '127.0.0.5')
    const admin = service.as('admin')
    expect(await during(() => admin.get('/api/rest/users'))).toEqual([['AUTHENTICATION_SUCCESS', 'admin']])
    expect(await during(() => browser.signIn('client'))).toEqual([['AUTHENTICATION_SUCCESS', 'client']])
    expect((await events()).at(-1)?.data).toEqual({ address: '127.0.0.5', way: 'jwt' })
    expect(await during(() => browser.copy().signIn('client', canary))).toEqual([['AUTHENTICATION_FAILURE', 'client']])
    expect(await during(() => browser.copy().signIn('nobody\nat all', canary))).toEqual([
      ['AUTHENTICATION_FAILURE', 'nobody at all'],
    ])
    expect(await during(() => browser.ask('DELETE', `/api/rest/users/${clientPk}`))).toEqual([
      ['AUTHORIZATION_FAILURE', 'client'],
    ])
    const foreign = { headers: { Origin: 'https://evil.example' } }
    expect(await during(() => browser.ask('DELETE', '/api/rest/users/x', foreign))).toEqual([
      ['AUTHORIZATION_FAILURE', null],
    ])
    const forged = { cookies: { access_token: 'made.up.token' } }
    expect(await during(() => browser.get('/api/rest/users', forged))).toEqual([['AUTHENTICATION_FAILURE', null]])
    expect(await during(() => admin.patch(`/api/rest/users/${clientPk}`, { roles: [] }))).toEqual([
      ['ROLES_CHANGED', 'admin'],
    ])
    expect(await during(() => admin.patch(`/api/rest/userCredentials/${clientPk}`, { password: canary }))).toEqual([
      ['PASSWORD_CHANGED', 'admin'],
    ])
    expect(await during(() => browser.signIn('client', canary))).toEqual([['AUTHENTICATION_SUCCESS', 'client']])
    expect(await during(() => browser.ask('DELETE', '/api/auth/sessions'))).toEqual([['SESSION_ENDED', 'client']])
    expect(await during(() => browser.ask('DELETE', '/api/auth/userDetails'))).toEqual([['SIGNED_OUT', 'client']])
    expect(await during(() => admin.patch(`/api/rest/userCredentials/${clientPk}`, { active: false }))).toEqual([
      ['USER_DEACTIVATED', 'admin'],
    ])
    const made = await admin.post('/api/rest/users', { username: 'passing' }, { Accept: 'application/json' })
    expect((await events()).at(-1)).toMatchObject({
      type: 'USER_CREATED',
      principal: 'admin',
      data: { user: 'passing' },
    })
    expect(await during(() => admin.delete(`/api/rest/users/${made.body.pk}`))).toEqual([['USER_DELETED', 'admin']])
    expect(await during(() => admin.patch(`/api/rest/userCredentials/${clientPk}`, { active: true }))).toEqual([
      ['USER_ACTIVATED', 'admin'],
    ])
    expect(await during(() => openBrowser(service.url).get('/api/rest/users'))).toEqual([])
    expect(JSON.stringify(await events())).not.toContain('Canary')
  })

  test('so are changes of roles, by whichever address', async () => {
    const admin = service.as('admin')
    const role = { name: 'ROLE_PASSING' }
    const json = { Accept: 'application/json' }
    let pk = ''
    const make = async () => {
      pk = (await admin.post('/api/rest/roles', role, json)).body.pk
    }
    const members = { data: [{ type: 'users', id: clientPk }] }
    const asJsonApi = { 'Content-Type': 'application/vnd.api+json' }
    const give = () => admin.post(`/api/rest/roles/${pk}/relationships/members`, members, asJsonApi)
    expect(await during(make)).toEqual([['ROLE_CREATED', 'admin']])
    expect(await during(give)).toEqual([['ROLES_CHANGED', 'admin']])
    expect((await events()).at(-1)?.data).toEqual({
      user: 'client',
      former: '',
      roles: 'ROLE_PASSING',
      address: '127.0.0.1',
    })
    expect(await during(() => admin.patch(`/api/rest/roles/${pk}`, { description: 'For now.' }))).toEqual([])
    expect(await during(() => admin.patch(`/api/rest/roles/${pk}`, { name: 'ROLE_GOING' }))).toEqual([
      ['ROLE_RENAMED', 'admin'],
    ])
    expect((await events()).at(-1)?.data).toEqual({
      former: 'ROLE_PASSING',
      role: 'ROLE_GOING',
      address: '127.0.0.1',
    })
    expect(await during(() => admin.delete(`/api/rest/roles/${pk}`))).toEqual([['ROLE_DELETED', 'admin']])
  })

  test('so are tokens that come twice, guesses that are stopped, and names that change', async () => {
    const browser = openBrowser(service.url, '127.0.0.8')
    await browser.signIn('simple')
    const stolen = { cookies: { refresh_token: browser.jar.get('refresh_token') ?? '' } }
    await browser.post('/api/auth/jwt/refresh')
    await browser.post('/api/auth/jwt/refresh')
    const thief = openBrowser(service.url, '127.0.0.9')
    expect(await during(() => thief.post('/api/auth/jwt/refresh', undefined, stolen))).toEqual([
      ['TOKEN_REUSED', 'simple'],
    ])
    expect((await events()).at(-1)?.data).toMatchObject({ address: '127.0.0.9', path: '/api/auth/jwt/refresh' })
    const guesses = await during(async () => {
      for (let at = 0; at < 12; at++) await thief.signIn('staff', canary)
    })
    expect(guesses).toEqual([
      ...Array.from({ length: 10 }, () => ['AUTHENTICATION_FAILURE', 'staff']),
      ['AUTHENTICATION_THROTTLED', 'staff'],
      ['AUTHENTICATION_THROTTLED', 'staff'],
    ])
    await browser.signIn('simple')
    const body = { username: 'simpler', password: 'simple' }
    expect(await during(() => browser.ask('PUT', '/api/auth/account/username', { body }))).toEqual([
      ['AUTHENTICATION_SUCCESS', 'simple'],
      ['USERNAME_CHANGED', 'simpler'],
    ])
    expect((await events()).at(-1)?.data).toEqual({ former: 'simple', address: '127.0.0.8' })
    const staffPk = '00000000-0000-7000-8000-000000000003'
    const renamed = { username: 'crew' }
    expect(await during(() => service.as('operator').patch(`/api/rest/users/${staffPk}`, renamed))).toContainEqual([
      'AUTHORIZATION_FAILURE',
      'operator',
    ])
    await service.as('admin').patch(`/api/rest/users/${staffPk}`, renamed)
    expect((await events()).at(-1)).toMatchObject({
      type: 'USERNAME_CHANGED',
      data: { user: 'staff', former: 'staff', username: 'crew', address: '127.0.0.1' },
    })
    await service.as('admin').patch(`/api/rest/users/${staffPk}`, { username: 'staff' })
    expect(await during(() => service.as('admin').delete(`/api/rest/users/${staffPk}/sessions`))).toEqual([
      ['SESSION_ENDED', 'admin'],
    ])
    expect((await events()).at(-1)?.data).toMatchObject({ user: 'staff' })
    expect(JSON.stringify(await events())).not.toContain('Canary')
  })

  test('a flood of refusals leaves a few entries, not one for each', async () => {
    const browser = openBrowser(service.url, '127.0.0.6')
    const noted = await during(async () => {
      for (let at = 0; at < 60; at++)
        await browser.get('/api/rest/users', { cookies: { access_token: `made.up.${at}` } })
    })
    expect(noted).toHaveLength(20)
    const counts = (await events()).slice(-20).map(({ data }) => data.more)
    expect(counts).toEqual([...Array(19), 'are not recorded within this minute'])
  })

  test('many anonymous refusals hide no refusal of a user at the same address', async () => {
    const user = openBrowser(service.url, '127.0.0.8')
    expect((await user.signIn('operator')).status).toBe(201)
    const foreign = { headers: { Origin: 'https://evil.example' } }
    const flood = async () => {
      for (let at = 0; at < 25; at++) await user.ask('DELETE', '/api/rest/users/x', foreign)
    }
    expect(await during(flood)).toEqual(Array(20).fill(['AUTHORIZATION_FAILURE', null]))
    const noted = await during(() => user.ask('DELETE', `/api/rest/users/${clientPk}`))
    expect(noted).toEqual([['AUTHORIZATION_FAILURE', 'operator']])
  })
})
