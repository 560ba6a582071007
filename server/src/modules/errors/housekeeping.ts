// Deletes old errors, hourly, and the error logs and user agents that no error refers to any more.

import { setTimeout as sleep } from 'node:timers/promises'
import { among, everything, upTo, where } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import { removeInBatches, repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'

const pause = 3600_000
const day = 24 * 3600_000

export const startHousekeeping = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name: 'deleting old errors', pause, round: signal => removeOld(service, signal) })

const removeOld = async (service: Service, signal: AbortSignal): Promise<void> => {
  const { store, clock } = service.platform
  const days = service.config.get('app.errors.keepDays')
  if (days === 0) return
  const before = new Date(clock().getTime() - days * day).toISOString()
  const errors = store.resource('allErrors')
  await removeInBatches(store, { resource: errors, filter: upTo(errors, 'createdDate', before), signal })
  for (const [name, member] of [
    ['errorLogs', 'errorLog'],
    ['userAgents', 'userAgent'],
  ] as const)
    await removeUnused(service, { resource: store.resource(name), member, before, signal })
}

interface Unused {
  readonly resource: Resource
  /** Of an error: refers to the resource. */
  readonly member: string
  /** What has changed since then is kept. */
  readonly before: string
  readonly signal: AbortSignal
}

const batchSize = 100
/** Between two batches others have the database to themselves. */
const restMs = 10

const removeUnused = async (service: Service, { resource, member, before, signal }: Unused): Promise<void> => {
  const { store } = service.platform
  const errors = store.resource('allErrors')
  const isUsed = async (pk: string) =>
    (await store.find(errors, everything(errors, where(errors, { [member]: pk }), 1))).records.length > 0
  const old = everything(resource, upTo(resource, 'lastModifiedDate', before), batchSize)
  for await (const batch of store.stream(resource, old)) {
    if (signal.aborted) return
    const pks = batch.map(({ pk }) => pk)
    const used = await Promise.all(pks.map(isUsed))
    const unused = pks.filter((_, at) => !used[at])
    if (unused.length > 0) await store.transaction(tx => tx.removeWhere(resource, among(resource, unused)))
    await sleep(restMs, undefined, { ref: false })
  }
}
