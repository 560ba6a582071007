// Users, credentials and sessions as records: who may write what, and what no user can read.

import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import type { Client, TestService } from '@plinth/test-kit/service'
import { testHashMemory } from '@plinth/test-kit/setup'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { productionHashMemory, setHashMemory } from '../../src/modules/people/passwords.ts'
import { startAccounts } from '../auth/accounts-service.ts'

const json = { Accept: 'application/json' }
const clientPk = '00000000-0000-7000-8000-000000000004'
const staffPk = '00000000-0000-7000-8000-000000000003'
const adminRole = '00000000-0000-7000-9000-000000000001'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  beforeAll(async () => {
    service = await startAccounts(database)
    admin = service.as('admin')
  })
  afterAll(() => service.stop())

  test('a user made by an administrator can sign in, and the address is kept as a hash', async () => {
    const made = await admin.post(
      '/api/rest/users',
      { username: 'Greta', email: ' Greta@Example.com'.trim(), password: 'wide open fields' },
      json,
    )
    expect(made.status).toBe(201)
    expect(made.body).not.toHaveProperty('email')
    expect(made.body).not.toHaveProperty('password')
    expect(made.body.emailHash).toMatch(/^[0-9a-f]{64}$/)
    expect((await openBrowser(service.url).signIn('greta', 'wide open fields')).status).toBe(201)
    // The address works in place of the name only once it is verified.
    expect((await openBrowser(service.url).signIn('greta@example.com', 'wide open fields')).status).toBe(401)
    const credentials = await admin.get(`/api/rest/userCredentials/${made.body.pk}`, json)
    expect(credentials.body).toMatchObject({ active: true, loginAttempts: 0, mfa: false })
    expect(credentials.body.lastLogin).toMatch(/^\d{4}/)
    for (const resource of ['contactDetails', 'personalDetails'])
      expect((await admin.get(`/api/rest/${resource}/${made.body.pk}`)).status).toBe(200)
  })

  test('a list of users with passwords makes all or none', async () => {
    const list = [
      { username: 'lister1', password: 'wide open fields' },
      { username: 'lister2', password: 'password' },
    ]
    const refused = await admin.post('/api/rest/users', list, json)
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/1/password'])
    expect((await admin.get('/api/rest/users?username=lister1', json)).body.content).toEqual([])
    const made = await admin.post('/api/rest/users', list.slice(0, 1), json)
    expect(made.status).toBe(201)
    expect((await openBrowser(service.url).signIn('lister1', 'wide open fields')).status).toBe(201)
  })

  test.each([
    ['too short', 'short'],
    ['too long', 'x'.repeat(257)],
    ['common', 'password123'],
    ['a run', '12345678'],
    ['one letter', 'aaaaaaaaaaaa'],
    ['the name', 'marianne1'],
    ['the address', 'Schuster99!'],
  ])('a password that is %s is refused', async (_, password) => {
    const user = { username: 'marianne', email: 'm.schuster@example.com', password }
    const refused = await admin.post('/api/rest/users', user, json)
    expect([refused.status, refused.body.errors.map((one: { member: string }) => one.member)]).toEqual([
      400,
      ['password'],
    ])
  })

  test('long passwords count to their last character', async () => {
    const long = 'correct horse battery staple '.repeat(3).slice(0, 72)
    for (const [username, password] of [
      ['longer', `${long}a`],
      ['accented', 'grüße aus 日本 🎉 für alle'],
      ['longest', 'y7'.repeat(20).concat('correct horse battery staple '.repeat(8)).slice(0, 256)],
    ] as const) {
      expect((await admin.post('/api/rest/users', { username, password })).status).toBe(201)
      expect((await openBrowser(service.url).signIn(username, password)).status).toBe(201)
    }
    for (const wrong of [`${long}b`, long])
      expect((await openBrowser(service.url).signIn('longer', wrong)).status).toBe(401)
  })

  test.each(['with blank', 'with:colon', 'with@sign', ''])('%o is no username', async username => {
    expect((await admin.post('/api/rest/users', { username })).status).toBe(400)
  })

  test('a username is taken in every case', async () => {
    expect((await admin.post('/api/rest/users', { username: 'ADMIN' })).status).toBe(409)
  })

  const self = () => service.as('client')
  const patchSelf = (body: unknown, headers = {}) =>
    self().patch(`/api/rest/users/${clientPk}`, body, { ...json, ...headers })

  test('users can change only their own profile', async () => {
    expect((await patchSelf({ description: 'Rents films.' })).status).toBe(200)
    expect((await self().patch(`/api/rest/users/${staffPk}`, { description: 'no' })).status).toBe(403)
    expect((await self().put(`/api/rest/users/${clientPk}`, { username: 'client' })).status).toBe(403)
    expect((await self().delete(`/api/rest/users/${clientPk}`)).status).toBe(403)
  })

  test.each<[string, Record<string, unknown>, number]>([
    ['roles', { roles: [adminRole] }, 403],
    ['roles as objects', { roles: [{ pk: adminRole }] }, 403],
    ['username', { username: 'chosen' }, 403],
    ['password', { password: 'wide open fields' }, 403],
    ['email', { email: 'other@example.com' }, 403],
  ])('a user cannot give themselves %s', async (_, body, status) => {
    expect((await patchSelf(body)).status).toBe(status)
  })

  test.each<[string, unknown]>([
    ['active', false],
    ['emailHash', 'f'.repeat(64)],
    ['lastVisit', '2000-01-01T00:00:00Z'],
    ['createdDate', '2000-01-01T00:00:00Z'],
    ['name', 'Somebody Else'],
    ['admin', true],
    ['passwordHash', 'x'],
    ['emailVerified', true],
    ['mfa', false],
  ])('%s is not written by being sent', async (member, value) => {
    const before = (await self().get(`/api/rest/users/${clientPk}`, json)).body
    expect((await patchSelf({ [member]: value })).status).toBe(204)
    expect((await self().get(`/api/rest/users/${clientPk}`, json)).body).toEqual(before)
  })

  test('relationships are no way round the rule on roles', async () => {
    const document = { data: [{ type: 'roles', id: adminRole }] }
    const type = { 'Content-Type': 'application/vnd.api+json' }
    for (const method of ['POST', 'PATCH', 'DELETE'])
      expect([
        method,
        (
          await self()(`/api/rest/users/${clientPk}/relationships/roles`, {
            method,
            body: JSON.stringify(document),
            headers: type,
          })
        ).status,
      ]).toEqual([method, 403])
    const members = { data: [{ type: 'users', id: clientPk }] }
    expect((await self().post(`/api/rest/roles/${adminRole}/relationships/members`, members, type)).status).toBe(403)
    const resource = { data: { type: 'users', id: clientPk, relationships: { roles: document } } }
    expect((await self().patch(`/api/rest/users/${clientPk}`, resource, type)).status).toBe(403)
    const roles = (await admin.get(`/api/rest/users/${clientPk}`, json)).body.roles
    expect(roles.map((role: { name: string }) => role.name)).toEqual(['ROLE_USER'])
  })

  test('credentials are read by their owner and by administrators', async () => {
    expect((await self().get(`/api/rest/userCredentials/${clientPk}`, json)).status).toBe(200)
    expect((await self().get(`/api/rest/userCredentials/${staffPk}`)).status).toBe(404)
    expect((await service.as('operator').get(`/api/rest/userCredentials/${clientPk}`)).status).toBe(404)
    expect((await self().get('/api/rest/userCredentials', json)).body.content).toHaveLength(1)
    for (const body of [{ active: false }, { password: 'wide open fields' }])
      expect((await self().patch(`/api/rest/userCredentials/${clientPk}`, body)).status).toBe(403)
  })

  test.each(everyThird(['password', 'passwordHash', 'email', 'resetToken', 'secrets.passwordHash', 'sessions.pk']))(
    '%s cannot be searched, sorted, included or selected by any user',
    async member => {
      for (const client of [admin, service.as('staff')])
        for (const resource of ['users', 'userCredentials'])
          for (const query of [
            `filter=${member}==a*`,
            `filter=${member}=isnull=false`,
            `${member}=a`,
            `sort=${member}`,
            `include=${member}`,
            `filter[${member}]=a`,
          ]) {
            const reply = await client.get(`/api/rest/${resource}?${query}`, json)
            expect([resource, query, reply.status]).toEqual([resource, query, 400])
          }
    },
  )

  test('passwords are stored as strong hashes, and a weak hash is replaced at sign-in', async () => {
    setHashMemory(productionHashMemory)
    onTestFinished(() => setHashMemory(testHashMemory))
    const { store } = service.app.platform
    const secrets = store.resource('secrets')
    const hashNow = async () => String((await store.get(secrets, staffPk))?.passwordHash)
    expect((await openBrowser(service.url).signIn('staff')).status).toBe(201)
    expect(await hashNow()).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
    const { hash } = await import('@node-rs/argon2')
    const weak = await hash('staff', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await store.transaction(tx => tx.update(secrets, staffPk, { passwordHash: weak }))
    expect((await openBrowser(service.url).signIn('staff')).status).toBe(201)
    expect(await hashNow()).toMatch(/m=47104,/)
    expect((await openBrowser(service.url).signIn('staff')).status).toBe(201)
  })

  test('a session that waits for a second factor opens nothing', async () => {
    const browser = openBrowser(service.url)
    await browser.signIn('simple')
    const [session] = (await browser.get('/api/auth/sessions')).body
    const { store } = service.app.platform
    await store.transaction(tx => tx.update(store.resource('sessions'), session.id, { state: 'mfa_pending' }))
    expect((await browser.get('/api/rest/users')).status).toBe(401)
    expect((await browser.get('/api/auth/userDetails')).status).toBe(401)
    expect((await browser.post('/api/auth/jwt/refresh')).status).toBe(401)
  })
})
