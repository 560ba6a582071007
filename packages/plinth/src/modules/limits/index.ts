// How often something may happen within a while. Counted in the database, so that all instances count together.

import { createHash } from 'node:crypto'
import { assigned, defineResource } from '../../core/model/define.ts'
import { integer, timestamp } from '../../core/model/fields.ts'
import type { Row } from '../../core/model/row.ts'
import type { Reader, Transaction } from '../../core/model/transaction.ts'
import { defineModule } from '../../core/module.ts'
import type { Problem } from '../../core/problem.ts'
import { tooManyRequests } from '../../core/quota.ts'
import { readerOf } from '../../core/records/reader.ts'
import { recordsIn } from '../../core/records/records.ts'
import { expires } from '../../core/rest/jobs.ts'

export const throttleCounters = defineResource('throttleCounters', {
  about: 'Counters of recent events.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    count: integer({ required: true }),
    until: timestamp({ required: true, indexed: true }),
  },
  access: {},
})

export interface Counter {
  readonly pk: string
  readonly count: number
  /** When the count starts again from zero. */
  readonly until: Date
  /** The stored end is more than a window away, so the clock was set back since. `holdCounter` corrects the stored end. */
  readonly isOverdue: boolean
}

export interface Span {
  readonly now: Date
  /** For how long it is counted, in milliseconds. */
  readonly window: number
}

const pkOf = (key: string): string => createHash('sha256').update(key).digest('hex')

type Kept = Row<typeof throttleCounters>

const toCounter = (pk: string, kept: Kept | null, { now, window }: Span): Counter => {
  const latest = new Date(now.getTime() + window)
  const until = kept && new Date(kept.until)
  if (!until || until <= now) return { pk, count: 0, until: latest, isOverdue: false }
  const isOverdue = until > latest
  return { pk, count: kept.count, until: isOverdue ? latest : until, isOverdue }
}

/** `key` says what is counted, and whose. */
export const readCounter = async (reader: Reader, key: string, span: Span): Promise<Counter> => {
  const pk = pkOf(key)
  return toCounter(pk, await readerOf(reader).first(throttleCounters, { pk }), span)
}

/** The same, locked until the transaction ends. */
export const holdCounter = async (tx: Transaction, key: string, span: Span): Promise<Counter> => {
  const [records, pk] = [recordsIn(tx), pkOf(key)]
  let kept: Kept | null = null
  // Again when the row that exists is expired, and deleted before it is locked.
  while (!kept) {
    await records.ensure(throttleCounters, { pk, ...valuesOf(toCounter(pk, null, span)) })
    kept = await records.lock(throttleCounters, pk)
  }
  const counter = toCounter(pk, kept, span)
  return counter.isOverdue ? changeCounter(tx, counter, 0) : counter
}

export const changeCounter = async (tx: Transaction, counter: Counter, by: number): Promise<Counter> => {
  const changed = { ...counter, count: Math.max(0, counter.count + by), isOverdue: false }
  await recordsIn(tx).update(throttleCounters, counter.pk, valuesOf(changed))
  return changed
}

const valuesOf = ({ count, until }: Counter) => ({ count, until: until.toISOString() })

export interface Event {
  readonly key: string
  readonly by: number
}

export const raise = async (tx: Transaction, { key, by }: Event, span: Span): Promise<Counter> =>
  changeCounter(tx, await holdCounter(tx, key, span), by)

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
