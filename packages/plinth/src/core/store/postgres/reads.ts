// Where a read runs on PostgreSQL: among the fast ones, or among the slow ones. The planner's estimate decides at first. A read
// that takes longer is measured by the rows and pages that it reads, because its time also depends on the load of the server.

import { LRUCache } from 'lru-cache'
import type postgres from 'postgres'
import type { Requester } from '../../model/caller.ts'
import type { Cell, ReadHint, ResultRows } from '../connection.ts'
import { isCancelled } from './errors.ts'
import type { PostgresLane } from './lane.ts'
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
/** Milliseconds. Fast statements that repeatedly take longer are measured; slow ones that repeatedly take less become fast. */
const lateMs = 30
const earlyMs = 10
/** The number of contradictions that refute an estimate: a single one may have other causes. */
const maxContradictions = 3

/** Milliseconds. If measuring takes longer, the statement is treated as slow until the result is known. */
const maxMeasuringMs = 300

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
  isUnderMeasurement: boolean
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
      if (!pace.isTrivial) this.#measure(read, pace)
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
        if (!pace.isSlow && !pace.isTrivial && isContradicted(pace, own > lateMs)) this.#measure(read, pace)
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
      if (pace.isSlow && isContradicted(pace, performance.now() - began < earlyMs)) pace.isSlow = false
      return rows
    })
  }

  /** Runs the statement once more, among the slow ones, and decides by its work where it belongs. */
  #measure({ text, cells }: PostgresRead, pace: ReadPace): void {
    if (pace.isUnderMeasurement) return
    pace.isUnderMeasurement = true
    const decide = (isSlow: boolean): void => {
      pace.isSlow = isSlow
      pace.contradictions = 0
    }
    const timer = setTimeout(decide, maxMeasuringMs, true)
    this.#parts.slow
      .statement(undefined, sql => workOf(sql, text, cells))
      .then(
        work => decide(work > maxFastCost),
        () => decide(true),
      )
      .finally(() => {
        clearTimeout(timer)
        pace.isUnderMeasurement = false
      })
  }

  /** Estimates once for all who ask for the same at the same time. */
  #estimate(key: string, read: PostgresRead): Promise<ReadPace> {
    const known = this.#estimates.get(key)
    if (known) return known
    const estimate = this.#costOf(read).then(cost => {
      const pace = {
        isSlow: cost > maxFastCost,
        isTrivial: cost < trivialCost,
        contradictions: 0,
        isUnderMeasurement: false,
      }
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

/** Counts what was not as expected; what was begins the count again. True when the count is full. */
const isContradicted = (pace: ReadPace, isUnexpected: boolean): boolean => {
  pace.contradictions = isUnexpected ? pace.contradictions + 1 : 0
  if (pace.contradictions < maxContradictions) return false
  pace.contradictions = 0
  return true
}

/** The text says nothing of how many rows an offset skips. */
const keyOf = ({ text }: PostgresRead, { skips = 0 }: ReadHint): string =>
  skips < 1000 ? text : `${Math.ceil(Math.log10(skips))} ${text}`

interface PlanNode {
  readonly 'Total Cost': number
  /** The rows of each loop. Like the following, only in the plan of a statement that was run. */
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  /** Pages in memory and pages that were read, those of the nodes below included. */
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

const planOf = async (
  sql: postgres.Sql,
  { options, text, cells }: PostgresRead & { readonly options: string },
): Promise<PlanNode | undefined> => {
  const explain = `EXPLAIN (${options}FORMAT JSON) ${text}`
  const rows = withoutHoles(await sql.unsafe(explain, [...cells], { prepare: false }).values())
  const plans = rows[0]?.[0] as readonly { readonly Plan: PlanNode }[] | undefined
  return plans?.[0]?.Plan
}

const costOf = async (sql: postgres.Sql, text: string, cells: readonly Cell[]): Promise<number> =>
  (await planOf(sql, { options: '', text, cells }))?.['Total Cost'] ?? 0

/** What a row and a page cost, in the planner's unit: most of a statement's time is one of these. */
const rowCost = 0.02
const cachedPageCost = 0.02
const readPageCost = 0.5

/** Runs the statement. The rows and pages that it reads do not depend on the load of the server. */
const workOf = async (sql: postgres.Sql, text: string, cells: readonly Cell[]): Promise<number> => {
  const plan = await planOf(sql, { options: 'ANALYZE, BUFFERS, TIMING OFF, ', text, cells })
  if (!plan) return 0
  const pages = (plan['Shared Hit Blocks'] ?? 0) * cachedPageCost + (plan['Shared Read Blocks'] ?? 0) * readPageCost
  return pages + rowsIn(plan) * rowCost
}

const rowsIn = (node: PlanNode): number => {
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  return each * (node['Actual Loops'] ?? 1) + (node.Plans ?? []).reduce((sum, below) => sum + rowsIn(below), 0)
}
