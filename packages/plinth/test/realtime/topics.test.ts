import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { type Connected, connect, credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { ref, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'

const common = { about: 'Of the test.', access: { read: 'true', write: 'true' } } as const
const folders = defineModule({
  name: 'folders',
  about: 'Folders within folders, and pages in them.',
  resources: [
    defineResource('folders', { ...common, fields: { within: ref('folders', { onDelete: 'cascade' }) } }),
    defineResource('pages', {
      ...common,
      fields: { title: text(), folder: ref('folders', { required: true, onDelete: 'cascade' }) },
    }),
  ],
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  const open: Connected[] = []
  const as = async (user: Parameters<typeof credentialsOf>[0]) => {
    const connected = await connect(service.url, credentialsOf(user))
    open.push(connected)
    return connected
  }
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, folders] })
  })
  afterEach(async () => {
    for (const one of open.splice(0)) await one.disconnect()
  })
  afterAll(() => service.stop())

  test('a subscriber hears of what is created, updated and deleted, in order', async () => {
    const admin = service.as('admin')
    const inbox = await (await as('client')).listen('/topic/hosts')
    const { pk } = (await admin.post('/api/rest/hosts', { name: 'one.example' })).body
    await admin.patch(`/api/rest/hosts/${pk}`, { description: 'first' })
    await admin.delete(`/api/rest/hosts/${pk}`)
    const changes = await inbox.until(3)
    expect(changes.map(({ type, resource, pk }) => [type, resource, pk])).toEqual([
      ['created', 'hosts', pk],
      ['updated', 'hosts', pk],
      ['deleted', 'hosts', pk],
    ])
    const sequences = changes.map(change => change.sequence)
    expect(sequences).toEqual([...sequences].sort((left, right) => left - right))
    expect(new Set(sequences).size).toBe(3)
    expect(inbox.messages.map(message => Number(message.headers.sequence))).toEqual(sequences)
    expect(changes[0]).not.toHaveProperty('record')
  })

  test('who asks for it gets the record as REST shows it', async () => {
    const inbox = await (await as('client')).listen('/topic/hosts', { record: 'true' })
    const { pk } = (await service.as('admin').post('/api/rest/hosts', { name: 'two.example' })).body
    const [change] = await inbox.until(1)
    const found = await service.as('client').get(`/api/rest/hosts/${pk}`, { Accept: 'application/json' })
    expect(change?.record).toEqual(found.body)
  })

  test('deleting a user tells of all that goes with them', async () => {
    const admin = service.as('admin')
    const [one, two] = [await newUser(admin, 'goes'), await newUser(admin, 'stays')]
    await admin.post('/api/rest/friendships', { owner: one, friend: two }, { 'Content-Type': 'application/json' })
    const connected = await as('admin')
    const [friendships, users] = [await connected.listen('/topic/friendships'), await connected.listen('/topic/users')]
    expect((await admin.delete(`/api/rest/users/${one}`)).status).toBe(204)
    await users.find(change => change.pk === one && change.type === 'deleted')
    expect(
      (await friendships.until(2)).map(({ type, pk }) => [type, pk]).sort((left, right) => (left < right ? -1 : 1)),
    ).toEqual(
      [
        ['deleted', `${one}_${two}`],
        ['deleted', `${two}_${one}`],
      ].sort((left, right) => (left < right ? -1 : 1)),
    )
  })

  test('deleting a record sends a deletion for each record of the same resource that goes with it', async () => {
    const admin = service.as('admin')
    const make = async (resource: string, values: object): Promise<string> => {
      const made = await admin.post(`/api/rest/${resource}`, values, { Accept: 'application/json' })
      expect(made).toHaveStatus(201)
      return made.body.pk
    }
    const outer = await make('folders', {})
    const inner = await make('folders', { within: outer })
    const innermost = await make('folders', { within: inner })
    const page = await make('pages', { title: 'deep', folder: innermost })
    const connected = await as('admin')
    const [folders, pages] = [await connected.listen('/topic/folders'), await connected.listen('/topic/pages')]
    expect((await admin.delete(`/api/rest/folders/${outer}`)).status).toBe(204)
    expect((await pages.until(1)).map(({ type, pk }) => [type, pk])).toEqual([['deleted', page]])
    const deleted = await folders.until(3)
    expect(deleted.map(({ type, pk }) => `${type} ${pk}`).sort()).toEqual(
      [outer, inner, innermost].map(pk => `deleted ${pk}`).sort(),
    )
  })

  test('records of a shared table are sent to both topics, once each', async () => {
    const connected = await as('operator')
    const [whole, clients, systems] = [
      await connected.listen('/topic/allErrors'),
      await connected.listen('/topic/clientErrors'),
      await connected.listen('/topic/systemErrors'),
    ]
    const { pk } = (await service.as('anonymous').post('/api/rest/clientErrors', { message: 'it broke' })).body
    await service
      .as('admin')
      .patch(`/api/rest/allErrors/${pk}`, { message: 'it broke again' }, { 'Content-Type': 'application/json' })
    const received = [
      ['created', 'allErrors', pk],
      ['updated', 'allErrors', pk],
    ]
    expect((await whole.until(2)).map(({ type, resource, pk }) => [type, resource, pk])).toEqual(received)
    expect((await clients.until(2)).map(({ type, resource, pk }) => [type, resource, pk])).toEqual(
      received.map(([type, , pk]) => [type, 'clientErrors', pk]),
    )
    expect(systems.messages).toHaveLength(0)
  })

  testAll('every way to write sends events: links, atomic operations, a whole list', async () => {
    const admin = service.as('admin')
    const user = await newUser(admin, 'linked')
    const inbox = await (await as('client')).listen('/topic/users')
    const role = (await admin.post('/api/rest/roles', { name: 'ROLE_LINKED' }, { Accept: 'application/json' })).body.pk
    const linked = await admin.post(
      `/api/rest/users/${user}/relationships/roles`,
      { data: [{ type: 'roles', id: role }] },
      { 'Content-Type': 'application/vnd.api+json' },
    )
    expect(linked.status).toBe(204)
    expect(await inbox.find(change => change.pk === user)).toMatchObject({ type: 'updated' })
    const hosts = await (await as('client')).listen('/topic/hosts')
    await admin.post(
      '/api/rest/operations',
      {
        'atomic:operations': [
          { op: 'add', data: { type: 'hosts', attributes: { name: 'atomic-one.example' } } },
          { op: 'add', data: { type: 'hosts', attributes: { name: 'atomic-two.example' } } },
        ],
      },
      { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' },
    )
    expect((await hosts.until(2)).map(change => change.type)).toEqual(['created', 'created'])
    const refused = await admin.post('/api/rest/hosts', [{ name: 'half.example' }, { name: 'atomic-one.example' }])
    expect(refused.status).toBe(409)
    const last = (await admin.post('/api/rest/hosts', { name: 'whole.example' })).body.pk
    expect((await hosts.until(3))[2]?.pk).toBe(last)
  })
})

const newUser = async (admin: Client, username: string): Promise<string> => {
  const made = await admin.post('/api/rest/users', { username }, { Accept: 'application/json' })
  expect(made).toHaveStatus(201)
  return made.body.pk
}

describe.each(featureDatabases(import.meta.url))('with a rule on %s that looks at', database => {
  const start = (rule: string) =>
    startService(database, { settings: { 'app.modules': '', 'app.access.hosts.read': rule } })

  test('the record, a change is sent as the subscriber sees it', { timeout: 120_000 }, async () => {
    const service = await start("record.description == 'open'")
    const admin = service.as('admin')
    const connected = await connect(service.url, credentialsOf('client'))
    const inbox = await connected.listen('/topic/hosts', { record: 'true' })
    const make = async (name: string, description: string) =>
      (await admin.post('/api/rest/hosts', { name, description })).body.pk
    const [visible, hidden] = [await make('shown.example', 'open'), await make('hidden.example', 'secret')]
    await admin.patch(`/api/rest/hosts/${hidden}`, { aliases: ['still.hidden.example'] })
    await admin.patch(`/api/rest/hosts/${hidden}`, { description: 'open' })
    await admin.patch(`/api/rest/hosts/${visible}`, { aliases: ['seen.example'] })
    await admin.patch(`/api/rest/hosts/${visible}`, { description: 'secret' })
    await admin.delete(`/api/rest/hosts/${visible}`)
    await admin.delete(`/api/rest/hosts/${hidden}`)
    const end = await make('end.example', 'open')
    await inbox.find(change => change.pk === end)
    expect(inbox.bodies().map(({ type, pk }) => [type, pk])).toEqual([
      ['created', visible],
      ['created', hidden],
      ['updated', visible],
      ['deleted', visible],
      ['deleted', hidden],
      ['created', end],
    ])
    const records = inbox.bodies().flatMap(change => change.record ?? [])
    expect(records.every(record => record.description === 'open')).toBe(true)
    await connected.disconnect()
    await service.stop()
  })

  testAll(
    'another record, existing records are read again, and deletions are not reported',
    {
      timeout: 120_000,
    },
    async () => {
      const service = await start("record.country.name == 'Greece'")
      const admin = service.as('admin')
      const connected = await connect(service.url, credentialsOf('client'))
      const inbox = await connected.listen('/topic/hosts')
      const make = async (name: string, country: string) =>
        (await admin.post('/api/rest/hosts', { name, country })).body.pk
      const [greek, italian] = [await make('greek.example', 'GR'), await make('italian.example', 'IT')]
      await inbox.find(change => change.pk === greek)
      await admin.patch(`/api/rest/hosts/${italian}`, { description: 'bella' })
      await admin.patch(`/api/rest/hosts/${greek}`, { description: 'oraia' })
      await inbox.find(change => change.pk === greek && change.type === 'updated')
      await admin.delete(`/api/rest/hosts/${italian}`)
      await admin.delete(`/api/rest/hosts/${greek}`)
      const end = await make('end.example', 'GR')
      await inbox.find(change => change.pk === end)
      expect(inbox.bodies().map(({ type, pk }) => [type, pk])).toEqual([
        ['created', greek],
        ['updated', greek],
        ['created', end],
      ])
      await connected.disconnect()
      await service.stop()
    },
  )
})
