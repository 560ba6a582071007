// Jobs: work that runs again and again in the background while the service runs, and the sweep of expired records.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/settings.ts'
import { every, guarded } from '../guarded.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { Records } from '../model/records.ts'
import type { Where } from '../model/row.ts'
import { isUnavailable } from '../problem.ts'
import type { Service } from './service.ts'

export interface Job {
  /** For the log and the metrics: what has failed. */
  readonly name: string
  /** From one start to the next. A run that lasts longer skips the next one. */
  readonly everyMs: number
  readonly run: (service: Service, signal: AbortSignal) => Promise<void>
}

export const hourMs = 3600_000

/** Runs it now and at each interval. A failure is logged, and the next run tries again. Returns what ends it. */
export const startJob = (service: Service, { name, everyMs, run }: Job): (() => Promise<void>) => {
  const ending = new AbortController()
  const work = unlessStopping(service, () => run(service, ending.signal))
  const stop = every(everyMs, { name, log: service.log, startsNow: true }, work)
  return () => {
    ending.abort()
    return stop()
  }
}

/** A service that stops ends slow reads. That is no failure of the job. */
const unlessStopping =
  ({ closing }: Service, work: () => Promise<void>) =>
  async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(closing.aborted && isUnavailable(error))) throw error
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

/** Work of the sweeper, such as the deletion of expired records. */
export interface Sweep {
  /** For the log: what has failed. */
  readonly name: string
  readonly run: (service: Service, context: SweepContext) => Promise<void>
}

export interface SweepContext {
  /** Times are in ISO 8601, as records have them. */
  readonly now: string
  daysAgo(days: number): string
  readonly signal: AbortSignal
}

/** Records of this resource that match are deleted; none when `where` gives null. */
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
  name: `the sweeper of ${owner}`,
  everyMs: hourMs,
  run: async (service, signal) => {
    const now = service.platform.clock()
    const context: SweepContext = {
      now: now.toISOString(),
      daysAgo: days => new Date(now.getTime() - days * 24 * hourMs).toISOString(),
      signal,
    }
    for (const { name, run } of sweeps) {
      if (signal.aborted) return
      await guarded(
        { name, log: service.log },
        unlessStopping(service, () => run(service, context)),
      )()
    }
  },
})

interface ExpiredRecords<D extends ResourceDefinition> {
  readonly where: Where<D>
  /** Ends the work after the batch under way. */
  readonly signal?: AbortSignal
}

/** So few that a writer hardly notices the wait. */
const batchSize = 500
/** Between two batches other writers have their turn. */
const restMs = 10

/** Deletes all matching records in small transactions. In a single one, other writers on SQLite would wait for all of them. */
export const removeInBatches = async <D extends ResourceDefinition>(
  records: Records,
  definition: D,
  { where, signal }: ExpiredRecords<D>,
): Promise<void> => {
  while (!signal?.aborted) {
    const count = await records.removeWhere(definition, where, batchSize)
    if (count < batchSize) return
    await sleep(restMs, undefined, { ref: false })
  }
}
