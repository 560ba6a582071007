import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { databases, startService, type TestService } from '../support/service.ts'
import { type Connected, connect, credentialsOf } from './subscriber.ts'

describe.each(databases)('on %s', database => {
  let service: TestService
  const open: Connected[] = []
  const as = async (user: Parameters<typeof credentialsOf>[0]) => {
    const connected = await connect(service.url, credentialsOf(user))
    open.push(connected)
    return connected
  }
  beforeAll(async () => {
    service = await startService(database)
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
})
