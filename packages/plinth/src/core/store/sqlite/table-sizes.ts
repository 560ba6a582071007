// About how many rows a table has. SQLite keeps no such numbers, and counting takes as long as the table is large.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import { createPause } from '../../pauses.ts'
import { indexPrefixes } from '../sql/columns.ts'

/** Tables grow, so sizes and plans are looked at again, in milliseconds. */
export const keptFor = 60_000
const maxTables = 1000

/** Link tables have no rowid: they are counted up to this many. */
const countedAtMost = 10_000
/** The size of the sample of a larger table, spread over all rowids: rows that were deleted leave gaps. */
const sampled = 200

/** Tables of records have rowids. */
type TableKind = 'records' | 'pairs' | 'view'

export class SqliteSizes {
  readonly #database: DatabaseSyncInstance
  readonly #sizes = new LRUCache<string, number>({ max: maxTables, ttl: keptFor })
  #kinds: ReadonlyMap<string, TableKind> = new Map()

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
  }

  of(table: string): number {
    const known = this.#sizes.get(table)
    if (known !== undefined) return known
    const size = this.#measure(table)
    this.#sizes.set(table, size)
    return size
  }

  #measure(table: string): number {
    const kind = this.#kindOf(table)
    if (kind === 'view') return this.#behind(table)
    return kind === 'records' ? this.#records(table) : this.#pairs(table)
  }

  /** Measures all tables in pieces: others have their turn, and a turn for each table would delay the first request. */
  async all(): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>()
    const pause = createPause()
    // Tables of trigrams are indexes, whose rows take long to number.
    const tables = rowsOn(
      this.#database,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' " +
        `AND name NOT GLOB '${indexPrefixes.trigrams}*'`,
    )
    for (const [name] of tables) {
      if (!this.#database.isOpen) break
      sizes.set(String(name), this.of(String(name)))
      await pause()
    }
    return sizes
  }

  /** All rows of the tables that a view names: it may have to read them all. */
  #behind(view: string): number {
    const [[sql] = []] = rowsOn(this.#database, "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?", view)
    const names = new Set([...String(sql ?? '').matchAll(/"(\w+)"/g)].map(([, name = '']) => name))
    const tables = [...names].filter(name => name !== view && this.#kinds.has(name))
    return tables.reduce((sum, name) => sum + this.of(name), 0)
  }

  #records(table: string): number {
    const { range, rowids } = spreadRowids(this.#database, table, sampled)
    if (range <= sampled) return range
    const found = this.#number(
      `SELECT count(*) FROM json_each(?) AS sample WHERE EXISTS (SELECT 1 FROM "${table}" WHERE rowid = sample.value)`,
      JSON.stringify(rowids),
    )
    return Math.round((range * found) / sampled)
  }

  #pairs(table: string): number {
    const counted = this.#number(`SELECT count(*) FROM (SELECT 1 FROM "${table}" LIMIT ${countedAtMost})`)
    const [, , owners] =
      rowsOn(this.#database, `PRAGMA foreign_key_list("${table}")`).find(key => key[3] === 'owner') ?? []
    if (counted < countedAtMost || owners === undefined) return counted
    const { range, rowids } = spreadRowids(this.#database, String(owners), sampled)
    const found = this.#number(
      `SELECT count(*) FROM "${table}" WHERE "owner" IN ` +
        `(SELECT "pk" FROM "${owners}" WHERE rowid IN (SELECT value FROM json_each(?)))`,
      JSON.stringify(rowids),
    )
    return Math.max(counted, Math.round((range * found) / Math.min(sampled, range)))
  }

  /** The list of tables takes long to read, so it is read again only for a table that is new. */
  #kindOf(table: string): TableKind {
    if (!this.#kinds.has(table)) {
      const tables = rowsOn(this.#database, 'SELECT name, wr, type FROM pragma_table_list')
      this.#kinds = new Map(
        tables.map(([name, isWithout, type]) => [
          String(name),
          type === 'view' ? 'view' : isWithout === 0 ? 'records' : 'pairs',
        ]),
      )
    }
    return this.#kinds.get(table) ?? 'pairs'
  }

  #number(sql: string, ...cells: readonly string[]): number {
    return Number((this.#database.prepare(sql).get(...cells) as unknown as unknown[] | undefined)?.[0] ?? 0)
  }
}

type Rows = readonly (readonly unknown[])[]

export const rowsOn = (database: DatabaseSyncInstance, sql: string, ...cells: readonly string[]): Rows =>
  database.prepare(sql).all(...cells) as unknown as Rows

/** Multiples of it, without their whole part, are spread evenly and never repeat themselves. */
const golden = (Math.sqrt(5) - 1) / 2

/** How far the rowids reach, and some of them, spread over all of them. */
export const spreadRowids = (
  database: DatabaseSyncInstance,
  table: string,
  count: number,
): { readonly range: number; readonly rowids: readonly number[] } => {
  // Apart: each of them alone is read from the end of the index.
  const [[lowest = 0, highest = 0] = []] = rowsOn(
    database,
    `SELECT (SELECT min(rowid) FROM "${table}"), (SELECT max(rowid) FROM "${table}")`,
  ).map(row => row.map(Number))
  const range = highest === 0 ? 0 : highest - lowest + 1
  const length = Math.min(count, range)
  // Not at even distances: what repeats itself in the data would be met always or never.
  const rowids = Array.from({ length }, (_, at) => lowest + Math.floor(((at + ((at * golden) % 1)) * range) / length))
  return { range, rowids }
}
