// A subscriber that is killed again and again while changes go on hears of each exactly once and in order.

import { databases } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import { createDatabase } from '@plinth/test-kit/postgres'
import { createRandom } from '@plinth/test-kit/random'
import { startService, type TestService } from '@plinth/test-kit/service'
import { connect, credentialsOf, type ReceivedChange } from '@plinth/test-kit/stomp-subscriber'
import { describe, expect, inject, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'

const changes = extent(2000, 10_000)
const kills = extent(20, 100)

/** Two instances share a database where there can be two. */
const startInstances = async (database: (typeof databases)[number]): Promise<TestService[]> => {
  if (database === 'sqlite') return [await startService(database)]
  const url = await createDatabase(inject('postgresUrl'))
  // The demo's nodes have their keys in the data folder, which these two do not share.
  const settings = { 'app.database.url': url, 'app.modules': 'rental' }
  return [await startService(database, { settings }), await startService(database, { settings })]
}

const write = async (service: TestService, name: string, count: number): Promise<void> => {
  const admin = service.as('admin')
  const size = 20
  for (let at = 0; at < count; at += size) {
    const hosts = Array.from({ length: size }, (_, one) => ({ name: `${name}-${at + one}.example` }))
    const made = await admin.post('/api/rest/hosts', hosts, { Accept: 'application/json' })
    expect(made.status).toBe(201)
  }
}

describe.each(databases)('on %s', database => {
  test(`${changes} changes and ${kills} kills`, async () => {
    const instances = await startInstances(database)
    const heard: ReceivedChange[] = []
    const random = createRandom()
    let last: number | null = null
    let done = false
    let connections = 0
    const listen = async () => {
      while (!done) {
        const instance = instances[connections % instances.length] as TestService
        connections += 1
        const connected = await connect(instance.url, credentialsOf('client'))
        const inbox = await connected.listen('/topic/hosts', last === null ? {} : { 'last-sequence': String(last) })
        last ??= inbox.since
        const enough = connections <= kills ? Math.ceil(random.next() * 99) : changes - heard.length
        await until(`${enough} more changes`, () => inbox.messages.length >= enough)
        connected.drop()
        // What came after was still on its way when the line was cut, and never arrived.
        for (const change of inbox.bodies().slice(0, enough)) {
          heard.push(change)
          last = change.sequence
        }
        done = heard.length >= changes
      }
    }
    const first = await connect(instances[0]?.url ?? '', credentialsOf('client'))
    last = (await first.listen('/topic/hosts')).since
    first.drop()
    const [one, two] = instances
    const writers = two
      ? [
          write(one as TestService, 'a', changes / 4),
          write(one as TestService, 'b', changes / 4),
          write(two, 'c', changes / 4),
          write(two, 'd', changes / 4),
        ]
      : [write(one as TestService, 'a', changes / 2), write(one as TestService, 'b', changes / 2)]
    await Promise.all([...writers, listen()])
    const sequences = heard.map(change => change.sequence)
    expect(heard).toHaveLength(changes)
    expect(new Set(heard.map(change => change.pk)).size).toBe(changes)
    expect(sequences.every((sequence, at) => at === 0 || sequence > (sequences[at - 1] ?? 0))).toBe(true)
    expect(connections).toBe(kills + 1)
    for (const instance of instances) await instance.stop()
  }, 240_000)
})
