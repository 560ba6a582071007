// Where a read runs on PostgreSQL: among the fast ones, or among the slow ones. The planner's estimate decides at first, and
// what is measured corrects it.

import { LRUCache } from 'lru-cache'
import type postgres from 'postgres'
import type { Requester } from '../../model/caller.ts'
import type { Cell, ReadHint, ResultRows } from '../driver.ts'
import type { PostgresLane } from './client.ts'
import { isCancelled } from './errors.ts'
import type { PostgresSlowReads } from './slow-reads.ts'
import { withoutHoles } from './wire.ts'

interface PostgresRead {
  readonly text: string
  readonly cells: readonly Cell[]
}

interface ReadParts {
  readonly fast: PostgresLane
  readonly slow: PostgresSlowReads
  readonly send: (sql: postgres.Sql, text: string, cells: readonly Cell[]) => Promise<ResultRows>
}

/** The server ends a statement among the fast ones after so many milliseconds. It is then run again among the slow ones. */
export const fastReadMs = 100

/**
 * In the planner's unit, a page read in sequence. A scan of this cost takes about 20 milliseconds. A guess that is too low
 * corrects itself at once among the slow ones, where nothing else is in the way.
 */
const maxFastCost = 1000
/** Milliseconds. Fast statements that take longer, time and again, are slow from then on; slow ones that take less are fast. */
const lateMs = 30
const earlyMs = 10
/** Once may be the fault of something else. */
const maxContradictions = 3

/** Tables grow, so statements are judged again, in milliseconds. */
const keptFor = 10 * 60_000
const maxKept = 2000

/** What the planner finds cheaper is never slow by itself: when it takes long, the machine is busy. */
const trivialCost = 100

interface ReadPace {
  isSlow: boolean
  readonly isTrivial: boolean
  /** How often in a row the statement was not what it is taken for. */
  contradictions: number
}

export class PostgresReads {
  readonly #parts: ReadParts
  readonly #paces = new LRUCache<string, ReadPace>({ max: maxKept, ttl: keptFor })
  readonly #estimates = new Map<string, Promise<ReadPace>>()

  constructor(parts: ReadParts) {
    this.#parts = parts
  }

  async rows(read: PostgresRead, hint: ReadHint): Promise<ResultRows> {
    const key = keyOf(read, hint)
    const pace = this.#paces.get(key) ?? (await this.#estimate(key, read))
    if (pace.isSlow) return this.#slowly(read, pace, hint.requester)
    try {
      return await this.#fast(read, pace)
    } catch (error) {
      if (!isCancelled(error)) throw error
      if (!pace.isTrivial) {
        pace.isSlow = true
        pace.contradictions = 0
      }
      return this.#slowly(read, pace, hint.requester)
    }
  }

  #fast(read: PostgresRead, pace: ReadPace): Promise<ResultRows> {
    const { fast, send } = this.#parts
    return fast.use(async client => {
      const began = performance.now()
      try {
        const rows = await send(client.sql, read.text, read.cells)
        // A connection runs one statement after the other: the time before this one began was that of others.
        const own = performance.now() - Math.max(began, client.lastDone)
        if (!pace.isSlow && !pace.isTrivial) contradict(pace, own > lateMs)
        return rows
      } finally {
        client.lastDone = performance.now()
      }
    })
  }

  #slowly(read: PostgresRead, pace: ReadPace, requester: Requester | undefined): Promise<ResultRows> {
    const { slow, send } = this.#parts
    return slow.statement(requester, async sql => {
      const began = performance.now()
      const rows = await send(sql, read.text, read.cells)
      if (pace.isSlow) contradict(pace, performance.now() - began < earlyMs)
      return rows
    })
  }

  /** Once for all who ask for the same at the same time. */
  #estimate(key: string, read: PostgresRead): Promise<ReadPace> {
    const known = this.#estimates.get(key)
    if (known) return known
    const estimate = this.#costOf(read).then(cost => {
      const pace = { isSlow: cost > maxFastCost, isTrivial: cost < trivialCost, contradictions: 0 }
      this.#paces.set(key, pace)
      return pace
    })
    this.#estimates.set(key, estimate)
    const forget = () => this.#estimates.delete(key)
    estimate.then(forget, forget)
    return estimate
  }

  async #costOf({ text, cells }: PostgresRead): Promise<number> {
    if (!text.startsWith('SELECT')) return 0
    try {
      return await this.#parts.fast.use(({ sql }) => costOf(sql, text, cells))
    } catch (error) {
      // What takes long to plan is not fast.
      if (isCancelled(error)) return Number.POSITIVE_INFINITY
      throw error
    }
  }
}

/** Counts what was not as expected, and what was: then the count begins again. */
const contradict = (pace: ReadPace, isUnexpected: boolean): void => {
  pace.contradictions = isUnexpected ? pace.contradictions + 1 : 0
  if (pace.contradictions < maxContradictions) return
  pace.isSlow = !pace.isSlow
  pace.contradictions = 0
}

/** The text says nothing of how many rows an offset skips. */
const keyOf = ({ text }: PostgresRead, { skips = 0 }: ReadHint): string =>
  skips < 1000 ? text : `${Math.ceil(Math.log10(skips))} ${text}`

const costOf = async (sql: postgres.Sql, text: string, cells: readonly Cell[]): Promise<number> => {
  const rows = withoutHoles(await sql.unsafe(`EXPLAIN (FORMAT JSON) ${text}`, [...cells], { prepare: false }).values())
  const plans = rows[0]?.[0] as readonly { readonly Plan: { readonly 'Total Cost': number } }[] | undefined
  return plans?.[0]?.Plan['Total Cost'] ?? 0
}
