// The audit log shows whether it is as it was written: rows that someone with access to the database changes, removes, adds or reorders
// are found.

import { runWithin } from '@plinth/test-kit/command-within'
import { databases, type TestedDatabase } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import { createRandom } from '@plinth/test-kit/random'
import { startService, type TestService } from '@plinth/test-kit/service'
import { until } from '@plinth/test-kit/waiting'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Values } from '../../src/core/model/record.ts'
import type { CommandContext } from '../../src/core/module.ts'
import { createChain } from '../../src/modules/audit/chain.ts'
import { auditCheckpoints, newCheckpoint, readEntries } from '../../src/modules/audit/checkpoints.ts'
import { auditEvents } from '../../src/modules/audit/index.ts'
import { createSigner } from '../../src/modules/audit/signer.ts'
import { sealingSecrets } from '../../src/modules/auth/index.ts'

const day = 24 * 3_600_000

interface Scene {
  /** The log. */
  readonly lines: readonly string[]
  readonly service: TestService
  /** Writes so many events, and waits until checkpoints list them. */
  write(count: number): Promise<void>
  verify(options?: CommandContext['options']): Promise<string>
  pass(days: number): void
}

const setScene = async (database: TestedDatabase): Promise<Scene> => {
  let now = new Date('2031-05-06T07:00:00Z')
  const settings = { 'app.modules': '', 'app.audit.keepDays': '30', 'app.log.level': 'info' }
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const service = await startService(database, { clock: () => now, settings, logTo })
  const { records } = service.app.platform
  return {
    lines,
    service,
    write: async count => {
      const events = Array.from({ length: count }, (_, at) => ({
        timestamp: new Date(now.getTime() + at).toISOString(),
        principal: `user-${at}`,
        type: 'AUTHENTICATION_SUCCESS',
        data: { address: '127.0.0.1', way: 'jwt' },
      }))
      await records.createMany(auditEvents, events)
      await until('all events are listed', async () => !(await records.first(auditEvents, { where: { batch: null } })))
    },
    verify: options => runWithin(service.app, 'audit verify', [], options),
    pass: days => {
      now = new Date(now.getTime() + days * day)
    },
  }
}

/** What the command says, whether it finds something or not. */
const foundBy = async ({ service }: Scene): Promise<string> => {
  const printed: string[] = []
  const problem = await runWithin(service.app, 'audit verify', [], {}, printed).then(
    () => '',
    error => String(error),
  )
  return `${printed.join('\n')}\n${problem}`
}

const isSound = 'The audit log is as it was written.'

describe.each(databases)('on %s', database => {
  let scene: Scene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.service.stop())

  test('an untouched log is as it was written, also after events were deleted when their time was over', async () => {
    const { service, write, verify, pass } = scene
    await service.as('admin').get('/api/management/beans')
    await write(20)
    expect(await verify()).toContain(isSound)
    pass(40)
    await write(3)
    await service.as('admin').post('/api/management/jobs/sweep-audit/run', {})
    const old = { where: { principal: 'user-19' } }
    await until('old events are gone', async () => !(await service.app.platform.records.first(auditEvents, old)))
    await runWithin(service.app, 'erase user', ['client'])
    await write(1)
    expect(await verify()).toContain(isSound)
  })

  test('each event is a line of the log, and so is each checkpoint', async () => {
    await scene.service.as('admin').get('/api/management/env')
    await scene.write(1)
    const logged = scene.lines.map(line => JSON.parse(line)).filter(({ logger }) => logger === 'audit')
    const read = { principal: 'admin', type: 'MANAGEMENT_READ', data: { path: '/api/management/env' } }
    expect(logged.find(({ event }) => event?.data.path === '/api/management/env')).toMatchObject({ event: read })
    const events = logged.flatMap(({ event }) => event?.pk ?? [])
    expect(new Set(events).size).toBe(events.length)
    const { records } = scene.service.app.platform
    const last = await records.first(auditCheckpoints, { sort: '-number' })
    expect(logged.at(-1).checkpoint).toEqual({ number: last?.number, hash: last?.hash, key: last?.key })
  })

  test('two instances that list events at the same time list each of them once', async () => {
    const { platform, service } = scene.service.app
    const signer = createSigner(await sealingSecrets(platform, service.config))
    const chains = [createChain(service, signer), createChain(service, signer)]
    for (let round = 0; round < extent(3, 30); round++) {
      await platform.records.createMany(auditEvents, [{ timestamp: platform.clock().toISOString(), type: `R${round}` }])
      await Promise.all(chains.map(chain => chain()))
    }
    expect(await scene.verify()).toContain(isSound)
    const checkpoints = await platform.records.find(auditCheckpoints)
    const listed = checkpoints.flatMap(({ entries }) => [...readEntries(entries).keys()])
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed.length).toBe(await platform.records.count(auditEvents))
  })

  test('rows that were added, and checkpoints that were changed, signed by others or removed, are found', async () => {
    const { store, records } = scene.service.app.platform
    for (let round = 0; round < 3; round++) await scene.write(2)
    const [events, checkpoints] = [store.resource(auditEvents), store.resource(auditCheckpoints)]
    const [first, second, last] = (await records.find(auditCheckpoints, { sort: 'number' })).slice(-3)
    if (!first || !second || !last) throw new Error('there are too few checkpoints')
    const change = (pk: string, values: Values) => store.transaction(tx => tx.update(checkpoints, pk, values))
    const forged = newCheckpoint({ ...second, entries: first.entries }, createSigner(['a foreign key']))

    const pk = '00000000-0000-7000-8000-00000000abcd'
    const added = { timestamp: second.time, principal: 'x', type: 'X', data: {}, batch: second.number }
    await store.transaction(tx => tx.insert(events, pk, added))
    expect(await foundBy(scene)).toContain(`Event ${pk} is in no checkpoint.`)
    await store.transaction(tx => tx.remove(events, pk))

    await change(second.pk, { time: '2030-01-01T00:00:00.000Z' })
    expect(await foundBy(scene)).toContain(`Checkpoint ${second.number} was changed`)
    const { hash, key, signature, entries } = forged
    await change(second.pk, { time: second.time, hash, key, signature, entries })
    expect(await foundBy(scene)).toContain('which this service does not have')
    await change(second.pk, {
      hash: second.hash,
      key: second.key,
      signature: second.signature,
      entries: second.entries,
    })
    expect(await foundBy(scene)).toContain(isSound)

    await store.transaction(async tx => {
      await tx.remove(checkpoints, last.pk)
      for (const one of readEntries(last.entries).keys()) await tx.remove(events, one)
    })
    expect(await foundBy(scene)).toContain(`Checkpoint ${last.number} is known to this instance`)
    await scene.write(1)
    expect(await foundBy(scene)).toContain(`Checkpoint ${last.number} is known to this instance`)
    expect(await scene.verify({ afterRestore: true })).toContain(isSound)
    await scene.write(1)
    expect(await foundBy(scene)).toContain(isSound)
  })

  test('every row that is changed, removed or moved is found', async () => {
    const { store, records } = scene.service.app.platform
    const count = extent(9, 1000)
    for (let round = 0; round < 2; round++) await scene.write(count)
    const resource = store.resource(auditEvents)
    const rows = await records.find(auditEvents)
    const random = createRandom()
    const touched = new Map<string, (typeof rows)[number]>()
    while (touched.size < count) {
      const row = random.pick(rows)
      touched.set(row.pk, row)
    }
    await store.transaction(async tx => {
      for (const [at, { pk, timestamp }] of [...touched.values()].entries()) {
        const later = new Date(Date.parse(timestamp) + 60_000).toISOString()
        if (at % 5 === 0) await tx.remove(resource, pk)
        if (at % 5 === 1) await tx.update(resource, pk, { principal: 'nobody' })
        if (at % 5 === 2) await tx.update(resource, pk, { timestamp: later })
        if (at % 5 === 3) await tx.update(resource, pk, { data: { address: '192.0.2.1' } })
        if (at % 5 === 4) await tx.update(resource, pk, { batch: 4000 + at })
      }
    })
    expect(await foundBy(scene)).toContain(`Faults of the audit log: ${count}.`)
  })
})
