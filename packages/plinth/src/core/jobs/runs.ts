// The runs of jobs as they are stored: which instance may run a job, when it is due, and how each run ended.
//
// An instance holds a job by a lease that it renews. The lease of an instance that has crashed runs out, or is seen to be
// over; then another instance may run the job.

import type { JobRun, LateJob } from '../job-status.ts'
import { defineResource } from '../model/define.ts'
import { choice, integer, longText, text, timestamp } from '../model/fields.ts'
import { assigned } from '../model/identifier.ts'
import type { Row } from '../model/row.ts'
import { Problem } from '../problem.ts'
import type { Platform } from '../rest/platform.ts'
import type { Job } from './job.ts'
import { type DueTime, firstRun, isDue, isMisplaced, nextRun, scheduleKey } from './schedule.ts'

export const jobStates = defineResource('jobStates', {
  about: 'When each job is due, and which instance runs it.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    schedule: text({ required: true, max: 500, about: 'The schedule that `nextRun` was derived from.' }),
    nextRun: timestamp({ required: true }),
    lastRun: timestamp({ about: 'When the last run by the schedule began.' }),
    run: text({ about: 'The run under way.' }),
    instance: text(),
    heldUntil: timestamp(),
  },
  access: {},
})

export const jobRuns = defineResource('jobRuns', {
  about: 'The history of jobs.',
  internal: true,
  stamps: 'none',
  fields: {
    job: text({ required: true }),
    trigger: choice(['schedule', 'manual'], { required: true }),
    startedBy: text({ max: 255, about: 'The username of the administrator who started it.' }),
    instance: text({ required: true }),
    started: timestamp({ required: true, indexed: true }),
    finished: timestamp(),
    durationMs: integer(),
    status: choice(['running', 'succeeded', 'failed', 'interrupted'], { required: true }),
    error: longText({ max: 2000 }),
  },
  indexes: [['job', 'started']],
  access: {},
})

export type JobState = Row<typeof jobStates>

/** How long a lease lasts without renewal. */
export const leaseMs = 60_000

const inMs = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString()

const toDueTime = ({ nextRun, lastRun }: JobState): DueTime => ({
  next: new Date(nextRun),
  last: lastRun === null ? null : new Date(lastRun),
})

/** Reads when each job is due. Stores what is missing, and what was derived from another schedule. */
export const readDueTimes = async (
  { records }: Platform,
  jobs: readonly Job[],
  now: Date,
): Promise<ReadonlyMap<string, DueTime>> => {
  const states = new Map((await records.find(jobStates)).map(state => [state.pk, state]))
  const times = new Map<string, DueTime>()
  for (const job of jobs) {
    const state = states.get(job.name)
    const schedule = scheduleKey(job)
    const isCurrent = state?.schedule === schedule
    const time = isCurrent ? toDueTime(state) : { next: firstRun(job, now), last: null }
    times.set(job.name, time)
    if (!isCurrent)
      await records.transaction(transaction =>
        transaction.upsert(jobStates, { pk: job.name, schedule, nextRun: time.next.toISOString() }),
      )
  }
  return times
}

/** A job that is due begins within seconds. */
const lateMs = 5 * 60_000

/** Finds jobs that are late; not those that are due since the service has started at `since`. */
export const findLateJobs = async (
  { records }: Platform,
  jobs: readonly Job[],
  { now, since }: { readonly now: Date; readonly since: Date | null },
): Promise<readonly LateJob[]> => {
  const states = new Map((await records.find(jobStates)).map(state => [state.pk, state]))
  return jobs.flatMap(job => {
    const state = states.get(job.name)
    if (!state || isLeased(state, now)) return []
    const time = toDueTime(state)
    const dueSince = Math.max(time.next.getTime(), since?.getTime() ?? 0)
    const late = { name: job.name, nextRun: state.nextRun, isMisplaced: isMisplaced(job, time, now) }
    return late.isMisplaced || now.getTime() - dueSince > lateMs ? [late] : []
  })
}

export interface RunCause {
  readonly trigger: JobRun['trigger']
  /** The username of the caller; null for the schedule. */
  readonly startedBy: string | null
  readonly now: Date
}

/** The new run; the state of the job where it is not due yet, or runs already. */
export type Claim =
  | { readonly run: JobRun }
  | { readonly run: null; readonly isRunning: boolean; readonly due: DueTime }

/** Takes the lease of the job and begins a run. */
export const claimJob = (platform: Platform, job: Job, { trigger, startedBy, now }: RunCause): Promise<Claim> =>
  platform.records.transaction(async records => {
    const { instance } = platform.store
    const state = await records.lock(jobStates, job.name)
    if (!state)
      throw new Problem('unavailable', {
        en: 'The jobs have not been started yet.',
        de: 'Die Jobs sind noch nicht gestartet.',
      })
    const due = toDueTime(state)
    if (await isHeld(platform, state, now)) return { run: null, isRunning: true, due }
    if (trigger === 'schedule' && !isDue(job, due, now)) return { run: null, isRunning: false, due }
    if (state.run !== null)
      await records.updateMany(jobRuns, { where: { pk: state.run, status: 'running' } }, { status: 'interrupted' })
    const started = now.toISOString()
    const run = await records.create(jobRuns, {
      job: job.name,
      trigger,
      startedBy,
      instance,
      started,
      status: 'running',
    })
    await records.update(jobStates, job.name, {
      ...{ run: run.pk, instance, heldUntil: inMs(now, leaseMs) },
      ...(trigger === 'schedule' && { lastRun: started }),
      nextRun: followingRun(job, due, now).toISOString(),
    })
    return { run }
  })

/** The next run as planned; one that is due, or cannot be right, is planned again. */
const followingRun = (job: Job, due: DueTime, now: Date): Date => (isDue(job, due, now) ? nextRun(job, now) : due.next)

/** Is there a lease? One that lasts longer than leases do is of a clock that was ahead. */
export const isLeased = ({ run, instance, heldUntil }: JobState, now: Date): boolean => {
  if (run === null || instance === null || heldUntil === null) return false
  const leftMs = Date.parse(heldUntil) - now.getTime()
  return leftMs > 0 && leftMs <= 2 * leaseMs
}

const isHeld = async ({ store }: Platform, state: JobState, now: Date): Promise<boolean> =>
  isLeased(state, now) && state.instance !== null && (await store.isRunning(state.instance))

/** Returns false when another instance has taken the job over. */
export const renewLease = ({ records }: Platform, { job, pk }: JobRun, now: Date): Promise<boolean> =>
  records.transaction(async transaction => {
    const state = await transaction.lock(jobStates, job)
    if (state?.run !== pk) return false
    await transaction.update(jobStates, job, { heldUntil: inMs(now, leaseMs) })
    return true
  })

export interface Outcome {
  readonly status: 'succeeded' | 'failed' | 'interrupted'
  readonly error: string | null
  readonly durationMs: number
}

/** Ends the run and gives the lease back. An interrupted job is due again at once. Returns when it is due next. */
export const finishRun = ({ records }: Platform, job: Job, { run, outcome, now }: FinishedRun): Promise<DueTime> =>
  records.transaction(async transaction => {
    const state = await transaction.lock(jobStates, job.name)
    const isOurs = state?.run === run.pk
    const planned = state ? toDueTime(state) : { next: now, last: null }
    const next = isOurs && outcome.status === 'interrupted' ? now : followingRun(job, planned, now)
    await transaction.update(jobRuns, run.pk, { ...outcome, finished: now.toISOString() })
    if (isOurs)
      await transaction.update(jobStates, job.name, {
        ...{ run: null, instance: null, heldUntil: null },
        nextRun: next.toISOString(),
      })
    return { next, last: planned.last }
  })

interface FinishedRun {
  readonly run: JobRun
  readonly outcome: Outcome
  readonly now: Date
}
