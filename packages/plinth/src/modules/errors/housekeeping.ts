// Deletes old errors, and the error logs and user agents that no error refers to any more.

import { setTimeout as sleep } from 'node:timers/promises'
import { expires, type Sweep } from '../../core/rest/jobs.ts'
import type { Service } from '../../core/rest/service.ts'
import { allErrors, errorLogs, errorSettings, userAgents } from './errors.ts'

export const errorSweeps: readonly Sweep[] = [
  expires(allErrors, ({ config, daysAgo }) => {
    const { keepDays } = config.get(errorSettings)
    return keepDays === 0 ? null : { createdDate: { le: daysAgo(keepDays) } }
  }),
  {
    name: 'deleting unreferenced error logs and user agents',
    run: async (service, { daysAgo, signal }) => {
      const { keepDays } = service.config.get(errorSettings)
      if (keepDays > 0) await removeUnreferenced(service, daysAgo(keepDays), signal)
    },
  },
]

const removeUnreferenced = async ({ platform }: Service, before: string, signal: AbortSignal): Promise<void> => {
  const { records } = platform
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
