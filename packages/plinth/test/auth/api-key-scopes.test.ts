// The scopes of API keys: less than what their user may do, and never accounts, management or other keys.

import { readdir } from 'node:fs/promises'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, extent, inTurn } from '@plinth/test-kit/extent'
import { upload } from '@plinth/test-kit/uploads'
import { describe, expect, test } from 'vitest'

import { json, openKeys, pks } from './api-key-service.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { service, bodyOf, make, by, patchOwn } = openKeys(database)

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

    test('metrics:read is for the metrics alone, and needs an administrator', async () => {
      const statuses = async (client: ReturnType<typeof by>, ...paths: string[]) =>
        Promise.all(paths.map(async path => (await client.get(path)).status))
      const metrics = ['/api/management/prometheus', '/api/management/metrics', '/api/management/metrics/mem']
      const others = ['/api/management/env', '/api/management/trace', '/api/rest/users', '/api/auth/sessions']
      const collector = by((await make('admin', { scopes: ['metrics:read'] })).key)
      expect(await statuses(collector, ...metrics)).toEqual([200, 200, 200])
      expect(await statuses(collector, ...others)).toEqual([403, 403, 403, 403])
      expect(await statuses(by((await make('admin', { scopes: ['write'] })).key), ...metrics)).toEqual([403, 403, 403])
      expect(await statuses(by((await make('client', { scopes: ['metrics:read'] })).key), ...metrics)).toEqual([
        403, 403, 403,
      ])
    })

    test('name no users in the history of records without users:read', async () => {
      const admin = service().as('admin')
      expect((await admin.patch('/api/rest/countries/GR', { capital: 'Athens!' })).status).toBe(200)
      const changesFor = async (scopes: readonly string[]) => {
        const { body } = await by((await make('admin', { scopes })).key).get('/api/rest/countries/GR/history', json)
        return body.content[0]
      }
      expect(await changesFor(['countries:read', 'users:read'])).toMatchObject({ by: { username: 'admin' } })
      expect(await changesFor(['countries:read'])).toMatchObject({ change: 'updated', by: null, address: null })
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
      const profile = (await client.get(user, json)).body
      expect(profile.roles.every((role: { name?: string }) => role.name === undefined)).toBe(true)
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
    const { paths } = (await service().as('anonymous').get('/api/openapi.json')).body
    const keys = [await make('admin', { scopes: ['read'] }), await make('admin', { scopes: ['write'], readOnly: true })]
    const passed: string[] = []
    let requestCount = 0
    for (const [place, [at, item]] of Object.entries<Record<string, unknown>>(paths).entries())
      for (const [number, method] of ['post', 'put', 'patch', 'delete'].entries()) {
        if (!item[method]) continue
        // In `npm test` the keys take turns over the addresses and the methods.
        for (const { key } of inTurn(keys, place + number)) {
          const target = at.replaceAll(/\{\w+\}/g, pks.client)
          const { status } = await by(key)(target, { method: method.toUpperCase(), body: {} })
          requestCount += 1
          if (status !== 403 && status !== 406 && status !== 415) passed.push(`${method} ${target} ${status}`)
        }
      }
    expect(requestCount).toBeGreaterThan(extent(100, 200))
    expect(passed).toEqual([])
  }, 120_000)

  describe('uploads', () => {
    /** All that takes files, by the resource that they belong to. */
    const owners: Readonly<Record<string, () => Promise<string>>> = {
      users: async () => pks.client,
      clientErrors: async () => {
        const report = { message: 'it broke' }
        return (await service().as('client').post('/api/rest/clientErrors', report, json)).body.pk
      },
    }
    const send = (key: string, to: string) => {
      const headers = { Authorization: `Bearer ${key}` }
      return upload(service(), { as: 'anonymous', to, headers }, { note: 'some words' })
    }
    const keptFiles = async () =>
      (await readdir(service().folder, { recursive: true, withFileTypes: true }))
        .filter(one => one.isFile() && !one.name.startsWith('plinth.db'))
        .map(({ name }) => name)

    test('are known to these tests', async () => {
      const { paths } = (await service().as('anonymous').get('/api/openapi.json')).body
      const taking = Object.keys(paths).filter(at => paths[at].post?.requestBody?.content['multipart/form-data'])
      const known = Object.keys(owners).map(name => `/api/rest/${name}/{pk}/files`)
      expect(taking.sort()).toEqual(known.sort())
    })

    test.each(everyThird(Object.entries(owners)))('to %s are for keys that may write there', async (name, owner) => {
      const to = `/api/rest/${name}/${await owner()}/files`
      const before = await keptFiles()
      for (const more of [
        { scopes: ['read'] },
        { scopes: [`${name}:read`] },
        { scopes: ['write'], readOnly: true },
        { scopes: [`${name}:write`], readOnly: true },
        { scopes: ['read', 'hosts:write'] },
        { scopes: ['hosts:write'] },
      ]) {
        const { status } = await send((await make('admin', more)).key, to)
        expect([more, status]).toEqual([more, 403])
      }
      expect(await keptFiles()).toEqual(before)
      expect((await service().as('admin').get(to, json)).body.files).toEqual([])
      for (const scope of ['write', `${name}:write`])
        expect((await send((await make('admin', { scopes: [scope] })).key, to)).status).toBeLessThan(300)
      expect((await keptFiles()).length).toBe(before.length + 1)
    })
  })

  test('no key opens accounts, management, mails that open accounts, or other keys, whatever its scopes', async () => {
    const client = by((await make('admin', { scopes: ['write'] })).key)
    const { paths } = (await service().as('anonymous').get('/api/openapi.json')).body
    const closed =
      /^\/(api\/auth|apiauth|api\/management)\b|^\/api\/rest\/(apiKeys\b|userCredentials\b|mails\/\{pk\}\/message$)/
    const opened: string[] = []
    for (const [at, item] of Object.entries<Record<string, unknown>>(paths).filter(([at]) => closed.test(at)))
      for (const method of ['get', 'post', 'put', 'patch', 'delete'].filter(name => item[name])) {
        const plain = at.replaceAll(/\{\w+\}/g, pks.client)
        for (const target of [plain, spelledOtherwise(plain)]) {
          const body = method === 'get' ? {} : { body: {} }
          const { status } = await client(target, { method: method.toUpperCase(), ...body })
          if (status !== 403) opened.push(`${method} ${target} ${status}`)
        }
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
})

/** The same path for every router, and another text. */
const spelledOtherwise = (path: string): string =>
  path.replaceAll(/\/([a-z])/g, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`)
