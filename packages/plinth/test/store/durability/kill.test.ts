// Acknowledged writes survive a kill at any moment. Other writes are stored as a whole or not at all.

import { setTimeout as pause } from 'node:timers/promises'
import { extent } from '@plinth/test-kit/extent'
import { createRandom } from '@plinth/test-kit/random'
import { launch, preparedFolder, type ServiceProcess } from '@plinth/test-kit/service-process'
import { expect, test } from 'vitest'
import { ConnectionLost } from '../../../src/testing/client.ts'
import { until } from '../../../src/testing/waiting.ts'
import { asJson, damagesOf, type Locality, localitiesOf } from './localities.ts'

const kills = extent(2, 20)
const writers = 8

/** What the service has said and what it was asked for, by pk. */
interface Ledger {
  /** The name that was acknowledged last. */
  readonly acknowledged: Map<string, string>
  /** A change that was under way when the process died. */
  readonly open: Map<string, string>
  /** Lists that were sent as one. */
  readonly bulks: string[][]
}

/** Writes until the process dies. */
const write = async ({ admin }: ServiceProcess, ledger: Ledger, name: string): Promise<void> => {
  const send = async (method: 'post' | 'patch', path: string, body: unknown) => {
    const answer = await admin[method](path, body, asJson)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  }
  for (let at = 0; ; at++) {
    const pk = `${name}-${at}`
    await send('post', '/api/rest/localities', { pk, name: `${pk} new` })
    ledger.acknowledged.set(pk, `${pk} new`)
    ledger.open.set(pk, `${pk} changed`)
    await send('patch', `/api/rest/localities/${pk}`, { name: `${pk} changed` })
    ledger.acknowledged.set(pk, `${pk} changed`)
    ledger.open.delete(pk)
    const bulk = ['x', 'y', 'z'].map(part => `${pk}-${part}`)
    ledger.bulks.push(bulk)
    await send(
      'post',
      '/api/rest/localities',
      bulk.map(one => ({ pk: one, name: one })),
    )
    for (const one of bulk) ledger.acknowledged.set(one, one)
  }
}

const untilItDies = (service: ServiceProcess, writing: Promise<void>): Promise<void> =>
  writing.catch(async error => {
    // A connection that broke is what we came for; an answer that refuses is not.
    if (!(error instanceof ConnectionLost)) throw error
    await service.ended
  })

const faultsIn = (there: ReadonlyMap<string, Locality>, { acknowledged, open, bulks }: Ledger): string[] => {
  const faults: string[] = []
  for (const [pk, name] of acknowledged) {
    const record = there.get(pk)
    if (!record) faults.push(`${pk} was acknowledged and is gone`)
    else if (record.name !== name && record.name !== open.get(pk))
      faults.push(`${pk} is '${record.name}', not '${name}'`)
  }
  for (const { pk, name, path } of there.values()) if (path !== name) faults.push(`${pk} is half-written: '${path}'`)
  for (const bulk of bulks) {
    const count = bulk.filter(pk => there.has(pk)).length
    if (count !== 0 && count !== bulk.length) faults.push(`${count} of ${bulk} are there`)
  }
  return faults
}

test('a process killed at any moment loses nothing that it acknowledged', { timeout: 600_000 }, async () => {
  const folder = await preparedFolder()
  const ledger: Ledger = { acknowledged: new Map(), open: new Map(), bulks: [] }
  const random = createRandom()
  for (let round = 0; round < kills; round++) {
    const service = await launch({ folder })
    expect(faultsIn(await localitiesOf(service), ledger)).toEqual([])
    expect(damagesOf(folder)).toEqual([])
    const before = ledger.acknowledged.size
    const writing = Array.from({ length: writers }, (_, writer) =>
      untilItDies(service, write(service, ledger, `r${round}-w${writer}`)),
    )
    const dying = Promise.all(writing)
    await Promise.race([
      until('the first acknowledged writes', () => ledger.acknowledged.size >= before + writers),
      dying,
    ])
    await pause(random.next() * 200)
    await service.end('SIGKILL')
    await dying
  }
  const service = await launch({ folder })
  const there = await localitiesOf(service)
  expect(faultsIn(there, ledger)).toEqual([])
  expect(damagesOf(folder)).toEqual([])
  console.log(`${kills} kills; ${ledger.acknowledged.size} records acknowledged, ${there.size} there`)
  expect(await service.end('SIGTERM')).toBe(0)
})
