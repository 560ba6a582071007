// A job: work of a module that runs by a schedule, at one instance at a time.

import type { Config } from '../config/settings.ts'
import { timeoutFaults } from '../deadline.ts'
import type { CodeContext } from '../model/code-context.ts'
import type { DefinitionFault } from '../model/definition-error.ts'
import type { Records } from '../model/records.ts'
import type { Text } from '../model/words.ts'
import { isUnavailable } from '../problem.ts'
import type { Service } from '../service.ts'
import { markPlace } from '../source-place.ts'
import { type Schedule, scheduleFault } from './schedule.ts'

export const hourMs = 3600_000

/** What a job works with. */
export interface JobContext extends CodeContext {
  readonly service: Service
  /** The records without permissions: a job has no caller. */
  readonly records: Records
  readonly config: Config
  /** The time when the run started. */
  readonly now: Date
  /**
   * The signal that is aborted when the service stops, and when the time of the run is over. To end a run early, throw
   * `signal.reason`: the job is due again at the next start.
   */
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

/** Refuses none and two of them with a sentence. */
type OneSchedule<Cron, EveryMs> = [Cron, EveryMs] extends [undefined, undefined]
  ? "a job needs a schedule: 'everyMs', or 'cron' such as '0 8 * * *'"
  : [Cron, EveryMs] extends [string, number]
    ? "a job has one schedule: 'everyMs' or 'cron'"
    : Schedule

/**
 * Declares work that runs again and again, once per cluster.
 *
 * @example
 * export const remindBorrowers = defineJob({
 *   name: 'remind-borrowers',
 *   cron: '0 8 * * *',
 *   run: async ({ records, log }) => log.info(`${await records.count(books)} books`),
 * })
 */
export const defineJob = <Cron extends string | undefined = undefined, EveryMs extends number | undefined = undefined>(
  job: JobOptions & { readonly cron?: Cron; readonly everyMs?: EveryMs } & OneSchedule<Cron, EveryMs>,
): Job => markPlace(job as JobOptions & Schedule, defineJob)

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

/** Says whether the end of the service ended the work: a service that stops ends slow reads. That is no failure. */
export const isInterruption = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && (error === signal.reason || isUnavailable(error))
