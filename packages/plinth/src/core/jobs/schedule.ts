// When a job runs: at the times of a cron expression, or at an interval.

import { Cron } from 'croner'
import { errorMessage } from '../problem.ts'

interface CronSchedule {
  /** Five fields, or six with seconds first: `0 3 * * *` is every day at three. Also `@hourly`, `@daily` and the like. */
  readonly cron: string
  /** An IANA name such as `Europe/Berlin`; UTC unless given. */
  readonly timeZone?: string
  readonly everyMs?: undefined
}

interface IntervalSchedule {
  /** The milliseconds from one start to the next, at least a second. A run that lasts longer skips the next one. */
  readonly everyMs: number
  readonly cron?: undefined
  readonly timeZone?: undefined
}

export type Schedule = CronSchedule | IntervalSchedule

/** The scheduler looks once a second. */
const shortestMs = 1000

const isDate = (expression: string): boolean => /^\d{4}-/.test(expression.trim())

const toCron = ({ cron, timeZone = 'UTC' }: CronSchedule): Cron => new Cron(cron, { timezone: timeZone, paused: true })

/** What is wrong with it; null when nothing is. */
export const scheduleFault = (schedule: Schedule): string | null => {
  const { cron, everyMs }: { readonly cron?: unknown; readonly everyMs?: unknown } = schedule
  if (cron === undefined && everyMs === undefined)
    return "needs a schedule: 'everyMs', or 'cron' such as '0 8 * * *' for every day at eight"
  if (cron !== undefined && everyMs !== undefined) return "has two schedules; keep one of 'cron' and 'everyMs'"
  if (schedule.cron === undefined)
    return schedule.everyMs >= shortestMs ? null : `everyMs must be ${shortestMs} or more`
  if (isDate(schedule.cron)) return `cron '${schedule.cron}' is a date; a job runs again and again`
  try {
    return toCron(schedule).nextRun(new Date()) ? null : `cron '${schedule.cron}' never comes`
  } catch (error) {
    return `cron '${schedule.cron}': ${errorMessage(error)}; its fields are minute, hour, day, month and weekday`
  }
}

/** The first time of a job that has never run. Intervals begin at once. */
export const firstRun = (schedule: Schedule, now: Date): Date =>
  schedule.cron === undefined ? now : nextRun(schedule, now)

/** The first time after this one. */
export const nextRun = (schedule: Schedule, after: Date): Date => {
  if (schedule.cron === undefined) return new Date(after.getTime() + schedule.everyMs)
  const next = toCron(schedule).nextRun(after)
  if (!next) throw new Error(`cron '${schedule.cron}' never comes again`)
  return next
}

/** What is known of the runs of a job. */
export interface DueTime {
  readonly next: Date
  /** The start of the last run by the schedule; null when there was none. */
  readonly last: Date | null
}

/** Clocks are corrected by this much without a consequence, in milliseconds. */
const correctionMs = 60_000

/** Is it time? A time that a wrong clock has left in the future counts as due: the job would not run until then. */
export const isDue = (schedule: Schedule, due: DueTime, now: Date): boolean =>
  due.next <= now || isMisplaced(schedule, due, now)

/** No right clock can have led to these times: the next run is farther away than the schedule has it, or the last one is to come. */
export const isMisplaced = (schedule: Schedule, { next, last }: DueTime, now: Date): boolean =>
  next > latestNext(schedule, now) || (last !== null && last.getTime() > now.getTime() + correctionMs)

/** One interval away, and a little more: a clock that is set back by seconds must not run anything twice. */
const latestNext = (schedule: Schedule, now: Date): Date => {
  const next = nextRun(schedule, now)
  if (schedule.cron !== undefined) return nextRun(schedule, next)
  return new Date(next.getTime() + Math.min(schedule.everyMs, correctionMs))
}

/** Returns a key that is equal for equal schedules. */
export const scheduleKey = ({ cron, timeZone = 'UTC', everyMs }: Schedule): string =>
  cron === undefined ? `every ${everyMs} ms` : `${cron} ${timeZone}`
