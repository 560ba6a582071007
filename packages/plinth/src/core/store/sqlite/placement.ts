// Where a read runs on SQLite: in the service's own thread, where it is fastest, or in one of a few processes, where it holds up
// nothing else. Its estimated work decides. What turns out to take long in the thread is ended there, and begins again in a process.

import { LRUCache } from 'lru-cache'
import { inSharedTurn } from '../../pauses.ts'
import { startStopwatch } from '../../thread-clock.ts'
import type { ReadHint, ResultRows } from '../connection.ts'
import { isRefusal } from '../slow-reads.ts'
import { maxPrepared, type SyncConnection } from './connection.ts'
import type { KnownRead, PlanCosts, StatementCost } from './plan-costs.ts'
import type { SqliteReaders } from './readers.ts'
import type { ReadResult } from './sqlite-reader.ts'
import type { StatementWatch } from './statement-watch.ts'

/** The most work in simple rows: about a millisecond for each thousand of them, short enough to block the thread. */
export const maxWorkInPlace = 10_000
/** The most milliseconds of the thread's own time. A statement that takes longer is run elsewhere from then on. */
export const maxMsInPlace = 20
/**
 * Statements of less work are ended when they take too long, but not measured: that takes time as well. Nor do they wait for those that
 * run in the same turn of the event loop.
 */
const minMeasuredWork = 1000
/**
 * Reading the rows of a page may take longer than finding them: texts may be long, so the time is looked at after each. So few rows of
 * a statement that visits no more are read at once, which is faster.
 */
const fewRows = 60
/** How long a kind of statement that took too long is remembered, unless it is fast in the meantime. */
const slowFor = 10 * 60_000
/** The time in a process that is fast enough for the thread. */
const fastMs = maxMsInPlace / 2

interface PlacementParts {
  readonly here: SyncConnection
  readonly watch: StatementWatch
  readonly costs: PlanCosts
  readonly readers: SqliteReaders
  readonly count: () => void
}

type ForeignRead = Pick<KnownRead, 'sql' | 'cells'> & Pick<ReadHint, 'requester'>

interface PlacedRead extends KnownRead, Pick<ReadHint, 'requester'> {
  readonly cost: StatementCost
}

/** The same statement takes longer where it reads more: a large page may be slow, and a small one is not. */
const kindOf = ({ sql, cost }: PlacedRead): string => `${Math.ceil(Math.log2(1 + cost.work))} ${sql}`

export class ReadPlacement {
  readonly #parts: PlacementParts
  /** Kinds of statements that took too long in the thread. */
  readonly #slow = new LRUCache<string, true>({ max: maxPrepared, ttl: slowFor })

  constructor(parts: PlacementParts) {
    this.#parts = parts
  }

  async rows(known: KnownRead & Pick<ReadHint, 'requester'>): Promise<ResultRows> {
    const cost = this.#parts.costs.of(known)
    const read: PlacedRead = { ...known, cost }
    if (cost.work > maxWorkInPlace) return this.#elsewhere(read)
    if (cost.isDoubtful || (this.#slow.size > 0 && this.#slow.has(kindOf(read)))) return this.#elsewhereOrHere(read)
    // Together, statements that take milliseconds would hold up others as a long one does.
    const rows = cost.work >= minMeasuredWork ? await inSharedTurn(() => this.#here(read)) : this.#here(read)
    return rows ?? this.#elsewhere(read)
  }

  /** Runs a statement of which nothing is known. */
  async elsewhere(read: ForeignRead): Promise<ResultRows> {
    return (await this.#inProcess(read)).rows
  }

  /** Returns null when it took too long. */
  #here(read: PlacedRead): ResultRows | null {
    const { cells, cost } = read
    const { here, watch, costs } = this.#parts
    const ownTime = cost.work >= minMeasuredWork ? startStopwatch() : null
    const mayBeLong = cost.work > fewRows || cost.guesses.length > 0
    const rows = watch.runInTime(look => here.read(cost.sql, cells, mayBeLong ? look : undefined))
    if (rows === null || (ownTime && ownTime() > maxMsInPlace)) {
      this.#slow.set(kindOf(read), true)
      costs.overran(cost)
    }
    return rows
  }

  async #elsewhere(read: PlacedRead): Promise<ResultRows> {
    const { rows, ms } = await this.#inProcess(read)
    if (ms < fastMs) this.#slow.delete(kindOf(read))
    return rows
  }

  #inProcess({ sql, cells, requester }: ForeignRead): Promise<ReadResult> {
    const { readers, count } = this.#parts
    count()
    return readers.rows({ sql, cells }, requester)
  }

  /** What is small is not refused because others are slow: then it runs here after all, for as long as it may. */
  async #elsewhereOrHere(read: PlacedRead): Promise<ResultRows> {
    try {
      return await this.#elsewhere(read)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const rows = this.#here(read)
      if (rows === null) throw error
      return rows
    }
  }
}
