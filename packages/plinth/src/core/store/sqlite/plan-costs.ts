// How many rows a statement may visit, estimated from the plan of SQLite for it and the sizes of its tables.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import { indexPrefixes } from '../sql/columns.ts'
import { indexedBy, indexedText } from './schema.ts'

// About how many rows a table has. SQLite keeps no such numbers, and counting takes as long as the table is large.

/** Tables grow, so sizes and plans are looked at again, in milliseconds. */
export const keptFor = 60_000
const maxTables = 1000

/** Link tables have no rowid: they are counted up to this many. */
const countedAtMost = 10_000
/** Of larger tables a sample is looked at, spread over all rowids: rows that were deleted leave gaps. */
const sampled = 200

export class SqliteSizes {
  readonly #database: DatabaseSyncInstance
  readonly #sizes = new LRUCache<string, number>({ max: maxTables, ttl: keptFor })
  /** Whether each table has rowids. */
  #kinds: ReadonlyMap<string, boolean> = new Map()

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
  }

  of(table: string): number {
    const known = this.#sizes.get(table)
    if (known !== undefined) return known
    const size = this.#hasRowid(table) ? this.#records(table) : this.#pairs(table)
    this.#sizes.set(table, size)
    return size
  }

  /** Lets others have a turn after each table. */
  async all(): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>()
    // Tables of trigrams are indexes, whose rows take long to number.
    const tables = rowsOn(
      this.#database,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' " +
        `AND name NOT GLOB '${indexPrefixes.trigrams}*'`,
    )
    for (const [name] of tables) {
      if (!this.#database.isOpen) break
      sizes.set(String(name), this.of(String(name)))
      await nextTurn()
    }
    return sizes
  }

  #records(table: string): number {
    const { range, rowids } = spreadRowids(this.#database, table, sampled)
    if (range <= sampled) return range
    const found = this.#number(
      `SELECT count(*) FROM json_each(?) AS sample WHERE EXISTS (SELECT 1 FROM "${table}" WHERE rowid = sample.value)`,
      rowids,
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
      rowids,
    )
    return Math.max(counted, Math.round((range * found) / Math.min(sampled, range)))
  }

  /** The list of tables takes long to read, so it is read again only for a table that is new. */
  #hasRowid(table: string): boolean {
    if (!this.#kinds.has(table)) {
      const tables = rowsOn(this.#database, 'SELECT name, wr FROM pragma_table_list')
      this.#kinds = new Map(tables.map(([name, isWithout]) => [String(name), isWithout === 0]))
    }
    return this.#kinds.get(table) ?? false
  }

  #number(sql: string, ...cells: readonly string[]): number {
    return Number((this.#database.prepare(sql).get(...cells) as unknown as unknown[] | undefined)?.[0] ?? 0)
  }
}

type Rows = readonly (readonly unknown[])[]

const rowsOn = (database: DatabaseSyncInstance, sql: string, ...cells: readonly string[]): Rows =>
  database.prepare(sql).all(...cells) as unknown as Rows

/** How far the rowids reach, and some of them, evenly spread, as a JSON list. */
const spreadRowids = (
  database: DatabaseSyncInstance,
  table: string,
  count: number,
): { readonly range: number; readonly rowids: string } => {
  // Apart: each of them alone is read from the end of the index.
  const [[lowest = 0, highest = 0] = []] = rowsOn(
    database,
    `SELECT (SELECT min(rowid) FROM "${table}"), (SELECT max(rowid) FROM "${table}")`,
  ).map(row => row.map(Number))
  const range = highest === 0 ? 0 : highest - lowest + 1
  const length = Math.min(count, range)
  const rowids = Array.from({ length }, (_, at) => lowest + Math.floor((at * range) / length))
  return { range, rowids: JSON.stringify(rowids) }
}

// Searches by trigrams. How many texts have them is estimated from a sample of the texts.

const sampledTexts = 500
/** Of long texts, fewer are sampled: so many characters in all. */
const maxSampledCharacters = 100_000
const maxSamples = 50
const maxKnownShares = 10_000
/** What no text of the sample has, others may have. */
const unseenHits = 0.25
/** Entries in the list of a trigram that are read in the time of one row. */
const entriesPerRow = 40

interface IndexedTexts {
  /** How many there are at most. */
  readonly size: number
  /** How many of them were looked at. */
  readonly sampled: number
  /** As the index has them. */
  readonly sample: readonly string[]
  /** By trigram: the share of all texts that have it. */
  readonly shares: LRUCache<string, number>
}

export interface TrigramCost {
  /** Texts that have all trigrams. */
  readonly matches: number
  /** The work to find them, in rows visited. */
  readonly lists: number
}

export class TrigramCosts {
  readonly #database: DatabaseSyncInstance
  readonly #texts = new LRUCache<string, IndexedTexts>({ max: maxSamples, ttl: keptFor })

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
  }

  of(index: string, trigrams: readonly string[]): TrigramCost {
    const texts = this.#textsOf(index)
    const entries = trigrams.reduce((sum, trigram) => sum + texts.size * shareIn(texts, trigram), 0)
    return { matches: texts.size * jointShareIn(texts, trigrams), lists: entries / entriesPerRow }
  }

  /**
   * The rarest ones, until reading one more list would take longer than comparing the texts found without it. Trigrams that do not
   * overlap come first, because they exclude more. Null where no text is known.
   */
  rarest(index: string, trigrams: readonly string[]): readonly string[] | null {
    const texts = this.#textsOf(index)
    if (texts.sample.length === 0) return null
    const candidates = trigrams
      .map((trigram, at) => ({ trigram, at, share: shareIn(texts, trigram) }))
      .sort((left, right) => left.share - right.share)
    const chosen: typeof candidates = []
    let matches = texts.size
    for (const distance of [3, 2, 1]) {
      for (const candidate of candidates) {
        if (chosen.length > 0 && matches <= (texts.size * candidate.share) / entriesPerRow) break
        if (chosen.some(({ at }) => Math.abs(at - candidate.at) < distance)) continue
        chosen.push(candidate)
        matches *= distance === 3 ? candidate.share : Math.sqrt(candidate.share)
      }
    }
    return chosen.map(({ trigram }) => trigram)
  }

  #textsOf(index: string): IndexedTexts {
    const known = this.#texts.get(index)
    if (known) return known
    const texts = this.#read(index)
    // An empty sample is not kept: the next import may fill the table.
    if (texts.sample.length > 0) this.#texts.set(index, texts)
    return texts
  }

  #read(index: string): IndexedTexts {
    const [[trigger] = []] = rowsOn(this.#database, 'SELECT sql FROM sqlite_schema WHERE name = ?', `${index}_insert`)
    const { table, column } = indexedBy(String(trigger))
    const { range, rowids } = spreadRowids(this.#database, table, sampledTexts)
    const sql = `SELECT "${column}" FROM "${table}" WHERE rowid IN (SELECT value FROM json_each(?))`
    const found = rowsOn(this.#database, `${sql} AND "${column}" IS NOT NULL`, rowids).map(([text]) => String(text))
    const characters = found.reduce((sum, text) => sum + text.length, 0)
    const step = Math.max(1, Math.ceil(characters / maxSampledCharacters))
    return {
      size: range,
      sampled: Math.max(1, Math.min(sampledTexts, range) / step),
      sample: found.filter((_, at) => at % step === 0).map(indexedText),
      shares: new LRUCache({ max: maxKnownShares }),
    }
  }
}

const shareIn = (texts: IndexedTexts, trigram: string): number => {
  const known = texts.shares.get(trigram)
  if (known !== undefined) return known
  const share = jointShareIn(texts, [trigram])
  texts.shares.set(trigram, share)
  return share
}

const jointShareIn = ({ sample, sampled }: IndexedTexts, trigrams: readonly string[]): number => {
  const hits = sample.filter(text => trigrams.every(trigram => text.includes(trigram))).length
  return Math.min(1, Math.max(hits, unseenHits) / sampled)
}

// Plans

export interface PlanCost {
  /** About how many rows are visited. */
  readonly visits: number
  /** Are all matches sorted before the first of them is known? */
  readonly sorts: boolean
  /** Index lookups whose number of rows is a guess. */
  readonly guesses: readonly string[]
}

export type PlanStep = readonly [id: number, parent: number, unused: number, detail: string]

interface TableKnowledge {
  readonly sizeOf: (table: string) => number
  readonly isTrusted: (guess: string) => boolean
}

export const costOf = (steps: readonly PlanStep[], sql: string, { sizeOf, isTrusted }: TableKnowledge): PlanCost => {
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
    // How many it finds depends on the trigrams, and is estimated for each search.
    if (detail.startsWith(`SCAN ${indexPrefixes.trigrams}`)) return 1
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
