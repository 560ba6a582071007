// The SQLite driver: one connection that writes, one that reads what is committed, and processes for reads that may be slow.

import { randomUUID } from 'node:crypto'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../problem.ts'
import {
  type Cell,
  type Connection,
  type Database,
  type DatabaseLimits,
  type Driver,
  type ReadHint,
  untilFailure,
} from '../driver.ts'
import { matchText, sqliteDialect, trigramsIn } from './dialect.ts'
import { GroupCommit, type Writer } from './group-commit.ts'
import { claimSqlite, findSqliteDamages, openSqlite, readSqliteSnapshot } from './open.ts'
import {
  costOf,
  keptFor,
  type PlanCost,
  type PlanStep,
  SqliteSizes,
  type TrigramCost,
  TrigramCosts,
} from './plan-costs.ts'
import { SqliteReaders } from './readers.ts'
import { mergeTrigrams } from './schema.ts'

const maxPrepared = 500

/** About a millisecond for each thousand rows: short enough to block the process. */
const maxVisitsInPlace = 10_000
/** Of processor time: a statement that takes more, time and again, is run elsewhere from then on. */
const maxMsInPlace = 20
/** Once may be the fault of something else in the process. */
const maxOverruns = 3
/** Statements that visit fewer rows are not measured. */
const minVisits = 100
/** How long overruns are remembered. */
const slowFor = 10 * 60_000

export const sqliteDatabase: Database = {
  name: 'sqlite',
  // The path of a file, or `:memory:`.
  accepts: url => !url.includes('://'),
  open: async (path, limits) => createDriver(path, limits),
}

const createDriver = (path: string, limits: DatabaseLimits = {}): Driver => {
  const { queryTimeout = 5000, writeTimeout = 30_000, isDisposable = false } = limits
  let statements = 0
  const count = () => {
    statements += 1
  }
  const writing = openSqlite(path)
  // Before the reader comes: it cannot change the mode of a database that it may not write to.
  writing.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${isDisposable ? 'OFF' : 'FULL'}`)
  // Overwrites removed records where that writes no further pages.
  writing.exec('PRAGMA secure_delete = FAST')
  // An in-memory database belongs to its connection.
  const reading = path === ':memory:' ? writing : openSqlite(path)
  if (reading !== writing) reading.exec('PRAGMA query_only = ON')
  const reader = createConnection(reading, { count, passing })
  // A number of the connection: it changes when another connection has committed.
  const generation = reading.prepare('PRAGMA data_version')
  const sizes = new SqliteSizes(reading)
  const costs = new PlanCosts(reading, sizes)
  const queue = new GroupCommit(createWriter(writing, { count, costs }), writeTimeout)
  const readers = new SqliteReaders(path, queryTimeout)
  const overruns = new LRUCache<string, number>({ max: maxPrepared, ttl: slowFor })
  const rows: Connection['rows'] = async (sql, given, quick = false, hint = {}) => {
    const cells = quick || !reading.isOpen ? given : costs.narrow(sql, given)
    const isJudged = reading !== writing && reading.isOpen && sql.startsWith('SELECT')
    if (quick || !isJudged) return reader.rows(sql, cells)
    const cost = costs.of(sql, cells)
    const [visits, late] = [visitsOf(cost, hint), overruns.get(sql) ?? 0]
    if (visits > maxVisitsInPlace || late >= maxOverruns) {
      count()
      return readers.rows({ sql, cells }, hint.requester)
    }
    if (visits < minVisits) return reader.rows(sql, cells)
    const began = process.cpuUsage()
    // The statement runs before the promise is returned. While the promise is awaited, the time is that of others.
    const running = reader.rows(sql, cells)
    const { user, system } = process.cpuUsage(began)
    const found = await running
    if (user + system > maxMsInPlace * 1000) {
      overruns.set(sql, late + 1)
      costs.overran(cost)
    }
    return found
  }
  const script = (sql: string) => queue.run(connection => connection.script(sql), { alone: true, isUnlimited: true })
  const instance = randomUUID()
  const transaction: Driver['transaction'] = (work, options) =>
    queue.run(connection => untilFailure(connection, work), options)
  return {
    dialect: sqliteDialect,
    isEmbedded: true,
    instance,
    // Another process on the same file is the exception, and cannot be seen from here.
    isRunning: async name => name === instance,
    rows,
    script,
    transaction,
    tidy: signal => mergeTrigrams({ transaction }, signal),
    snapshot: work => readSqliteSnapshot(path, work),
    findDamages: () => readSqliteSnapshot(path, findSqliteDamages),
    ...(path !== ':memory:' && { claim: use => claimSqlite(path, use) }),
    tableSizes: () => sizes.all(),
    generation: () => (reading === writing ? null : ((generation.get() as unknown as number[])[0] ?? null)),
    eraseRemoved: () => script('PRAGMA wal_checkpoint(TRUNCATE)'),
    get statements() {
      return statements
    },
    endSlowReads: graceMs => readers.drain(graceMs),
    ping: async () => {
      await reader.rows('SELECT 1', [])
    },
    close: async () => {
      await readers.close()
      await queue.idle()
      if (reading !== writing && reading.isOpen) reading.close()
      if (writing.isOpen) writing.close()
    },
  }
}

const visitsOf = ({ visits, sorts }: PlanCost, { walks }: ReadHint): number =>
  walks !== undefined && !sorts ? walks : visits

interface ConnectionParts {
  readonly count: () => void
  /** Errors that pass by themselves, by their messages. */
  readonly passing: RegExp
}

const createConnection = (database: DatabaseSyncInstance, { count, passing }: ConnectionParts): Connection => {
  const prepared = new LRUCache<string, StatementSyncInstance>({ max: maxPrepared })
  return {
    rows: async (sql, cells) => {
      try {
        let statement = prepared.get(sql)
        if (!statement) {
          statement = database.prepare(sql)
          prepared.set(sql, statement)
        }
        count()
        return statement.all(...cells) as (readonly unknown[])[]
      } catch (error) {
        throw toUnavailable(error, { database, passing })
      }
    },
    script: async sql => {
      try {
        database.exec(sql)
      } catch (error) {
        throw toUnavailable(error, { database, passing })
      }
    },
  }
}

const createWriter = (
  database: DatabaseSyncInstance,
  { count, costs }: { readonly count: () => void; readonly costs: PlanCosts },
): Writer => {
  const connection = createConnection(database, { count, passing: passingForWriter })
  return {
    connection: { ...connection, rows: async (sql, cells) => connection.rows(sql, costs.narrow(sql, cells)) },
    control: sql => {
      try {
        database.exec(sql)
      } catch (error) {
        throw toUnavailable(error, { database, passing: passingForWriter })
      }
    },
    inTransaction: () => database.isOpen && database.isTransaction,
  }
}

/** Held by another process for longer than we wait, or on a disk that takes no more. */
const passing = /database (?:table )?is locked|database or disk is full|disk I\/O error/
/** For the reader a write is a mistake in the code; for the writer the file has become read-only. */
const passingForWriter = new RegExp(`${passing.source}|attempt to write a readonly database`)

interface Failed {
  readonly database: DatabaseSyncInstance
  readonly passing: RegExp
}

const toUnavailable = (error: unknown, { database, passing }: Failed): unknown =>
  !database.isOpen || (error instanceof Error && passing.test(error.message))
    ? new Problem('unavailable', { detail: 'The database is not responding.', cause: error })
    : error

// Which statements may visit many rows. What is known of a statement is kept: this is asked before each read.

const maxPlans = 2000

/** A guess that has led to statements that took too long so many times is not trusted for a while, in milliseconds. */
const maxWrong = 3
const distrustedFor = 10 * 60_000
const maxGuesses = 1000

/** For more trigrams the estimate itself would take too long. */
const maxTrigrams = 20
/** Among more trigrams the choice would take too long. */
const maxCandidates = 60

class PlanCosts {
  readonly #database: DatabaseSyncInstance
  readonly #sizes: SqliteSizes
  readonly #plans = new LRUCache<string, PlanCost>({ max: maxPlans, ttl: keptFor })
  /** How often each was wrong. */
  readonly #wrong = new LRUCache<string, number>({ max: maxGuesses, ttl: distrustedFor })

  readonly #trigrams: TrigramCosts

  constructor(database: DatabaseSyncInstance, sizes: SqliteSizes) {
    this.#database = database
    this.#sizes = sizes
    this.#trigrams = new TrigramCosts(database)
  }

  of(sql: string, cells: readonly Cell[]): PlanCost {
    const cost = this.#planned(sql, cells)
    return sql.includes(' MATCH ') ? this.#withTrigrams(cost, sql, cells) : cost
  }

  /** Where a statement searches by trigrams, the index is asked for few of them. The texts found are compared with the pattern. */
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
    if (count === 0 || count > maxTrigrams || !guesses.every(guess => this.#isTrusted(guess)))
      return { ...cost, guesses, visits: Number.POSITIVE_INFINITY }
    const costs = searches.map(({ index, trigrams }) => this.#trigrams.of(index, trigrams))
    const sum = (kind: keyof TrigramCost) => costs.reduce((all, one) => all + one[kind], 0)
    return { ...cost, guesses, visits: cost.visits * Math.max(1, sum('matches')) + sum('lists') }
  }

  #isTrusted(guess: string): boolean {
    return (this.#wrong.get(guess) ?? 0) < maxWrong
  }

  #planned(sql: string, cells: readonly Cell[]): PlanCost {
    const key = keyOf(sql, cells)
    const known = this.#plans.get(key)
    if (known) return known
    const steps = this.#database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...cells) as unknown as PlanStep[]
    const cost = costOf(steps, sql, {
      sizeOf: table => this.#sizes.of(table),
      isTrusted: guess => this.#isTrusted(guess),
    })
    this.#plans.set(key, cost)
    return cost
  }

  /** The statement took too long: many rows may share a value. So other statements by the same index are not cheap either. */
  overran({ guesses }: PlanCost): void {
    for (const guess of guesses) this.#wrong.set(guess, (this.#wrong.get(guess) ?? 0) + 1)
    if (guesses.some(guess => this.#wrong.get(guess) === maxWrong)) this.#plans.clear()
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
