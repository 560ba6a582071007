// Which statements may visit many rows. What is known of a statement is kept: this is asked before each read.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import type { Cell, ReadHint } from '../connection.ts'
import type { StatementFacts, TrigramSearch } from '../statement-facts.ts'
import { matchText, trigramsIn } from './dialect.ts'
import { type IndexLookup, type PlanCost, type PlanStep, QueryPlan } from './query-plan.ts'
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
  /** The statement as it runs in the thread: without a watch where the number of its rows was counted, and none is copied to be sorted. */
  readonly sql: string
  /** The number of simple rows that take as long as this statement, about. */
  readonly work: number
  /** Index lookups whose number of rows is a guess. */
  readonly guesses: readonly string[]
  /** Was such a guess wrong lately? */
  readonly isDoubtful: boolean
}

/** A read whose maker has said what it knows of it. */
export interface KnownRead extends Pick<ReadHint, 'walks'> {
  readonly sql: string
  readonly cells: readonly Cell[]
  readonly facts: StatementFacts
}

interface KnownPlan {
  readonly plan: QueryPlan
  readonly rowWork: number
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

  of({ sql, cells, facts, walks }: KnownRead): StatementCost {
    const { plan, rowWork, unwatched } = this.#planned({ sql, cells, facts })
    const { trigrams } = facts
    if (walks !== undefined && !plan.sorts) return { sql, work: walks * rowWork, guesses: [], isDoubtful: false }
    const cost = plan.costWith({
      sizeOf: table => this.#sizes.of(table),
      countOf: lookup => this.#countOf(lookup, cells),
    })
    const { visits, guesses } = trigrams.length > 0 ? this.#withTrigrams(cost, trigrams, cells) : cost
    const isCounted = guesses.length === 0
    const isDoubtful = guesses.some(guess => this.#wrong.has(guess))
    return { sql: isCounted && !plan.sorts ? unwatched : sql, work: visits * rowWork, guesses, isDoubtful }
  }

  /** Reduces a search by trigrams to few of them. The texts found are compared with the pattern. */
  narrow(cells: readonly Cell[], facts: StatementFacts): readonly Cell[] {
    if (facts.trigrams.length === 0) return cells
    const searches = readSearches(facts.trigrams, cells)
    const isCounted = searches.reduce((sum, { trigrams }) => sum + trigrams.length, 0) <= maxCandidates
    const narrowed = [...cells]
    for (const { search, trigrams } of searches) {
      const few = isCounted ? this.#rarest(search, trigrams) : null
      narrowed[search.cell] = matchText(few ?? trigrams.filter((_, at) => at % 3 === 0))
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
  #rarest(search: TrigramSearch, trigrams: readonly string[]): readonly string[] | null {
    try {
      return this.#trigrams.rarest(search, trigrams)
    } catch {
      return null
    }
  }

  /** What a statement does for each row, it does for each match of the index. */
  #withTrigrams(cost: PlanCost, known: readonly TrigramSearch[], cells: readonly Cell[]): PlanCost {
    const searches = readSearches(known, cells)
    const guesses = [...cost.guesses, ...searches.map(({ search }) => `trigrams ${search.index}`)]
    const count = searches.reduce((sum, { trigrams }) => sum + trigrams.length, 0)
    if (count === 0 || count > maxTrigrams) return { ...cost, guesses, visits: Number.POSITIVE_INFINITY }
    const costs = searches.map(({ search, trigrams }) => this.#trigrams.of(search, trigrams))
    const sum = (kind: keyof TrigramCost) => costs.reduce((all, one) => all + one[kind], 0)
    return { ...cost, guesses, visits: cost.visits * Math.max(1, sum('matches')) + sum('lists') }
  }

  #planned({ sql, cells, facts }: KnownRead): KnownPlan {
    const key = keyOf(sql, cells, facts)
    const kept = this.#plans.get(key)
    if (kept) return kept
    const steps = this.#database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...cells) as unknown as PlanStep[]
    const unwatched = withoutLightWatches(sql)
    const known = { plan: new QueryPlan(steps, facts), rowWork: facts.rowWork, unwatched }
    this.#plans.set(key, known)
    return known
  }
}

/** The searches with the trigrams that their cells hold. */
const readSearches = (searches: readonly TrigramSearch[], cells: readonly Cell[]) =>
  searches.map(search => ({ search, trigrams: trigramsIn(String(cells[search.cell])) }))

/** A pattern is served by an index when it begins with letters. So the plan depends on the value. */
const keyOf = (sql: string, cells: readonly Cell[], { patterns }: StatementFacts): string =>
  patterns.length === 0 ? sql : `${patterns.map(at => (isOpen(cells[at]) ? '*' : '.')).join('')} ${sql}`

const isOpen = (pattern: Cell | undefined): boolean => typeof pattern === 'string' && /^[*?[]/.test(pattern)
