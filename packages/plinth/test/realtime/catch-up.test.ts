// Catching up must not hold up others: it runs in small steps, one subscription of a user at a time.

import { featureDatabases } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { type Client, type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { type Connected, connect, credentialsOf, type ReceivedChanges } from '@plinth/test-kit/stomp-subscriber'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
    admin = service.as('admin')
  })
  afterAll(() => service.stop())

  const make = async (resource: string, names: readonly string[]): Promise<void> => {
    for (let at = 0; at < names.length; at += 300) {
      const records = names.slice(at, at + 300).map(name => ({ name }))
      expect((await admin.post(`/api/rest/${resource}`, records, { Prefer: 'return=minimal' })).status).toBe(201)
    }
  }
  const placeNow = async (): Promise<string> => {
    const connected = await connect(service.url, credentialsOf('client'))
    const { since } = await connected.listen('/topic/hosts')
    await connected.disconnect()
    return String(since)
  }

  testAll('requests are answered while many subscriptions catch up', { timeout: 120_000 }, async () => {
    const since = await placeNow()
    const count = extent(500, 3000)
    await make(
      'hosts',
      Array.from({ length: count }, (_, at) => `busy${at}.example`),
    )
    const connections: Connected[] = []
    for (const user of ['client', 'simple'] as readonly DemoUser[])
      for (let number = 0; number < 8; number++) connections.push(await connect(service.url, credentialsOf(user)))
    const listening = connections.map(connected =>
      connected.listen('/topic/hosts', { 'last-sequence': since, record: 'true' }),
    )
    let inboxes: readonly ReceivedChanges[] = []
    const confirmed = Promise.all(listening).then(all => {
      inboxes = all
    })
    const isCaughtUp = () => inboxes.length > 0 && inboxes.every(({ messages }) => messages.length >= count)
    let answered = 0
    for (; !isCaughtUp(); answered++)
      expect((await service.as('anonymous').get('/api/rest/continents?_ps=1')).status).toBe(200)
    await confirmed
    expect(answered, `answered during the catch-up of ${count} changes`).toBeGreaterThan(5)
    for (const inbox of inboxes) {
      const sequences = inbox.bodies().map(({ sequence }) => sequence)
      expect(sequences).toHaveLength(count)
      expect(sequences).toEqual([...sequences].sort((left, right) => left - right))
    }
    for (const connected of connections) await connected.disconnect()
  })

  test('the subscriptions of a user catch up one after the other', async () => {
    const since = await placeNow()
    const names = Array.from({ length: 200 }, (_, at) => at)
    await make(
      'hosts',
      names.map(at => `turn${at}.example`),
    )
    await make(
      'roles',
      names.map(at => `ROLE_TURN_${at}`),
    )
    const connected = await connect(service.url, credentialsOf('client'))
    const order: string[] = []
    const headers = { 'last-sequence': since }
    for (const topic of ['/topic/hosts', '/topic/roles'])
      connected.stomp.subscribe(topic, ({ headers: { destination = '' } }) => order.push(destination), headers)
    await expect.poll(() => order.length, { timeout: 30_000 }).toBe(400)
    expect(order.lastIndexOf('/topic/hosts')).toBeLessThan(order.indexOf('/topic/roles'))
    await connected.disconnect()
  })

  testAll('a client that does not read holds up no other client of its user', { timeout: 60_000 }, async () => {
    const since = await placeNow()
    const logs = Array.from({ length: 60 }, (_, at) => ({ stacktrace: `${at} ${'x'.repeat(39_000)}` }))
    for (let at = 0; at < logs.length; at += 20)
      expect((await admin.post('/api/rest/errorLogs', logs.slice(at, at + 20), json)).status).toBe(201)
    const leaving = new AbortController()
    const headers = { ...credentialsOf('operator'), 'Last-Event-ID': since }
    const url = `${service.url}/api/rest/events?topic=errorLogs&record=true`
    const deaf = await fetch(url, { headers, signal: leaving.signal })
    expect(deaf.status).toBe(200)
    const reader = await connect(service.url, credentialsOf('operator'))
    const inbox = await reader.listen('/topic/errorLogs', { 'last-sequence': since, record: 'true' })
    expect(await inbox.until(60)).toHaveLength(60)
    leaving.abort()
    await reader.disconnect()
  })
})

describe('limits of a user', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService('sqlite', {
      settings: {
        'app.modules': '',
        'app.realtime.maxConnectionsPerUser': '3',
        'app.realtime.maxSubscriptionsPerUser': '4',
      },
    })
  })
  afterAll(() => service.stop())

  test('subscriptions count on all connections together', async () => {
    const [one, two] = [
      await connect(service.url, credentialsOf('client')),
      await connect(service.url, credentialsOf('client')),
    ]
    for (const topic of ['hosts', 'roles', 'users']) await one.listen(`/topic/${topic}`)
    await two.listen('/topic/hosts')
    const refused = await service.as('client').get('/api/rest/events?topic=roles')
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    await expect(two.listen('/topic/roles')).rejects.toThrow('too many subscriptions')
    // Its connection has ended, and with it its subscription.
    await two.closed
    await one.listen('/topic/countries')
    const other = await connect(service.url, credentialsOf('simple'))
    await other.listen('/topic/hosts')
    await one.disconnect()
    await other.disconnect()
  })

  test('a topic is subscribed to once on each connection', async () => {
    const connected = await connect(service.url, credentialsOf('client'))
    await connected.listen('/topic/hosts')
    await expect(connected.listen('/topic/hosts', { record: 'true' })).rejects.toThrow('duplicate topic')
    await connected.closed
    const twice = await service.as('client').get('/api/rest/events?topic=hosts&topic=/topic/hosts')
    expect([twice.status, twice.body.code]).toEqual([400, 'bad_parameter'])
  })
})
