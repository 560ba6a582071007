// The blocks of entries as a search reads them: those of rare words together, those of frequent ones in pieces. So a search never holds the
// whole list of a frequent word beside that of its rarest one.

import type { FoundWord } from '../../model/search/found-words.ts'
import { quote } from '../sql/columns.ts'
import { blocksSql, type IndexConnection, readBlocks, toBlock } from './blocks.ts'
import type { Block } from './postings.ts'
import type { SearchTables } from './tables.ts'

/** The postings that one statement reads of several words. */
const readTogether = 50_000
/** The blocks of a piece. */
const blocksAtOnce = 200

export interface PostingPieces {
  /** The blocks of an entry in the order of the documents, some at a time, without their places. */
  piecesOf(entry: string): AsyncIterable<readonly Block[]>
  /** Those that may have documents of a range, with their places. */
  placesOf(entry: string, range: DocumentRange): AsyncIterable<readonly Block[]>
}

export interface DocumentRange {
  readonly first: number
  readonly last: number
}

/** The words come with the rarest first. */
export const openPieces = async (
  index: IndexConnection,
  tables: SearchTables,
  words: readonly FoundWord[],
): Promise<PostingPieces> => {
  const entries: string[] = []
  let postings = 0
  for (const word of words) {
    postings += word.visits
    if (postings > readTogether) break
    entries.push(...word.entries.map(({ entry }) => entry))
  }
  const known = entries.length > 0 ? await readBlocks(index, tables, entries) : new Map<string, readonly Block[]>()
  const together = new Set(entries)
  return {
    piecesOf: entry => (together.has(entry) ? whole(known.get(entry)) : pieces(index, tables, { entry })),
    placesOf: (entry, range) => pieces(index, tables, { entry, range }),
  }
}

async function* whole(blocks: readonly Block[] = []): AsyncGenerator<readonly Block[]> {
  yield blocks
}

interface ReadEntry {
  readonly entry: string
  /** Where it is given, blocks come with their places. */
  readonly range?: DocumentRange
}

async function* pieces(
  { connection, dialect }: IndexConnection,
  tables: SearchTables,
  { entry, range }: ReadEntry,
): AsyncGenerator<readonly Block[]> {
  const { placeholder: place } = dialect
  const last = range ? ` AND w."first" <= ${place(3)}` : ''
  const sql =
    `${blocksSql(tables, { withPlaces: range !== undefined })} WHERE w."entry" = ${place(1)} AND w."first" > ${place(2)}${last} ` +
    `ORDER BY w."first" LIMIT ${blocksAtOnce}`
  let after = range ? await beforeRange({ connection, dialect }, tables, { entry, range }) : -1
  for (;;) {
    const blocks = (await connection.rows(sql, [entry, after, ...(range ? [range.last] : [])])).map(toBlock)
    if (blocks.length > 0) yield blocks
    if (blocks.length < blocksAtOnce) return
    after = blocks.at(-1)?.first ?? after
  }
}

/** A number before the last block that begins with the range or before it. */
const beforeRange = async (
  { connection, dialect: { placeholder: place } }: IndexConnection,
  { words }: SearchTables,
  { entry, range }: Required<ReadEntry>,
): Promise<number> => {
  const sql = `SELECT max(w."first") FROM ${quote(words)} AS w WHERE w."entry" = ${place(1)} AND w."first" <= ${place(2)}`
  const [row] = await connection.rows(sql, [entry, range.first])
  const first = row?.[0] ?? null
  return first === null ? -1 : Number(first) - 1
}
