// Deletes old errors, hourly, and the error logs and user agents that no error refers to any more.

import { setTimeout as sleep } from 'node:timers/promises'
import { removeInBatches, repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { errorLogs } from './error-logs.ts'
import { allErrors } from './errors.ts'
import { errorSettings } from './settings.ts'
import { userAgents } from './user-agents.ts'

const pause = 3600_000
const day = 24 * 3600_000

export const startHousekeeping = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name: 'deleting old errors', pause, round: signal => removeOld(service, signal) })

const removeOld = async (service: Service, signal: AbortSignal): Promise<void> => {
  const { records, clock } = service.platform
  const days = service.config.get(errorSettings).keepDays
  if (days === 0) return
  const before = new Date(clock().getTime() - days * day).toISOString()
  await removeInBatches(records, allErrors, { where: { createdDate: { le: before } }, signal })
  const isOld = { lastModifiedDate: { le: before } }
  for await (const batch of records.stream(errorLogs, { where: isOld, limit: batchSize })) {
    if (signal.aborted) return
    const unused = await notUsed(batch, pk => records.first(allErrors, { errorLog: pk }))
    await records.removeWhere(errorLogs, { pk: { in: unused } })
    await sleep(restMs, undefined, { ref: false })
  }
  for await (const batch of records.stream(userAgents, { where: isOld, limit: batchSize })) {
    if (signal.aborted) return
    const unused = await notUsed(batch, pk => records.first(allErrors, { userAgent: pk }))
    await records.removeWhere(userAgents, { pk: { in: unused } })
    await sleep(restMs, undefined, { ref: false })
  }
}

const batchSize = 100
/** Between two batches others have the database to themselves. */
const restMs = 10

/** Those to which no error refers. */
const notUsed = async (
  batch: readonly { readonly pk: string }[],
  userOf: (pk: string) => Promise<object | null>,
): Promise<string[]> => {
  const pks = batch.map(({ pk }) => pk)
  const users = await Promise.all(pks.map(userOf))
  return pks.filter((_, at) => users[at] === null)
}
