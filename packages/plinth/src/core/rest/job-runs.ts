// The runs of jobs as they are stored: which instance may run a job, when it is due, and how each run ended.
//
// An instance holds a job by a lease that it renews. The lease of an instance that has crashed runs out, or is seen to be
// over; then another instance may run the job.

import { jobSettings } from '../config/service-settings.ts'
import { assigned, defineResource } from '../model/define.ts'
import { choice, integer, longText, text, timestamp } from '../model/fields.ts'
import type { Row } from '../model/row.ts'
import { Problem } from '../problem.ts'
import { expires, firstRun, type Job, nextRun, scheduleKey } from './jobs.ts'
import type { Platform } from './platform.ts'

export const jobStates = defineResource('jobStates', {
  about: 'When each job is due, and which instance runs it.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    schedule: text({ required: true, max: 500, about: 'The schedule that `nextRun` was derived from.' }),
    nextRun: timestamp({ required: true }),
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

export type JobRun = Row<typeof jobRuns>
export type JobState = Row<typeof jobStates>

export const jobRunSweep = expires(jobRuns, ({ config, daysAgo }) => {
  const { keepDays } = config.get(jobSettings)
  return keepDays === 0 ? null : { started: { le: daysAgo(keepDays) } }
})

/** How long a lease lasts without renewal. */
export const leaseMs = 60_000

const inMs = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString()

/** When each job is due. Stores what is missing, and what was derived from another schedule. */
export const readDueTimes = async (
  { records, clock }: Platform,
  jobs: readonly Job[],
): Promise<ReadonlyMap<string, Date>> => {
  const states = new Map((await records.find(jobStates)).map(state => [state.pk, state]))
  const now = clock()
  const due = new Map<string, Date>()
  for (const job of jobs) {
    const state = states.get(job.name)
    const schedule = scheduleKey(job)
    const isCurrent = state?.schedule === schedule
    const next = isCurrent ? new Date(state.nextRun) : firstRun(job, now)
    due.set(job.name, next)
    if (!isCurrent)
      await records.transaction(inside =>
        inside.put(jobStates, { pk: job.name, schedule, nextRun: next.toISOString() }),
      )
  }
  return due
}

export interface RunCause {
  readonly trigger: JobRun['trigger']
  /** The username of the caller; null for the schedule. */
  readonly startedBy: string | null
}

/** The new run; the state of the job where it is not due yet, or runs already. */
export type Claim = { readonly run: JobRun } | { readonly run: null; readonly isRunning: boolean; readonly next: Date }

/** Takes the lease of the job and begins a run. */
export const claimJob = (platform: Platform, job: Job, { trigger, startedBy }: RunCause): Promise<Claim> =>
  platform.records.transaction(async records => {
    const { instance } = platform.store
    const now = platform.clock()
    const state = await records.lock(jobStates, job.name)
    if (!state) throw new Problem('unavailable', 'The jobs have not been started yet.')
    const next = new Date(state.nextRun)
    if (await isHeld(platform, state, now)) return { run: null, isRunning: true, next }
    if (trigger === 'schedule' && next > now) return { run: null, isRunning: false, next }
    if (state.run !== null)
      await records.updateWhere(jobRuns, { pk: state.run, status: 'running' }, { status: 'interrupted' })
    const started = now.toISOString()
    const run = await records.create(jobRuns, {
      job: job.name,
      trigger,
      startedBy,
      instance,
      started,
      status: 'running',
    })
    const following = next > now ? next : nextRun(job, now)
    await records.update(jobStates, job.name, {
      ...{ run: run.pk, instance, heldUntil: inMs(now, leaseMs) },
      nextRun: following.toISOString(),
    })
    return { run }
  })

const isHeld = async ({ store }: Platform, { run, instance, heldUntil }: JobState, now: Date): Promise<boolean> =>
  run !== null &&
  instance !== null &&
  heldUntil !== null &&
  Date.parse(heldUntil) > now.getTime() &&
  (await store.isRunning(instance))

/** False when another instance has taken the job over. */
export const renewLease = ({ records, clock }: Platform, { job, pk }: JobRun): Promise<boolean> =>
  records.transaction(async inside => {
    const state = await inside.lock(jobStates, job)
    if (state?.run !== pk) return false
    await inside.update(jobStates, job, { heldUntil: inMs(clock(), leaseMs) })
    return true
  })

export interface Outcome {
  readonly status: 'succeeded' | 'failed' | 'interrupted'
  readonly error: string | null
  readonly durationMs: number
}

/** Ends the run and gives the lease back. An interrupted job is due again at once. Returns when it is due next. */
export const finishRun = ({ records, clock }: Platform, job: Job, { run, outcome }: FinishedRun): Promise<Date> =>
  records.transaction(async inside => {
    const now = clock()
    const state = await inside.lock(jobStates, job.name)
    const isOurs = state?.run === run.pk
    const planned = state ? new Date(state.nextRun) : now
    const following = planned > now ? planned : nextRun(job, now)
    const next = isOurs && outcome.status === 'interrupted' ? now : following
    await inside.update(jobRuns, run.pk, { ...outcome, finished: now.toISOString() })
    if (isOurs)
      await inside.update(jobStates, job.name, {
        ...{ run: null, instance: null, heldUntil: null },
        nextRun: next.toISOString(),
      })
    return next
  })

interface FinishedRun {
  readonly run: JobRun
  readonly outcome: Outcome
}
