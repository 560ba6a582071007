// API keys: they act as their user, within their scopes, until they are revoked or expire.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Client, clientFor, databases, type TestService } from '../support/service.ts'
import { startAccounts } from './accounts-service.ts'
import { openBrowser } from './browser.ts'
import { createClock, days, minutes } from './clock.ts'

const path = '/api/rest/apiKeys'
const json = { Accept: 'application/json' }
const pks = {
  admin: '00000000-0000-7000-8000-000000000001',
  operator: '00000000-0000-7000-8000-000000000002',
  staff: '00000000-0000-7000-8000-000000000003',
  client: '00000000-0000-7000-8000-000000000004',
  simple: '00000000-0000-7000-8000-000000000005',
} as const
type Name = keyof typeof pks

describe.each(databases)('on %s', database => {
  const clock = createClock()
  let service: TestService
  beforeAll(async () => {
    service = await startAccounts(database, { clock: clock.now })
  })
  afterAll(() => service.stop())
  beforeEach(() => clock.pass(2 * minutes))

  const inDays = (count: number) => new Date(clock.now().getTime() + count * days).toISOString()
  const bodyOf = (more: object = {}) => ({ name: 'a program', scopes: ['read'], expirationDate: inDays(30), ...more })
  const make = async (user: Name, more: object = {}) => {
    const { status, body } = await service.as(user).post(path, bodyOf(more), json)
    expect(status).toBe(201)
    return body as { pk: string; key: string; prefix: string }
  }
  const by = (key: string): Client => clientFor(service.url, { Authorization: `Bearer ${key}` })
  const audited = async (type: string) =>
    (await service.as('admin').get(`/api/management/auditevents?type=${type}`)).body.events
  const patchOwn = (client: Client, user: Name, description = `${Math.random()}`) =>
    client.patch(`/api/rest/users/${pks[user]}`, { description })

  describe('a new key', () => {
    test.each([
      ['application/json', (text: string) => JSON.parse(text).key],
      ['application/hal+json', (text: string) => JSON.parse(text).key],
      ['application/vnd.api+json', (text: string) => JSON.parse(text).data.attributes.key],
      ['application/xml', (text: string) => /<key>([^<]+)<\/key>/.exec(text)?.[1]],
    ])('is shown as %s when it is made, and never again', async (Accept, keyIn) => {
      const made = await service.as('client').post(path, bodyOf(), { Accept })
      expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
      const key = keyIn(made.text)
      expect(key).toMatch(/^plinth_[0-9a-f]{12}_[\w-]{43}$/)
      const address = new URL(made.headers.get('location') ?? '').pathname
      const secret = String(key).slice(20)
      for (const [client, at] of [
        [service.as('client'), address],
        [service.as('admin'), address],
        [service.as('client'), `${path}?_ps=500`],
        [service.as('client'), `${address}?fields[apiKeys]=key,name`],
        [service.as('client'), `/api/rest/users/${pks.client}`],
      ] as const)
        expect((await client.get(at, { Accept })).text).not.toContain(secret)
      const patched = await service.as('client').patch(address, { name: 'renamed' }, { Accept })
      expect(patched.status).toBe(200)
      expect(patched.text).not.toContain(secret)
    })

    test('cannot be looked for by its key or its hash', async () => {
      const { key } = await make('client')
      for (const query of [`key=${key}`, `filter=key==${key}`, 'sort=key', 'filter=hash==a*', 'include=secrets'])
        expect([query, (await service.as('client').get(`${path}?${query}`)).status]).toEqual([query, 400])
      expect((await service.as('admin').get('/api/rest/apiKeySecrets')).status).toBe(404)
    })

    test('is kept as a hash, also by what remembers answers', async () => {
      const headers = { ...json, 'Idempotency-Key': `keys-${database}` }
      const body = bodyOf({ name: 'once' })
      const first = await service.as('client').post(path, body, headers)
      const again = await service.as('client').post(path, body, headers)
      expect([first.status, again.status, again.text]).toEqual([201, 201, ''])
      expect(again.headers.get('location')).toBe(first.headers.get('location'))
      const { store } = service.app.platform
      for (const name of ['apiKeys', 'apiKeySecrets', 'idempotencyKeys', 'auditEvents']) {
        const resource = store.resource(name)
        const rows = []
        const { everything } = await import('../../src/core/model/query.ts')
        for await (const batch of store.stream(resource, everything(resource))) rows.push(...batch)
        expect(rows.length).toBeGreaterThan(0)
        expect(JSON.stringify(rows)).not.toContain(first.body.key.slice(20))
      }
    })

    test('several at once each show their own, and so does an atomic operation', async () => {
      const bulk = await service.as('client').post(path, [bodyOf(), bodyOf()], json)
      const keys = bulk.body.content.map((one: { key: string }) => one.key)
      expect(new Set(keys).size).toBe(2)
      const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
      const data = { type: 'apiKeys', attributes: bodyOf() }
      const atomic = await service
        .as('client')
        .post('/api/rest/operations', JSON.stringify({ 'atomic:operations': [{ op: 'add', data }] }), {
          'Content-Type': type,
          Accept: type,
        })
      keys.push(atomic.body['atomic:results'][0].data.attributes.key)
      for (const key of keys) expect((await by(key).get('/api/rest/users')).status).toBe(200)
    })

    test('is of whoever asks, whatever the body says', async () => {
      const made = await make('simple', { user: pks.admin, prefix: 'chosen', lastUsed: inDays(0), key: 'plinth_mine' })
      expect(made).toMatchObject({ user: { pk: pks.simple }, lastUsed: null })
      expect([made.prefix, made.key]).not.toContain('chosen')
      expect((await by(made.key).get('/api/rest/userCredentials')).status).toBe(403)
      expect((await service.as('nobody').post(path, bodyOf())).status).toBe(401)
    })

    test.each<[string, () => object, string]>([
      ['no end', () => ({ expirationDate: undefined }), 'expirationDate'],
      ['an end in the past', () => ({ expirationDate: inDays(-1) }), 'expirationDate'],
      ['an end too far away', () => ({ expirationDate: inDays(366) }), 'expirationDate'],
      ['no scope', () => ({ scopes: [] }), 'scopes'],
      ['no scopes at all', () => ({ scopes: undefined }), 'scopes'],
      ['an unknown scope', () => ({ scopes: ['everything'] }), 'scopes'],
      ['a scope of an unknown resource', () => ({ scopes: ['films2:read'] }), 'scopes'],
      ['a scope of an internal resource', () => ({ scopes: ['sessions:read'] }), 'scopes'],
      ['no name', () => ({ name: undefined }), 'name'],
    ])('with %s is refused', async (_, more, member) => {
      const reply = await service.as('client').post(path, bodyOf(more()), json)
      expect([reply.status, reply.body.errors?.[0]?.member]).toEqual([400, member])
    })
  })

  describe('asking with a key', () => {
    test('works by either header, and shows when it was last used', async () => {
      const { pk, key } = await make('client')
      const lastUsed = async () => (await service.as('client').get(`${path}/${pk}`, json)).body.lastUsed
      expect(await lastUsed()).toBeNull()
      for (const [header, value] of [
        ['Authorization', `Bearer ${key}`],
        ['X-API-Key', key],
        ['x-api-key', key],
      ] as const) {
        const headers = { [header]: value }
        const reply = await clientFor(service.url, headers).get('/api/rest/users', json)
        expect([headers, reply.status]).toEqual([headers, 200])
      }
      expect(await lastUsed()).toBe(clock.now().toISOString())
    })

    test.each([
      ['made up', (key: string) => key.replace(/.{6}$/, 'AAAAAA')],
      ['cut short', (key: string) => key.slice(0, -1)],
      ['of another prefix', (key: string) => key.replace(/_[0-9a-f]{12}_/, '_000000000000_')],
      ['a prefix alone', (key: string) => key.slice(0, 20)],
      ['in capitals', (key: string) => key.toUpperCase()],
    ])('that is %s is 401', async (_, change) => {
      const { key } = await make('client')
      expect((await by(change(key)).get('/api/rest/users')).status).toBe(401)
      expect((await clientFor(service.url, { 'X-API-Key': change(key) }).get('/api/rest/countries')).status).toBe(401)
    })

    test('is no request by cookies: a page elsewhere that has the key may use it', async () => {
      const { key } = await make('client', { scopes: ['write'] })
      const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
      const reply = await clientFor(service.url, { 'X-API-Key': key, ...foreign }).patch(
        `/api/rest/users/${pks.client}`,
        { description: `${Math.random()}` },
      )
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, null])
    })

    test('wins over cookies, and is not mended by them', async () => {
      const browser = openBrowser(service.url)
      await browser.signIn('admin')
      const { key } = await make('simple')
      const headers = { 'X-API-Key': key }
      expect((await browser.get('/api/rest/userCredentials', { headers })).status).toBe(403)
      expect((await browser.get('/api/rest/users', { headers: { 'X-API-Key': 'plinth_none' } })).status).toBe(401)
    })
  })

  describe('scopes', () => {
    const reads = '/api/rest/users'
    const cases: readonly [string, object, { read: number; write: number; other: number }][] = [
      ['read', { scopes: ['read'] }, { read: 200, write: 403, other: 200 }],
      ['write', { scopes: ['write'] }, { read: 200, write: 200, other: 200 }],
      ['write, but read-only', { scopes: ['write'], readOnly: true }, { read: 200, write: 403, other: 200 }],
      ['users:read', { scopes: ['users:read'] }, { read: 200, write: 403, other: 403 }],
      ['users:write', { scopes: ['users:write'] }, { read: 200, write: 200, other: 403 }],
      [
        'users:write, but read-only',
        { scopes: ['users:write'], readOnly: true },
        { read: 200, write: 403, other: 403 },
      ],
      ['roles:write', { scopes: ['roles:write'] }, { read: 403, write: 403, other: 403 }],
      ['users:read and hosts:read', { scopes: ['users:read', 'hosts:read'] }, { read: 200, write: 403, other: 200 }],
    ]
    test.each(cases)('%s', async (_, more, expected) => {
      const client = by((await make('client', more)).key)
      expect({
        read: (await client.get(reads)).status,
        write: (await patchOwn(client, 'client')).status,
        other: (await client.get('/api/rest/hosts')).status,
      }).toEqual(expected)
    })

    test('do not add to what the user may do', async () => {
      const client = by((await make('simple', { scopes: ['write'] })).key)
      expect((await patchOwn(client, 'client')).status).toBe(403)
      expect((await client.post('/api/rest/countries', { pk: 'XX', name: 'Nowhere' })).status).toBe(403)
      expect((await client.get('/api/rest/registrationCodeBatches')).status).toBe(403)
    })

    test('end relations, includes and filters at what they do not name', async () => {
      const client = by((await make('admin', { scopes: ['users:read'] })).key)
      const user = `/api/rest/users/${pks.staff}`
      const shown = (await client.get(user, json)).body
      expect(shown.roles.every((role: { name?: string }) => role.name === undefined)).toBe(true)
      for (const at of [`${user}/roles`, `${user}/contactDetails`, `${user}?include=roles`])
        expect([at, (await client.get(at, json)).text.includes('ROLE_')]).toEqual([at, false])
      expect((await client.get('/api/rest/users?filter=roles.name==ROLE_ADMIN')).status).not.toBe(200)
      const wider = by((await make('admin', { scopes: ['users:read', 'roles:read'] })).key)
      expect((await wider.get(user, json)).text).toContain('ROLE_STAFF')
    })

    test('of one resource do not reach what belongs to none', async () => {
      const narrow = by((await make('admin', { scopes: ['users:write'] })).key)
      const wide = by((await make('admin', { scopes: ['write'] })).key)
      const explain = '/api/rest/explain?resource=users&operation=read'
      expect([(await narrow.get(explain)).status, (await wide.get(explain)).status]).toEqual([403, 200])
      const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
      const data = { type: 'users', id: pks.admin, attributes: { description: 'changed' } }
      const body = JSON.stringify({ 'atomic:operations': [{ op: 'update', data }] })
      const headers = { 'Content-Type': type, Accept: type }
      expect((await narrow.post('/api/rest/operations', body, headers)).status).toBe(403)
      expect((await wide.post('/api/rest/operations', body, headers)).status).toBe(200)
      expect((await by((await make('admin')).key).post('/api/rest/operations', body, headers)).status).toBe(403)
    })

    test('show in the list of resources', async () => {
      const listed = async (more: object) =>
        (await by((await make('admin', more)).key).get('/api/rest', json)).body.map(
          (one: { name: string; create: boolean }) => [one.name, one.create],
        )
      expect(await listed({ scopes: ['hosts:read'] })).toEqual([['hosts', false]])
      const all = (await listed({ scopes: ['write'] })).map(([name]: [string]) => name)
      expect(all).toContain('users')
      expect(all).not.toContain('apiKeys')
      expect(all).not.toContain('userCredentials')
    })
  })

  test('a key that only reads changes nothing, at any address that changes something', async () => {
    const { paths } = (await service.as('nobody').get('/api/openapi.json')).body
    const keys = [await make('admin', { scopes: ['read'] }), await make('admin', { scopes: ['write'], readOnly: true })]
    const passed: string[] = []
    let asked = 0
    for (const [at, item] of Object.entries<Record<string, unknown>>(paths))
      for (const method of ['post', 'put', 'patch', 'delete'].filter(name => item[name])) {
        for (const { key } of keys) {
          const target = at.replaceAll(/\{\w+\}/g, pks.client)
          const { status } = await by(key)(target, { method: method.toUpperCase(), body: {} })
          asked += 1
          if (status !== 403 && status !== 406 && status !== 415) passed.push(`${method} ${target} ${status}`)
        }
      }
    expect(asked).toBeGreaterThan(200)
    expect(passed).toEqual([])
  }, 120_000)

  test('no key opens accounts, management or other keys, whatever its scopes', async () => {
    const client = by((await make('admin', { scopes: ['write'] })).key)
    const { paths } = (await service.as('nobody').get('/api/openapi.json')).body
    const closed = /^\/(api\/auth|apiauth|api\/management)\b|^\/api\/rest\/(apiKeys|userCredentials)\b/
    const opened: string[] = []
    for (const [at, item] of Object.entries<Record<string, unknown>>(paths).filter(([at]) => closed.test(at)))
      for (const method of ['get', 'post', 'put', 'patch', 'delete'].filter(name => item[name])) {
        const target = at.replaceAll(/\{\w+\}/g, pks.client)
        const { status } = await client(target, { method: method.toUpperCase(), ...(method !== 'get' && { body: {} }) })
        if (status !== 403) opened.push(`${method} ${target} ${status}`)
      }
    expect(opened).toEqual([])
    const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const data = { type: 'apiKeys', attributes: bodyOf() }
    const body = JSON.stringify({ 'atomic:operations': [{ op: 'add', data }] })
    expect((await client.post('/api/rest/operations', body, { 'Content-Type': type, Accept: type })).status).toBe(403)
    for (const at of [
      '/api/%61uth/sessions',
      '/api/rest/../auth/sessions',
      '//api/auth/sessions',
      '/API/auth/sessions',
    ])
      expect((await client.get(at)).status).not.toBe(200)
  })

  describe('a key ends', () => {
    const works = async (key: string) => (await by(key).get('/api/rest/users')).status

    test('at its date', async () => {
      const { key } = await make('client', { expirationDate: inDays(1) })
      expect(await works(key)).toBe(200)
      clock.pass(1 * days)
      expect(await works(key)).toBe(401)
    })

    test('when it is revoked, by its owner or by an administrator', async () => {
      for (const user of ['client', 'admin'] as const) {
        const { pk, key } = await make('client')
        expect(await works(key)).toBe(200)
        expect((await service.as('staff').delete(`${path}/${pk}`)).status).toBe(404)
        expect((await service.as(user).delete(`${path}/${pk}`)).status).toBe(204)
        expect(await works(key)).toBe(401)
      }
      expect((await audited('API_KEY_REVOKED')).at(-1)).toMatchObject({ principal: 'admin' })
    })

    test('when its user is deactivated, and works again when the user does', async () => {
      const { key } = await make('simple')
      const activate = (active: boolean) =>
        service.as('admin').patch(`/api/rest/userCredentials/${pks.simple}`, { active })
      await activate(false)
      expect(await works(key)).toBe(401)
      await activate(true)
      expect(await works(key)).toBe(200)
    })

    test('when its user is deleted', async () => {
      const person = { username: `gone-${database}`, password: 'wide open fields' }
      const { body } = await service.as('admin').post('/api/rest/users', person, json)
      const basic = { Authorization: `Basic ${btoa(`${person.username}:${person.password}`)}` }
      const made = await clientFor(service.url, basic).post(path, bodyOf(), json)
      expect(await works(made.body.key)).toBe(200)
      expect((await service.as('admin').delete(`/api/rest/users/${body.pk}`)).status).toBe(204)
      expect(await works(made.body.key)).toBe(401)
      expect((await service.as('admin').get(`${path}/${made.body.pk}`)).status).toBe(404)
    })

    test('when the password is reset, not when the owner changes it', async () => {
      const person = { username: `keeper-${database}`, password: 'wide open fields' }
      const { body } = await service.as('admin').post('/api/rest/users', person, json)
      const browser = openBrowser(service.url)
      await browser.signIn(person.username, person.password)
      const { key } = (await browser.post(path, bodyOf(), { headers: json })).body
      const changed = {
        currentPassword: person.password,
        password: 'another meadow',
        passwordConfirmation: 'another meadow',
      }
      expect((await browser.ask('PUT', '/api/auth/account', { body: changed })).status).toBe(200)
      expect(await works(key)).toBe(200)
      await service.as('admin').patch(`/api/rest/userCredentials/${body.pk}`, { password: 'a third meadow' })
      expect(await works(key)).toBe(401)
      expect((await audited('API_KEYS_ENDED')).at(-1)).toMatchObject({ principal: 'admin', data: { count: '1' } })
    })

    test('at once in what it may do, when its scopes or the roles of its user change', async () => {
      const { pk, key } = await make('operator', { scopes: ['write'] })
      expect((await by(key).get('/api/rest/registrationCodeBatches')).status).toBe(200)
      await service.as('operator').patch(`${path}/${pk}`, { scopes: ['users:read'] })
      expect((await by(key).get('/api/rest/registrationCodeBatches')).status).toBe(403)
      await service.as('operator').patch(`${path}/${pk}`, { scopes: ['write'], readOnly: true })
      expect((await patchOwn(by(key), 'operator')).status).toBe(403)
      const user = (await service.as('admin').get(`/api/rest/users/${pks.operator}`, json)).body
      const roles = user.roles.filter((role: { name: string }) => role.name === 'ROLE_USER')
      await service.as('admin').patch(`/api/rest/users/${pks.operator}`, { roles })
      expect((await by(key).get('/api/rest/registrationCodeBatches')).status).toBe(403)
      await service.as('admin').patch(`/api/rest/users/${pks.operator}`, { roles: user.roles })
      expect((await by(key).get('/api/rest/registrationCodeBatches')).status).toBe(200)
    })
  })

  test('everybody sees their own keys, and administrators all of them', async () => {
    const { pk } = await make('staff')
    expect((await service.as('client').get(`${path}/${pk}`)).status).toBe(404)
    expect((await service.as('client').patch(`${path}/${pk}`, { scopes: ['write'] })).status).toBe(404)
    expect((await service.as('admin').get(`${path}/${pk}`)).status).toBe(200)
    const own = (await service.as('client').get(`${path}?_ps=500`, json)).body.content
    expect(new Set(own.map((one: { user: { pk: string } }) => one.user.pk))).toEqual(new Set([pks.client]))
  })

  test('the audit tells who made a key, and not the key', async () => {
    const made = await make('staff', { name: 'nightly export' })
    const event = (await audited('API_KEY_CREATED')).at(-1)
    expect(event).toMatchObject({ principal: 'staff', data: { prefix: made.prefix, name: 'nightly export' } })
    expect(JSON.stringify(event)).not.toContain(made.key)
  })
})

test('keys are described as credentials, and pages elsewhere may send them', async () => {
  const service = await startAccounts('sqlite', {
    settings: { 'app.cors.allowedOrigins': 'https://friend.example', 'app.auth.apiKeys.maxDays': '7' },
  })
  const { components } = (await service.as('nobody').get('/api/openapi.json')).body
  expect(components.securitySchemes.apiKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'X-API-Key' })
  expect(components.schemas.ApiKeyMembers.properties.key).toMatchObject({ readOnly: true })
  expect(components.schemas.ApiKeyCreate.properties.key).toBeUndefined()
  const preflight = await service.as('nobody')('/api/rest/users', {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://friend.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-api-key',
    },
  })
  expect(preflight.headers.get('access-control-allow-headers')).toBe('x-api-key')
  const late = { name: 'late', scopes: ['read'], expirationDate: new Date(Date.now() + 8 * days).toISOString() }
  expect((await service.as('client').post(path, late)).status).toBe(400)
  await service.stop()
})
