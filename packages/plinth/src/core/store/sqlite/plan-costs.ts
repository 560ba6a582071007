// How many rows a statement may visit, estimated from SQLite's plan for it and the sizes of its tables.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import type { Cell } from '../driver.ts'
import { indexPrefixes } from '../sql/names.ts'
import type { SqliteSizes } from './table-sizes.ts'

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

/** A pattern is served by an index when it begins with letters. So the plan depends on the value. */
const keyOf = (sql: string, cells: readonly Cell[]): string =>
  sql.includes(' GLOB ')
    ? `${cells.map(cell => (typeof cell === 'string' && /^[*?[]/.test(cell) ? '*' : '.')).join('')} ${sql}`
    : sql

type PlanStep = readonly [id: number, parent: number, unused: number, detail: string]

interface TableKnowledge {
  readonly sizeOf: (table: string) => number
  readonly isTrusted: (guess: string) => boolean
}

const costOf = (steps: readonly PlanStep[], sql: string, { sizeOf, isTrusted }: TableKnowledge): PlanCost => {
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

const rowsOf = (detail: string, size: number): number => {
  // A table of trigrams, whose size is that of the table that it serves.
  if (detail.startsWith(`SCAN ${indexPrefixes.trigrams}`)) return size / 10
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
