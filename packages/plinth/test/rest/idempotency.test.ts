// Idempotency-Key: a repeated POST is done once and answered alike.

import { randomBytes } from 'node:crypto'
import { databases, featureDatabases, featureTest, type TestedDatabase } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { column, fresh, make, speaking, startLibrary } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { type Client, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { input, secret } from '../../src/core/model/fields.ts'
import { everything } from '../../src/core/model/query.ts'
import { defineModule } from '../../src/core/module.ts'
import { until } from '../../src/testing/waiting.ts'

const hour = 3600_000

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const testOnce = featureTest(import.meta.url, database)
  let service: TestService
  let staff: Client
  let now = Date.parse('2031-01-01T00:00:00Z')
  beforeAll(async () => {
    service = await startLibrary(database, { clock: () => new Date(now) })
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const post = (key: string, body: unknown, headers = {}) =>
    staff.post('/api/rest/books', body, { 'Idempotency-Key': key, ...headers })
  const found = async (title: string) => column(await staff.get(`/api/rest/books?title=${title}`), 'pk')

  testOnce('the same request again gets the first answer, to the letter, and writes nothing', async () => {
    const [key, title] = [fresh('key'), fresh('T')]
    const first = await post(key, { title })
    await staff.patch(`/api/rest/books/${first.body.pk}`, { pages: 5 })
    const again = await post(key, { title })
    expect([again.status, again.text]).toEqual([201, first.text])
    for (const name of ['location', 'etag', 'content-type', 'cache-control']) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)])
    }
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ])
    expect(await found(title)).toEqual([first.body.pk])
  })

  testOnce('a repeated request is refused when the caller has lost rights since, or comes with less', async () => {
    const admin = service.as('admin')
    const roles = (await admin.get('/api/rest/roles?page=no', { Accept: 'application/json' })).body.content
    const pksOf = (...names: string[]) =>
      roles.filter((role: { name: string }) => names.includes(role.name)).map((role: { pk: string }) => role.pk)
    const [username, password] = [fresh('clerk'), 'a password for a clerk']
    const person = { username, password, roles: pksOf('ROLE_USER', 'ROLE_STAFF') }
    const { pk } = await make(admin, 'users', person)
    const clerk = clientFor(service.url, { Authorization: `Basic ${btoa(`${username}:${password}`)}` })
    const scope = { name: 'k', scopes: ['write'], expirationDate: new Date(now + hour).toISOString() }
    const { key: apiKey } = await make(clerk, 'apiKeys', scope)
    const atomic = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const adding = { 'atomic:operations': [{ op: 'add', data: { type: 'books', attributes: { title: fresh('T') } } }] }
    const asks: readonly { path: string; body: object; headers: Record<string, string> }[] = [
      { path: '/api/rest/books', body: { title: fresh('T') }, headers: { 'Idempotency-Key': fresh('key') } },
      {
        path: '/api/rest/operations',
        body: adding,
        headers: { 'Idempotency-Key': fresh('key'), 'Content-Type': atomic, Accept: atomic },
      },
    ]
    const statuses = async (client: Client) => {
      const found: number[] = []
      for (const { path, body, headers } of asks) found.push((await client.post(path, body, headers)).status)
      return found
    }
    expect(await statuses(clerk)).toEqual([201, 200])
    expect(await statuses(clientFor(service.url, { 'X-API-Key': String(apiKey) }))).toEqual([403, 403])
    expect(await statuses(clerk)).toEqual([201, 200])
    await admin.patch(`/api/rest/users/${pk}`, { roles: pksOf('ROLE_USER') })
    expect(await statuses(clerk)).toEqual([403, 403])
    await admin.patch(`/api/rest/users/${pk}`, { roles: pksOf('ROLE_USER', 'ROLE_STAFF', 'ROLE_SITE_OPERATOR') })
    expect(await statuses(clerk)).toEqual([201, 200])
    await admin.patch(`/api/rest/userCredentials/${pk}`, { active: false })
    expect(await statuses(clerk)).toEqual([401, 401])
  })

  testOnce('a request that was sent with an API key is not repeated after the key was revoked', async () => {
    const scope = { name: 'k', scopes: ['write'], expirationDate: new Date(now + hour).toISOString() }
    const { pk, key } = await make(staff, 'apiKeys', scope)
    const program = clientFor(service.url, { 'X-API-Key': String(key) })
    const [body, headers] = [{ title: fresh('T') }, { 'Idempotency-Key': fresh('key') }]
    const ask = async () => (await program.post('/api/rest/books', body, headers)).status
    expect([await ask(), await ask()]).toEqual([201, 201])
    expect((await staff.delete(`/api/rest/apiKeys/${pk}`)).status).toBe(204)
    expect(await ask()).toBe(401)
  })

  testOnce('the key is bound to its request: another body, address or format is 422', async () => {
    const [key, title] = [fresh('key'), fresh('T')]
    await post(key, { title })
    for (const ask of [
      () => post(key, { title: 'another' }),
      () => staff.post('/api/rest/books?fields=title', { title }, { 'Idempotency-Key': key }),
      () => staff.post('/api/rest/authors', { title }, { 'Idempotency-Key': key }),
    ]) {
      const refused = await ask()
      expect([refused.status, refused.body.code]).toEqual([422, 'key_reused'])
    }
    expect(await found('another')).toEqual([])
  })

  testOnce('each caller has keys of their own', async () => {
    const [key, title] = [fresh('key'), fresh('T')]
    const first = await post(key, { title })
    const other = await service.as('simple').post('/api/rest/books', { title }, { 'Idempotency-Key': key })
    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect((await found(title)).sort()).toEqual([first.body.pk, other.body.pk].sort())
  })

  test('of twenty at once exactly one writes; the others get a 409 or its answer', async () => {
    const [key, title] = [fresh('key'), fresh('T')]
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(key, { title })))
    const [pk, ...more] = await found(title)
    expect(more).toEqual([])
    for (const answer of answers) {
      if (answer.status === 409) expect(answer.body.code).toBe('in_progress')
      else expect([answer.status, answer.body.pk]).toEqual([201, pk])
    }
    expect(answers.some(answer => answer.status === 201)).toBe(true)
    expect((await post(key, { title })).body.pk).toBe(pk)
  })

  testOnce('a failure leaves the key free: the request may be mended and sent again', async () => {
    const [key, title] = [fresh('key'), fresh('T')]
    expect((await post(key, { title, pages: 'x' })).status).toBe(400)
    expect((await post(key, { title: 'refused' })).status).toBe(409)
    expect((await post(key, { title: 'breaks afterwards' })).status).toBe(409)
    expect((await post(key, { title, stars: 3 }, { Authorization: 'Basic bm86bm8=' })).status).toBe(401)
    expect((await post(key, { title })).status).toBe(201)
    expect(await found(title)).toHaveLength(1)
  })

  testAll('a list, an atomic request and a change of links are done once too', async () => {
    const [title, ext] = [fresh('T'), 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"']
    const book = await make(staff, 'books', { title: fresh('B') })
    const author = await make(staff, 'authors', { name: fresh('A') })
    const asks: [string, unknown, Record<string, string>][] = [
      ['books', [{ title }, { title }], {}],
      [
        'operations',
        { 'atomic:operations': [{ op: 'add', data: { type: 'books', attributes: { title } } }] },
        { 'Content-Type': ext, Accept: ext },
      ],
      [`books/${book.pk}/relationships/authors`, { data: [{ type: 'authors', id: author.pk }] }, speaking],
    ]
    for (const [path, body, headers] of asks) {
      const sent = { ...headers, 'Idempotency-Key': fresh('key') }
      const [first, again] = [
        await staff.post(`/api/rest/${path}`, body, sent),
        await staff.post(`/api/rest/${path}`, body, sent),
      ]
      expect([path, again.status, again.text]).toEqual([path, first.status, first.text])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    }
    expect(await found(title)).toHaveLength(3)
  })

  testOnce.each(['', 'x'.repeat(256), 'with blank', 'ümlaut'])('the key %j is refused', async key => {
    const refused = await post(encodeURI(key) === key ? key : Buffer.from(key).toString('latin1'), { title: 'T' })
    expect([refused.status, refused.body.code]).toEqual([400, 'bad_request'])
  })

  testOnce('after a day the key is free again', async () => {
    const [key, title] = [fresh('key'), fresh('T')]
    await post(key, { title })
    now += 24 * hour - 1
    expect((await post(key, { title })).headers.get('idempotency-replayed')).toBe('true')
    expect((await post(key, { title: 'another' })).status).toBe(422)
    now += 1
    expect((await post(key, { title: `${title}-later` })).status).toBe(201)
    expect((await post(key, { title: `${title}-later` })).headers.get('idempotency-replayed')).toBe('true')
  })

  // The last test of this file shows it on PostgreSQL.
  testAll('several instances on one database do it once', async () => {
    const { settings, remove } = await keepDatabase(database)
    const instances = [await startLibrary(database, { settings }), await startLibrary(database, { settings })]
    try {
      const key = fresh('key')
      const replayed: (string | null)[] = []
      for (const instance of instances) {
        const headers = { 'Idempotency-Key': key }
        const answer = await instance.as('staff').post('/api/rest/books', { title: key }, headers)
        expect(answer.status).toBe(201)
        replayed.push(answer.headers.get('idempotency-replayed'))
      }
      expect(replayed).toEqual([null, 'true'])
    } finally {
      for (const instance of instances) await instance.stop()
      await remove()
    }
  })

  testOnce('keys survive a restart, and those whose time is over are forgotten in the background', async () => {
    const { settings, remove } = await keepDatabase(database)
    const start = () => startLibrary(database, { clock: () => new Date(now), settings })
    const kept = ({ app: { platform } }: TestService) =>
      platform.store.count(platform.registry.resource('idempotencyKeys'), null)
    const [first, second] = [fresh('key'), fresh('key')]
    const ask = (running: TestService, key: string) =>
      running.as('staff').post('/api/rest/books', { title: key }, { 'Idempotency-Key': key })
    const before = await start()
    await ask(before, first)
    now += 23 * hour
    await ask(before, second)
    expect(await kept(before)).toBe(2)
    await before.stop()
    now += hour
    const after = await start()
    try {
      await expect.poll(() => kept(after)).toBe(1)
      expect((await ask(after, second)).headers.get('idempotency-replayed')).toBe('true')
      expect((await ask(after, first)).headers.get('idempotency-replayed')).toBeNull()
    } finally {
      await after.stop()
      await remove()
    }
  })
})

describe('what is kept of a request', () => {
  const title = fresh('T')
  const key = crypto.randomUUID()
  /** Returns the fingerprint of the same request in a database of its own. */
  const fingerprintWith = async (settings: Record<string, string>, sent = { key, title }): Promise<unknown> => {
    const service = await startLibrary('sqlite', { settings })
    const headers = { 'Idempotency-Key': sent.key }
    expect((await service.as('staff').post('/api/rest/books', { title: sent.title }, headers)).status).toBe(201)
    const { store } = service.app.platform
    const keys = store.resource('idempotencyKeys')
    const { records } = await store.find(keys, everything(keys))
    await service.stop()
    expect(records).toHaveLength(1)
    return records[0]?.fingerprint
  }

  test('cannot be compared with guesses of its body without the keys of the service and the request', async () => {
    const ours = { 'app.auth.sealingKey': randomBytes(48).toString('base64url') }
    const others = { 'app.auth.sealingKey': randomBytes(48).toString('base64url') }
    const fingerprint = await fingerprintWith(ours)
    expect(await fingerprintWith(ours)).toBe(fingerprint)
    for (const [settings, sent] of extent(
      [[others], [ours, { key: crypto.randomUUID(), title }]] as const,
      [[others], [{}], [ours, { key: crypto.randomUUID(), title }], [ours, { key, title: 'another' }]] as const,
    ))
      expect(await fingerprintWith(settings, sent)).not.toBe(fingerprint)
  })
})

describe.each(extent<readonly TestedDatabase[]>(['sqlite'], databases))(
  'after an upgrade or with another key of the service, on %s',
  database => {
    test('a key that was used before gets its first answer', async () => {
      const { settings, remove } = await keepDatabase(database)
      onTestFinished(remove)
      const sealingKey = () => randomBytes(48).toString('base64url')
      const start = async () => {
        const service = await startLibrary(database, { settings: { ...settings, 'app.auth.sealingKey': sealingKey() } })
        onTestFinished(service.stop)
        return service
      }
      const ask = (service: TestService, key: string) =>
        service.as('staff').post('/api/rest/books', { title: key }, { 'Idempotency-Key': key })
      const [first, second] = [fresh('key'), fresh('key')]
      const before = await start()
      const [firstPk, secondPk] = [(await ask(before, first)).body.pk, (await ask(before, second)).body.pk]
      await before.app.close()
      const after = await start()
      const again = await ask(after, first)
      expect([again.status, again.headers.get('idempotency-replayed'), again.body.pk]).toEqual([201, 'true', firstPk])

      // As versions before the present form of fingerprints left it.
      await after.app.platform.store.transaction(async tx => {
        const keys = tx.resource('idempotencyKeys')
        const { records } = await tx.find(keys, everything(keys))
        for (const { pk } of records) await tx.update(keys, pk, { fingerprint: randomBytes(32).toString('hex') })
      })
      const older = await ask(after, second)
      expect([older.status, older.headers.get('idempotency-replayed'), older.body.pk]).toEqual([201, 'true', secondPk])
    })
  },
)

test('on PostgreSQL, a request that is under way at another running instance is in progress', async () => {
  let finish = () => {}
  const onBegin = vi.fn<() => void>()
  const vaults = defineResource('vaults', {
    about: 'What opens to a code.',
    fields: {
      code: input(secret({ max: 20 }), async plain => {
        onBegin()
        await new Promise<void>(resolve => {
          finish = resolve
        })
        return plain
      }),
    },
    access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
  })
  const { settings, remove } = await keepDatabase('postgres')
  onTestFinished(remove)
  const start = async () => {
    const module = defineModule({ name: 'vaults', about: 'Vaults.', resources: [vaults] })
    const service = await startService('postgres', { modules: [...modules, module], settings })
    onTestFinished(service.stop)
    return service
  }
  const [here, there] = [await start(), await start()]
  const ask = ({ as }: TestService) =>
    as('staff').post('/api/rest/vaults', { code: '1234' }, { 'Idempotency-Key': 'shared' })
  const first = ask(here)
  await until('the request to begin its work', () => onBegin.mock.calls.length > 0)
  expect((await ask(there)).body.code).toBe('in_progress')
  finish()
  const { status, body } = await first
  expect(status).toBe(201)
  expect((await ask(there)).body.pk).toBe(body.pk)
  expect(onBegin).toHaveBeenCalledTimes(1)
})
