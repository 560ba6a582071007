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
import { indexPrefixes } from '../sql/columns.ts'
import { sqliteDialect } from './dialect.ts'
import { GroupCommit, type Writer } from './group-commit.ts'
import { claimSqlite, findSqliteDamages, openSqlite, readSqliteSnapshot } from './open.ts'
import { SqliteReaders } from './readers.ts'
import { mergeTrigrams } from './schema.ts'
import { SqliteSizes } from './table-sizes.ts'

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
  const queue = new GroupCommit(createWriter(writing, count), writeTimeout)
  const readers = new SqliteReaders(path, queryTimeout)
  const sizes = new SqliteSizes(reading)
  const costs = new PlanCosts(reading, sizes)
  const overruns = new LRUCache<string, number>({ max: maxPrepared, ttl: slowFor })
  const rows: Connection['rows'] = async (sql, cells, quick = false, hint = {}) => {
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

const createWriter = (database: DatabaseSyncInstance, count: () => void): Writer => ({
  connection: createConnection(database, { count, passing: passingForWriter }),
  control: sql => {
    try {
      database.exec(sql)
    } catch (error) {
      throw toUnavailable(error, { database, passing: passingForWriter })
    }
  },
  inTransaction: () => database.isOpen && database.isTransaction,
})

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

// How many rows a statement may visit, estimated from the plan of SQLite for it and the sizes of its tables.

export interface PlanCost {
  /** Rows visited at worst. */
  readonly visits: number
  /** Are all matches sorted before the first of them is known? */
  readonly sorts: boolean
  /** Index lookups whose number of rows is a guess. */
  readonly guesses: readonly string[]
}

/** Tables grow, so plans are looked at again, in milliseconds. */
const keptFor = 60_000
const maxPlans = 2000

/** A guess that has led to statements that took too long so many times is not trusted for a while, in milliseconds. */
const maxWrong = 3
const distrustedFor = 10 * 60_000
const maxGuesses = 1000

export class PlanCosts {
  readonly #database: DatabaseSyncInstance
  readonly #sizes: SqliteSizes
  readonly #plans = new LRUCache<string, PlanCost>({ max: maxPlans, ttl: keptFor })
  /** How often each was wrong. */
  readonly #wrong = new LRUCache<string, number>({ max: maxGuesses, ttl: distrustedFor })

  constructor(database: DatabaseSyncInstance, sizes: SqliteSizes) {
    this.#database = database
    this.#sizes = sizes
  }

  of(sql: string, cells: readonly Cell[]): PlanCost {
    const key = keyOf(sql, cells)
    const known = this.#plans.get(key)
    if (known) return known
    const steps = this.#database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...cells) as unknown as PlanStep[]
    const cost = costOf(steps, sql, {
      trigrams: fewestTrigrams(cells),
      sizeOf: table => this.#sizes.of(table),
      isTrusted: guess => (this.#wrong.get(guess) ?? 0) < maxWrong,
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

/**
 * A pattern is served by an index when it begins with letters. So the plan depends on the value; and how many rows an index on
 * trigrams finds depends on how many of them it is asked for.
 */
const keyOf = (sql: string, cells: readonly Cell[]): string => {
  if (sql.includes(' GLOB '))
    return `${cells.map(cell => (typeof cell === 'string' && /^[*?[]/.test(cell) ? '*' : '.')).join('')} ${sql}`
  return sql.includes(' MATCH ') ? `${fewestTrigrams(cells)} ${sql}` : sql
}

/** Values of callers may look like lists of trigrams too. The shortest list is the one that finds most. */
const fewestTrigrams = (cells: readonly Cell[]): number => {
  const isList = (cell: Cell): cell is string => typeof cell === 'string' && cell.startsWith('"')
  return Math.min(...cells.filter(isList).map(list => list.split('" "').length))
}

type PlanStep = readonly [id: number, parent: number, unused: number, detail: string]

interface TableKnowledge {
  /** How many trigrams an index on them is asked for. */
  readonly trigrams: number
  readonly sizeOf: (table: string) => number
  readonly isTrusted: (guess: string) => boolean
}

const costOf = (steps: readonly PlanStep[], sql: string, known: TableKnowledge): PlanCost => {
  const { sizeOf, isTrusted, trigrams } = known
  const tables = tablesIn(sql)
  for (const [alias, table] of tables) if (table.startsWith(indexPrefixes.trigrams)) tables.delete(alias)
  const largest = Math.max(1, ...[...tables.values()].map(sizeOf))
  const sizeAt = (alias: string): number => {
    const table = tables.get(alias)
    return Math.max(1, table === undefined ? largest : sizeOf(table))
  }
  const selected = selectedQueries(sql)
  const guesses: string[] = []
  const rowsAt = (detail: string, alias: string): number => {
    const size = sizeAt(alias)
    // The size is that of the table that the index serves.
    if (detail.startsWith(`SCAN ${indexPrefixes.trigrams}`)) return rowsByTrigrams(size, trigrams)
    if (!isGuess(detail)) return rowsOf(detail, size)
    const guess = `${tables.get(alias)} ${detail.slice(detail.indexOf(' USING '))}`
    guesses.push(guess)
    return isTrusted(guess) ? rowsOf(detail, size) : size
  }
  // Their rows are counted where they are made.
  const derived = new Set(steps.map(([, , , detail]) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1]))
  /** Loops stand one below the other, the outer one first. Correlated queries run for each row of the innermost. */
  const visit = (parent: number, times: number): number => {
    let [visits, rows] = [0, times]
    for (const [id, , , detail] of steps.filter(step => step[1] === parent)) {
      const [, alias] = /^(?:SCAN|SEARCH) (\S+)/.exec(detail) ?? []
      if (alias !== undefined && !derived.has(alias)) {
        rows *= rowsAt(detail, alias)
        visits += rows
      }
      const [, number] = /^CORRELATED \w+ SUBQUERY (\d+)/.exec(detail) ?? []
      const isSelected = number !== undefined && Number(number) <= selected
      visits += visit(id, number === undefined ? times : isSelected ? Math.min(rows, maxPage) : rows)
    }
    return visits
  }
  return {
    visits: /^SELECT count\(\*\) FROM "\w+" AS b$/.test(sql) ? largest / cellsPerPage : visit(0, 1),
    sorts: steps.some(([, , , detail]) => /^USE TEMP B-TREE FOR (?!json)/.test(detail)),
    guesses,
  }
}

/** Queries among the selected columns run for the rows that are returned alone; the planner numbers them first. */
const selectedQueries = (sql: string): number => {
  let [depth, queries] = [0, 0]
  for (const [token] of sql.matchAll(/\(SELECT\b|\(|\)|\bFROM\b/g)) {
    if (token === 'FROM' && depth === 0) break
    if (token === '(SELECT') queries += 1
    depth += token === ')' ? -1 : token === 'FROM' ? 0 : 1
  }
  return queries
}

const maxPage = 500

/** A count without conditions reads how many cells each page has, and none of the rows. */
const cellsPerPage = 100

/** Each trigram is in every tenth text at most. The lists of all of them are read, 40 entries in the time of a row. */
const rowsByTrigrams = (size: number, trigrams: number): number => size / 10 ** trigrams + (trigrams * size) / 2000

const rowsOf = (detail: string, size: number): number => {
  if (detail.startsWith('SCAN')) return size
  if (isUnique(detail)) return 1
  if (isGuess(detail)) return Math.sqrt(size)
  // Between two values lie far fewer than above or below one: mostly the texts with the same first letters.
  return detail.includes('>? AND ') && detail.includes('<?') ? size / 30 : size / 3
}

/** `FROM "films" AS b` → b: films; a table without an alias goes by its own name. */
const tablesIn = (sql: string): Map<string, string> => {
  const tables = new Map<string, string>()
  for (const [, table = '', alias] of sql.matchAll(/(?:FROM|JOIN) "(\w+)"(?: AS (\w+))?/g))
    tables.set(alias ?? table, table)
  return tables
}

/** By the index of a primary key or of a unique column. */
const isUnique = (detail: string): boolean =>
  detail.includes('rowid=?') || (detail.includes('sqlite_autoindex') && detail.endsWith('=?)'))

/** How many rows share a value is not known; what is measured corrects the guess. */
const isGuess = (detail: string): boolean => detail.startsWith('SEARCH') && detail.includes('=?') && !isUnique(detail)
