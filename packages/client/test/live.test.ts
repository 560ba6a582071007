// Live changes through the client: none lost, none doubled, whatever happens to connections and to the service.

import { featureDatabases } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import { until } from '@plinth/test-kit/waiting'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectEveryChangeOnce, type LiveScene, startLiveScene, transports } from './live-scene.ts'

/** What does not depend on the transport is tested with one of them in `npm test`. */
const sample = extent(transports.slice(0, 1), [...transports])

describe.each(featureDatabases(import.meta.url))('%s', database => {
  let scene: LiveScene
  beforeAll(async () => {
    scene = await startLiveScene(database)
  })
  afterAll(() => scene.stop())

  test.each(transports)('changes arrive once and in order through lost connections and a restart: %s', transport =>
    expectEveryChangeOnce(scene, { transport, drops: 3, changesPerDrop: 20 }),
  )

  test.each(sample)('a live query follows what is created, changed and removed: %s', async transport => {
    const admin = await scene.signedIn('admin', transport)
    const reader = await scene.signedIn('simple', transport)
    let names: string[] | null = null
    const query = { filter: `name==query-${transport}-*`, sort: 'name', fields: ['name'] }
    const stop = reader.resource('hosts').liveQuery(query, {
      onResult: ({ items }) => {
        names = items.map(({ name }) => String(name).replace(`query-${transport}-`, ''))
      },
    })
    await until('the first result', () => names !== null)
    expect(names).toEqual([])
    const named = (letter: string) => ({ name: `query-${transport}-${letter}.example` })
    const [one, two] = await admin.resource('hosts').createMany([named('b'), named('c')])
    await until('both hosts', () => names?.length === 2)
    scene.dropConnections()
    await admin.resource('hosts').update(one?.pk ?? '', named('z'))
    await until('the other order', () => names?.join() === 'c.example,z.example')
    // A second query of the same resource joins the subscription, and reads by itself.
    let others: number | null = null
    reader.resource('hosts').liveQuery(query, {
      onResult: ({ items }) => {
        others = items.length
      },
    })
    await until('the result of the second query', () => others === 2)
    await admin.resource('hosts').remove(two?.pk ?? '')
    await until('one host', () => names?.join() === 'z.example' && others === 1)
    stop()
    await reader.live.close()
  })

  test.each(sample)('a subscription that the service refuses is reported, and others go on: %s', async transport => {
    const reader = await scene.signedIn('simple', transport)
    const reasons: string[] = []
    const changes: string[] = []
    reader.resource('mails').subscribe({ onChange: () => {}, onRefused: reason => reasons.push(reason) })
    let isLive = false
    reader.resource('hosts').subscribe({
      onChange: ({ pk }) => changes.push(pk),
      onReload: () => {
        isLive = true
      },
    })
    await until('the refusal', () => reasons.length === 1)
    await until('the other subscription', () => isLive && reader.live.state() === 'on')
    const admin = await scene.signedIn('admin', transport)
    const host = await admin.resource('hosts').create({ name: `refused-${transport}.example` })
    await until('its change', () => changes.includes(host.pk))
    expect(reasons).toEqual(['forbidden'])
    await reader.live.close()
  })

  test('server-sent events: topics come and go without loss, and a change of a record arrives once for each of them', async () => {
    const admin = await scene.signedIn('admin', 'events')
    const reader = await scene.signedIn('simple', 'events')
    const host = await admin.resource('hosts').create({ name: 'topics.example' })
    // Compares sequences, not records: an event carries the current record, which can be newer than the change.
    const follow = (name: string, pk?: string) => {
      const sequences: number[] = []
      let isReady = false
      const stop = reader.resource('hosts').subscribe(
        {
          onChange: ({ sequence }) => sequences.push(sequence),
          onReload: () => {
            isReady = true
          },
        },
        pk,
      )
      return { sequences, stop, ready: () => until(`${name} to begin`, () => isReady) }
    }
    const all = follow('all')
    await all.ready()
    const one = follow('one', host.pk)
    // The stream starts again for the second topic; the first misses nothing.
    await admin.resource('hosts').update(host.pk, { name: 'topics-1.example' })
    await one.ready()
    await admin.resource('hosts').update(host.pk, { name: 'topics-2.example' })
    await until('both to hear of the second change', () => {
      const [, second] = all.sequences
      return second !== undefined && one.sequences.includes(second)
    })
    one.stop()
    await admin.resource('hosts').update(host.pk, { name: 'topics-3.example' })
    await until('the first to hear of the third change', () => all.sequences.length >= 3)
    const [first = 0, second = 0, third = 0] = all.sequences
    expect(all.sequences).toEqual([...new Set([first, second, third])].toSorted((left, right) => left - right))
    expect(one.sequences.filter(sequence => sequence !== first)).toEqual([second])
    all.stop()
    await reader.live.close()
  })
})
