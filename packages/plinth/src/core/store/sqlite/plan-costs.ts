// Which statements may visit many rows. What is known of a statement is kept: this is asked before each read.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import type { Cell, ReadHint } from '../connection.ts'
import { matchText, trigramsIn } from './dialect.ts'
import { type IndexLookup, type PlanCost, type PlanStep, QueryPlan } from './query-plan.ts'
import { rowWorkOf } from './row-work.ts'
import { withoutLightWatches } from './statement-watch.ts'
import { keptFor, type SqliteSizes } from './table-sizes.ts'
import { type TrigramCost, TrigramCosts } from './trigram-costs.ts'
import { ValueCounts } from './value-counts.ts'

const maxPlans = 2000

/** How long a guess is in doubt after it has led to a statement that took too long, in milliseconds. */
const doubtedFor = 60_000
const maxGuesses = 1000

/** The most trigrams that are estimated: more would take too long. */
const maxTrigrams = 20
/** The most trigrams to choose from: more would take too long. */
const maxCandidates = 60

/** Tables of so few rows are looked at whole in no time, so nothing is counted in them. */
const fewRows = 100

export interface StatementCost {
  /** The statement as it runs in the thread: without a watch where the number of its rows was counted. */
  readonly sql: string
  /** The number of simple rows that take as long as this statement, about. */
  readonly work: number
  /** Index lookups whose number of rows is a guess. */
  readonly guesses: readonly string[]
  /** Was such a guess wrong lately? */
  readonly isDoubtful: boolean
}

interface KnownPlan {
  readonly plan: QueryPlan
  /** What each row takes, compared with a simple one. */
  readonly rowWork: number
  readonly isByTrigrams: boolean
  readonly unwatched: string
}

export class PlanCosts {
  readonly #database: DatabaseSyncInstance
  readonly #sizes: SqliteSizes
  readonly #counts: ValueCounts
  readonly #plans = new LRUCache<string, KnownPlan>({ max: maxPlans, ttl: keptFor })
  readonly #wrong = new LRUCache<string, true>({ max: maxGuesses, ttl: doubtedFor })
  readonly #trigrams: TrigramCosts

  /** `most`: statements that take more are all the same here. */
  constructor(database: DatabaseSyncInstance, sizes: SqliteSizes, most: number) {
    this.#database = database
    this.#sizes = sizes
    this.#counts = new ValueCounts(database, most)
    this.#trigrams = new TrigramCosts(database)
  }

  of(sql: string, cells: readonly Cell[], { walks }: ReadHint): StatementCost {
    const { plan, rowWork, isByTrigrams, unwatched } = this.#planned(sql, cells)
    if (walks !== undefined && !plan.sorts) return { sql, work: walks * rowWork, guesses: [], isDoubtful: false }
    const cost = plan.costWith({
      sizeOf: table => this.#sizes.of(table),
      countOf: lookup => this.#countOf(lookup, cells),
    })
    const { visits, guesses } = isByTrigrams ? this.#withTrigrams(cost, sql, cells) : cost
    const isCounted = guesses.length === 0
    const isDoubtful = guesses.some(guess => this.#wrong.has(guess))
    return { sql: isCounted ? unwatched : sql, work: visits * rowWork, guesses, isDoubtful }
  }

  /** Reduces a search by trigrams to few of them. The texts found are compared with the pattern. */
  narrow(sql: string, cells: readonly Cell[]): readonly Cell[] {
    if (!sql.includes(' MATCH ')) return cells
    const searches = trigramSearches(sql, cells)
    const isCounted = searches.reduce((sum, { trigrams }) => sum + trigrams.length, 0) <= maxCandidates
    const narrowed = [...cells]
    for (const { index, place, trigrams } of searches) {
      const few = isCounted ? this.#rarest(index, trigrams) : null
      narrowed[place] = matchText(few ?? trigrams.filter((_, at) => at % 3 === 0))
    }
    return narrowed
  }

  /** The statement took too long: many rows may share a value. So other statements by the same index may not be cheap either. */
  overran({ guesses }: StatementCost): void {
    for (const guess of guesses) this.#wrong.set(guess, true)
  }

  #countOf(lookup: IndexLookup, cells: readonly Cell[]): number | null {
    return this.#sizes.of(lookup.table) <= fewRows ? null : this.#counts.of(lookup, cells)
  }

  /** A statement must not fail because of this. */
  #rarest(index: string, trigrams: readonly string[]): readonly string[] | null {
    try {
      return this.#trigrams.rarest(index, trigrams)
    } catch {
      return null
    }
  }

  /** What a statement does for each row, it does for each match of the index. */
  #withTrigrams(cost: PlanCost, sql: string, cells: readonly Cell[]): PlanCost {
    const searches = trigramSearches(sql, cells)
    const guesses = [...cost.guesses, ...searches.map(({ index }) => `trigrams ${index}`)]
    const count = searches.reduce((sum, { trigrams }) => sum + trigrams.length, 0)
    if (count === 0 || count > maxTrigrams) return { ...cost, guesses, visits: Number.POSITIVE_INFINITY }
    const costs = searches.map(({ index, trigrams }) => this.#trigrams.of(index, trigrams))
    const sum = (kind: keyof TrigramCost) => costs.reduce((all, one) => all + one[kind], 0)
    return { ...cost, guesses, visits: cost.visits * Math.max(1, sum('matches')) + sum('lists') }
  }

  #planned(sql: string, cells: readonly Cell[]): KnownPlan {
    const key = keyOf(sql, cells)
    const kept = this.#plans.get(key)
    if (kept) return kept
    const steps = this.#database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...cells) as unknown as PlanStep[]
    const known = {
      plan: new QueryPlan(steps, sql),
      rowWork: rowWorkOf(sql),
      isByTrigrams: sql.includes(' MATCH '),
      unwatched: withoutLightWatches(sql),
    }
    this.#plans.set(key, known)
    return known
  }
}

const trigramSearches = (sql: string, cells: readonly Cell[]) =>
  [...sql.matchAll(/"(\w+)" MATCH \?(\d+)/g)].map(([, index = '', number]) => {
    const place = Number(number) - 1
    return { index, place, trigrams: trigramsIn(String(cells[place])) }
  })

/** A pattern is served by an index when it begins with letters. So the plan depends on the value. */
const keyOf = (sql: string, cells: readonly Cell[]): string =>
  sql.includes(' GLOB ')
    ? `${cells.map(cell => (typeof cell === 'string' && /^[*?[]/.test(cell) ? '*' : '.')).join('')} ${sql}`
    : sql
