// Rows of an index of words: blocks of postings, read and written.

import type { Connection, ResultRow } from '../connection.ts'
import { quote } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { Block } from './postings.ts'
import type { SearchTables } from './tables.ts'
import { type Upserted, upsertRows, type WrittenTable } from './upsert.ts'

export interface IndexConnection {
  readonly connection: Pick<Connection, 'rows'>
  readonly dialect: Pick<Dialect, 'search' | 'placeholder' | 'list' | 'listRows'>
}

const blockColumns: WrittenTable['columns'] = {
  entry: 'text',
  first: 'integer',
  last: 'integer',
  count: 'integer',
  postings: 'bytes',
  places: 'bytes',
}

const bytesOf = (cell: unknown): Uint8Array => (cell instanceof Uint8Array ? cell : new Uint8Array(0))

export const toBlock = ([entry, first, last, count, postings, places]: ResultRow): Block => ({
  entry: String(entry),
  ...{ first: Number(first), last: Number(last), count: Number(count) },
  ...{ postings: bytesOf(postings), places: bytesOf(places) },
})

interface BlockSelection {
  /** Rows that come before them in a join. */
  readonly from?: string
  readonly withPlaces?: boolean
}

/** Selects blocks, as `w`; without their places where these are not needed. */
export const blocksSql = ({ words }: SearchTables, { from = '', withPlaces = true }: BlockSelection = {}): string => {
  const selected = Object.keys(blockColumns).map(name =>
    name === 'places' && !withPlaces ? 'NULL' : `w.${quote(name)}`,
  )
  return `SELECT ${selected.join(', ')} FROM ${from}${quote(words)} AS w`
}

/** Entries of a list, to be joined with their blocks. */
const listed = ({ placeholder, listRows, search }: IndexConnection['dialect']): string =>
  `${listRows(placeholder(1))} ${search.join} `

/** The blocks of entries, by the entry, each in the order of the documents, without their places. */
export const readBlocks = async (
  { connection, dialect }: IndexConnection,
  tables: SearchTables,
  entries: readonly string[],
): Promise<ReadonlyMap<string, readonly Block[]>> => {
  const select = blocksSql(tables, { from: listed(dialect), withPlaces: false })
  const sql = `${select} ON w."entry" = listed.value ORDER BY w."entry", w."first"`
  const found = new Map<string, Block[]>()
  for (const block of (await connection.rows(sql, [dialect.list(entries, 'text')])).map(toBlock)) {
    const before = found.get(block.entry)
    if (before) before.push(block)
    else found.set(block.entry, [block])
  }
  return found
}

/** The last block of each entry that has one. */
export const readTails = async (
  { connection, dialect }: IndexConnection,
  tables: SearchTables,
  entries: readonly string[],
): Promise<ReadonlyMap<string, Block>> => {
  const last = `(SELECT max(m."first") FROM ${quote(tables.words)} AS m WHERE m."entry" = listed.value)`
  const sql = `${blocksSql(tables, { from: listed(dialect) })} ON w."entry" = listed.value AND w."first" = ${last}`
  const rows = await connection.rows(sql, [dialect.list(entries, 'text')])
  return new Map(rows.map(toBlock).map(block => [block.entry, block]))
}

/** Writes blocks over those that begin with the same document. */
export const writeBlocks = (index: Upserted, { words }: SearchTables, blocks: readonly Block[]): Promise<void> =>
  upsertRows(
    index,
    { name: words, keys: ['entry', 'first'], columns: blockColumns },
    {
      rows: blocks.map(({ entry, first, last, count, postings, places }) => [
        entry,
        first,
        last,
        count,
        postings,
        places,
      ]),
    },
  )
