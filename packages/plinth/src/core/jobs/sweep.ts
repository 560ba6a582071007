// A sweep: the hourly deletion of records that have expired.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/settings.ts'
import { reportFailed } from '../guarded.ts'
import type { CodeContext } from '../model/code-context.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { Records } from '../model/records.ts'
import type { Where } from '../model/row-where.ts'
import { isUnavailable } from '../problem.ts'
import type { Service } from '../service.ts'
import { hourMs, isInterruption, type Job } from './job.ts'

/** Work of the sweeper, such as the deletion of expired records. */
export interface Sweep {
  /** The name for the log. */
  readonly name: string
  readonly run: (service: Service, context: SweepContext) => Promise<void>
}

/** What a sweep works with. */
export interface SweepContext extends CodeContext {
  /** Times are in ISO 8601, as records have them. */
  readonly now: string
  daysAgo(days: number): string
  readonly signal: AbortSignal
}

/**
 * Records of this resource that match are deleted; none when `where` gives null.
 *
 * @example sweeps: [expires(books, ({ daysAgo }) => ({ createdDate: { lt: daysAgo(365) } }))]
 */
export const expires = <D extends ResourceDefinition>(
  definition: D,
  where: (context: SweepContext & { readonly config: Config }) => Where<D> | null,
): Sweep => ({
  name: `deleting expired ${definition.name}`,
  run: async ({ config, platform }, context) => {
    const expired = where({ ...context, config })
    if (expired) await removeInBatches(platform.records, definition, { where: expired, signal: context.signal })
  },
})

/** One after the other, hourly. A failure is logged, and the others go on. */
export const sweeper = (owner: string, sweeps: readonly Sweep[]): Job => ({
  name: `sweep-${owner}`,
  about: { en: `Deletes expired records of ${owner}.`, de: `Löscht abgelaufene Datensätze von ${owner}.` },
  everyMs: hourMs,
  run: async ({ service, settings, log, now, signal }) => {
    const context: SweepContext = {
      ...{ settings, log },
      now: now.toISOString(),
      daysAgo: days => new Date(now.getTime() - days * 24 * hourMs).toISOString(),
      signal,
    }
    const failed: string[] = []
    for (const sweep of sweeps) {
      signal.throwIfAborted()
      try {
        await sweep.run(service, context)
      } catch (error) {
        if (isInterruption(error, signal)) throw error
        reportFailed({ name: sweep.name, log: service.log }, error)
        failed.push(sweep.name)
      }
    }
    if (failed.length > 0) throw new Error(`${failed.join(', ')} failed`)
  },
})

interface ExpiredRecords<D extends ResourceDefinition> {
  readonly where: Where<D>
  /** Ends the work after the batch under way. */
  readonly signal?: AbortSignal
}

/** The records of a batch, few enough that a writer hardly notices. */
const batchSize = 500
/** The milliseconds between two batches in which other writers have their turn. */
const restMs = 10

/**
 * Deletes all matching records in small transactions. In a single one, other writers on SQLite would wait for all of them.
 *
 * @example await removeInBatches(records, loans, { where: { createdDate: { lt: '2020-01-01T00:00:00Z' } } })
 */
export const removeInBatches = async <D extends ResourceDefinition>(
  records: Records,
  definition: D,
  { where, signal }: ExpiredRecords<D>,
): Promise<void> => {
  while (!signal?.aborted) {
    const count = await records.removeMany(definition, { where, limit: batchSize })
    if (count < batchSize) return
    await sleep(restMs, undefined, { ref: false })
  }
}

/** Each on its own: a failure is logged, and the others go on. */
export const oneByOne = async <T>(
  { log }: Service,
  { name, all }: { readonly name: string; readonly all: Iterable<T> },
  work: (one: T) => Promise<unknown>,
): Promise<void> => {
  for (const one of all)
    await work(one).catch(error => {
      // The others would fail likewise, and are better tried later.
      if (isUnavailable(error)) throw error
      log.error({ err: error }, `${name} failed`)
    })
}
