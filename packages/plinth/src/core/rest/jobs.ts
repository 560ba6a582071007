// Work in the background: jobs by a schedule, polls at each instance, and the sweep of expired records.

import { AsyncResource } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import type { Config } from '../config/settings.ts'
import { timeoutFaults } from '../deadline.ts'
import { repeat, reportFailed } from '../guarded.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { DefinitionFault } from '../model/definition-error.ts'
import type { Records } from '../model/records.ts'
import type { Where } from '../model/row.ts'
import type { Text } from '../model/words.ts'
import { isUnavailable } from '../problem.ts'
import { markPlace } from '../source-place.ts'
import { type Schedule, scheduleFault } from './schedule.ts'
import type { Service } from './service.ts'

/** What a job works with. */
export interface JobContext {
  readonly service: Service
  /** Without permissions: a job has no caller. */
  readonly records: Records
  readonly config: Config
  readonly log: BaseLogger
  /** When the run started. */
  readonly now: Date
  /** Aborted when the service stops, and when the time of the run is over. To end a run early, throw `signal.reason`: the job is due again at the next start. */
  readonly signal: AbortSignal
}

interface JobOptions {
  /** Unique in the application, in kebab-case, such as `remind-borrowers`. */
  readonly name: string
  readonly about?: Text
  /** Seconds that a run may take, where `app.jobs.timeout` does not fit. */
  readonly timeout?: number
  readonly run: (context: JobContext) => Promise<void>
}

/** Work that runs by a schedule, at one instance at a time. Each run is recorded, and administrators can start one. */
export type Job = JobOptions & Schedule

/** Declares work that runs again and again, once per cluster. */
export const defineJob = (job: Job): Job => markPlace(job, defineJob)

const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** What is wrong with the definition of a job. */
export const jobFaults = (job: Job): readonly DefinitionFault[] => {
  const messages = [
    ...(namePattern.test(job.name) ? [] : ["the name must be like 'send-reminders'"]),
    ...(typeof job.run === 'function' ? [] : ["needs a function 'run'"]),
    ...[scheduleFault(job)].filter(message => message !== null),
    ...timeoutFaults(job),
  ]
  return messages.map(message => ({ job: job.name, message, definition: job }))
}

/** Work that each instance repeats at short intervals, such as sending what waits in a queue. Nothing is recorded. */
export interface Poll {
  /** For the log and the metrics: what has failed. */
  readonly name: string
  /** From one start to the next. A run that lasts longer skips the next one. */
  readonly everyMs: number
  /** It also runs as soon as this instance has created or changed records of this resource. */
  readonly queue?: ResourceDefinition
  readonly run: (service: Service, signal: AbortSignal) => Promise<void>
}

export const hourMs = 3600_000

/** Runs it now and at each interval. A failure is logged, and the next run tries again. Returns what ends it. */
export const startPolling = (service: Service, { name, everyMs, queue, run }: Poll): (() => Promise<void>) => {
  const ending = new AbortController()
  const work = unlessStopping(service, () => run(service, ending.signal))
  const { wake, stop } = repeat(everyMs, { name, log: service.log, startsNow: true }, work)
  const { store } = service.platform
  // The run is not part of the request that wakes it.
  const unwatch = queue && store.onWrite(store.resource(queue), AsyncResource.bind(wake))
  return () => {
    ending.abort()
    unwatch?.()
    return stop()
  }
}

/** Did the end of the service end the work? A service that stops ends slow reads. That is no failure. */
export const isInterruption = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && (error === signal.reason || isUnavailable(error))

const unlessStopping =
  ({ closing }: Service, work: () => Promise<void>) =>
  async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!isInterruption(error, closing)) throw error
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

/** What a sweep works with. */
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
  name: `sweep-${owner}`,
  about: { en: `Deletes expired records of ${owner}.`, de: `Löscht abgelaufene Datensätze von ${owner}.` },
  everyMs: hourMs,
  run: async ({ service, now, signal }) => {
    const context: SweepContext = {
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
