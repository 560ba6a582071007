import { rm } from 'node:fs/promises'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { connect, credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'

const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
  })
  afterAll(() => service.stop())

  const makeHosts = async (name: string, count: number): Promise<string[]> => {
    const hosts = Array.from({ length: count }, (_, at) => ({ name: `${name}${at}.example` }))
    const made = await service.as('admin').post('/api/rest/hosts', hosts, { Accept: 'application/json' })
    return made.body.content.map((one: { pk: string }) => one.pk)
  }

  test('a client that resumes with its last sequence gets what it missed, then new events', async () => {
    const first = await connect(service.url, credentialsOf('client'))
    const heard = await first.listen('/topic/hosts')
    const [before] = await makeHosts('before', 1)
    const [{ sequence } = { sequence: 0 }] = await heard.until(1)
    first.drop()
    const missed = await makeHosts('missed', 25)
    const second = await connect(service.url, credentialsOf('client'))
    const inbox = await second.listen('/topic/hosts', { 'last-sequence': String(sequence) })
    const later = await makeHosts('later', 5)
    const changes = await inbox.until(30)
    expect(changes.map(change => change.pk)).toEqual([...missed, ...later])
    expect(changes.map(change => change.pk)).not.toContain(before)
    await second.disconnect()
  })

  test('the receipt tells a place to come back to before anything has happened', async () => {
    const first = await connect(service.url, credentialsOf('client'))
    const { since } = await first.listen('/topic/roles')
    first.drop()
    const { pk } = (
      await service.as('admin').post('/api/rest/roles', { name: 'ROLE_LATE' }, { Accept: 'application/json' })
    ).body
    const second = await connect(service.url, credentialsOf('client'))
    const inbox = await second.listen('/topic/roles', { 'last-sequence': String(since) })
    expect((await inbox.until(1)).map(change => [change.type, change.pk])).toEqual([['created', pk]])
    await second.disconnect()
  })

  test('a client that resumes gets all it missed, even more than its queue holds', { timeout: 120_000 }, async () => {
    const admin = service.as('admin')
    const first = await connect(service.url, credentialsOf('operator'))
    const { since } = await first.listen('/topic/errorLogs')
    first.drop()
    const count = 120
    const logs = Array.from({ length: count }, (_, at) => ({ stacktrace: `${at} ${'x'.repeat(39_000)}` }))
    for (let at = 0; at < count; at += 20)
      expect((await admin.post('/api/rest/errorLogs', logs.slice(at, at + 20), json)).status).toBe(201)
    const second = await connect(service.url, credentialsOf('operator'))
    const inbox = await second.listen('/topic/errorLogs', { 'last-sequence': String(since), record: 'true' })
    const changes = await inbox.until(count)
    expect(changes.map(change => Number.parseInt(change.record.stacktrace, 10))).toEqual([...logs.keys()])
    await second.disconnect()
  })

  test.each([
    ['999999999', 'reload'],
    ['-1', 'bad last-sequence'],
    ['x', 'bad last-sequence'],
  ])('a last sequence of %s is answered by the ERROR %s', async (last, message) => {
    const connected = await connect(service.url, credentialsOf('client'))
    await expect(connected.listen('/topic/hosts', { 'last-sequence': last })).rejects.toThrow(message)
    await connected.closed
  })

  test('events that were pruned cannot be sent: ERROR reload', async () => {
    const connected = await connect(service.url, credentialsOf('client'))
    const { since } = await connected.listen('/topic/hosts')
    await makeHosts('pruned', 30)
    const { events } = service.app.platform.store
    await until('30 events', async () => (await events.window()).latest >= since + 30)
    // The newest always stays.
    while ((await events.prune({ hours: 1000, rows: 5 })) > 0);
    const window = await events.window()
    expect(window.latest - window.oldest + 1).toBe(5)
    const [second, third] = [
      await connect(service.url, credentialsOf('client')),
      await connect(service.url, credentialsOf('client')),
    ]
    await expect(second.listen('/topic/hosts', { 'last-sequence': String(since) })).rejects.toThrow('reload')
    const kept = await third.listen('/topic/hosts', { 'last-sequence': String(window.oldest - 1) })
    expect(await kept.until(5)).toHaveLength(5)
    await third.disconnect()
    await connected.disconnect()
  })

  testAll('a place in the order outlives the service', { timeout: 120_000 }, async () => {
    const first = await startService(database, { settings: { 'app.modules': '' } })
    const connected = await connect(first.url, credentialsOf('client'))
    const { since } = await connected.listen('/topic/hosts')
    const make = async (on: TestService, name: string) =>
      (await on.as('admin').post('/api/rest/hosts', { name }, json)).body.pk as string
    const missed = [await make(first, 'before.example')]
    connected.drop()
    missed.push(await make(first, 'unheard.example'))
    await first.app.close()
    const settings = { 'app.modules': '', 'app.dataDir': first.folder, 'app.database.url': first.database }
    const second = await startService(database, { settings })
    missed.push(await make(second, 'later.example'))
    const back = await connect(second.url, credentialsOf('client'))
    const inbox = await back.listen('/topic/hosts', { 'last-sequence': String(since) })
    missed.push(await make(second, 'live.example'))
    expect((await inbox.until(4)).map(change => change.pk)).toEqual(missed)
    await back.disconnect()
    await second.stop()
    await rm(first.folder, { recursive: true, force: true })
  })
})
