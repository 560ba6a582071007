// The jobs of all modules as the service shows them: when they run, how their runs ended, and which are late.

import type { Text } from './model/words.ts'

/** One run of a job, as it is stored. */
export interface JobRun {
  readonly pk: string
  readonly job: string
  readonly trigger: 'schedule' | 'manual'
  /** The username of the administrator who started it. */
  readonly startedBy: string | null
  readonly instance: string
  readonly started: string
  readonly finished: string | null
  readonly durationMs: number | null
  readonly status: 'running' | 'succeeded' | 'failed' | 'interrupted'
  readonly error: string | null
}

/** The declaration of a job, as far as it is shown: `cron`, in its time zone, or `everyMs`. */
export interface JobPlan {
  readonly name: string
  readonly about?: Text
  readonly cron?: string | undefined
  readonly timeZone?: string | undefined
  readonly everyMs?: number | undefined
}

export interface JobStatus {
  readonly module: string
  readonly job: JobPlan
  /** Says whether it runs, at this instance or another. */
  readonly isRunning: boolean
  /** Is null until the scheduler has started. */
  readonly nextRun: string | null
  readonly lastRun: JobRun | null
}

/** A job that should have run. */
export interface LateJob {
  readonly name: string
  readonly nextRun: string
  /** The time is farther away than the schedule has it: the clock was wrong. */
  readonly isMisplaced: boolean
}

export interface Jobs {
  list(): Promise<readonly JobStatus[]>
  /** Jobs that should have run, at this instance or another. */
  late(): Promise<readonly LateJob[]>
  /** Returns the runs, newest first. Problem `not_found` when there is no such job. */
  history(name: string): Promise<{ readonly status: JobStatus; readonly runs: readonly JobRun[] }>
  /** Starts the job here and now, and does not wait for its end. Problem `conflict` when it runs already. */
  runNow(name: string, startedBy: string | null): Promise<JobRun>
}
