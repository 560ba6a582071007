// How often something may happen within a while. Counted in the database, so that all instances count together.

import { sha256Of } from '../../core/digest.ts'
import { expires } from '../../core/jobs/sweep.ts'
import { defineResource } from '../../core/model/define.ts'
import { integer, timestamp } from '../../core/model/fields.ts'
import { assigned } from '../../core/model/identifier.ts'
import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import { defineModule } from '../../core/module.ts'
import type { Problem } from '../../core/problem.ts'
import { tooManyRequests } from '../../core/quota.ts'

export const throttleCounters = defineResource('throttleCounters', {
  about: 'Counters of recent events.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    count: integer({ required: true }),
    until: timestamp({ required: true, indexed: true }),
    /** Events that may still turn out not to count, and until when they are expected to. */
    pending: integer(),
    pendingUntil: timestamp(),
  },
  access: {},
})

export interface Counter {
  readonly pk: string
  readonly count: number
  /** How many more there are if none of those that are not decided yet turns out not to count. */
  readonly pending: number
  /** The time when the count starts again from zero. */
  readonly until: Date
  /** The stored end is more than a window away, so the clock was set back since. `holdCounter` corrects the stored end. */
  readonly isOverdue: boolean
}

export interface Span {
  readonly now: Date
  /** The milliseconds for which it is counted. */
  readonly window: number
}

type Kept = Row<typeof throttleCounters>

/** What is not decided within this time never will be: its instance has stopped. In milliseconds. */
const decidedWithin = 60_000

const toCounter = (pk: string, kept: Kept | null, { now, window }: Span): Counter => {
  const latest = new Date(now.getTime() + window)
  const until = kept && new Date(kept.until)
  const pending = pendingIn(kept, now)
  if (!until || until <= now) return { pk, count: 0, pending, until: latest, isOverdue: false }
  const isOverdue = until > latest
  return { pk, count: kept.count, pending, until: isOverdue ? latest : until, isOverdue }
}

const pendingIn = (kept: Kept | null, now: Date): number => {
  const left = Date.parse(kept?.pendingUntil ?? '') - now.getTime()
  // More than is written, since `now` may be from before a wait for the row; much more only if the clock was ahead.
  return left > 0 && left <= 2 * decidedWithin ? (kept?.pending ?? 0) : 0
}

/** `key` says what is counted, and whose. */
export const readCounter = async (records: RecordReader, key: string, span: Span): Promise<Counter> => {
  const pk = sha256Of(key)
  return toCounter(pk, await records.first(throttleCounters, { where: { pk } }), span)
}

/** The same, locked until the transaction ends. */
export const holdCounter = async (records: TransactionRecords, key: string, span: Span): Promise<Counter> => {
  const pk = sha256Of(key)
  let kept = await records.lock(throttleCounters, pk)
  // Again when the row that exists is expired, and deleted before it is locked.
  while (!kept) {
    await records.ensure(throttleCounters, { pk, ...valuesOf(toCounter(pk, null, span), span.now) })
    kept = await records.lock(throttleCounters, pk)
  }
  const counter = toCounter(pk, kept, span)
  return counter.isOverdue ? changeCounter(records, counter, { now: span.now }) : counter
}

export interface CounterChange {
  readonly count?: number
  readonly pending?: number
  readonly now: Date
}

export const changeCounter = async (
  records: TransactionRecords,
  counter: Counter,
  { count = 0, pending = 0, now }: CounterChange,
): Promise<Counter> => {
  const changed = {
    ...counter,
    count: Math.max(0, counter.count + count),
    pending: Math.max(0, counter.pending + pending),
    isOverdue: false,
  }
  await records.update(throttleCounters, counter.pk, valuesOf(changed, now))
  return changed
}

const valuesOf = ({ count, pending, until }: Counter, now: Date) => ({
  count,
  until: until.toISOString(),
  pending,
  pendingUntil: pending === 0 ? null : new Date(now.getTime() + decidedWithin).toISOString(),
})

export interface Event {
  readonly key: string
  readonly by: number
}

export const raise = async (records: TransactionRecords, { key, by }: Event, span: Span): Promise<Counter> =>
  changeCounter(records, await holdCounter(records, key, span), { count: by, now: span.now })

/** 429, with the time until the count starts again. */
export const tooMany = (limit: number, milliseconds: number, detail = 'Too many attempts'): Problem =>
  tooManyRequests({ policy: 'attempts', limit, left: 0, resetMs: milliseconds }, detail)

export const limits = defineModule({
  name: 'limits',
  about: {
    en: 'Rate limits that all instances share.',
    de: 'Ratenbegrenzungen, die für alle Instanzen gelten.',
  },
  resources: [throttleCounters],
  sweeps: [expires(throttleCounters, ({ now }) => ({ until: { le: now } }))],
})
