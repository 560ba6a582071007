// What is known of an index of words as a whole, and its documents that have no number yet.

import { LRUCache } from 'lru-cache'
import type { Resource } from '../../model/resource.ts'
import type { IndexedEntry } from '../../model/search/search-index.ts'
import { quote, textOf } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { DocumentSet, numbersFromText } from './postings.ts'
import { indexTable, searchTablesOf } from './tables.ts'

/** A document that was written a moment ago. */
export interface FreshDocument {
  readonly pk: string
  readonly entries: ReadonlyMap<string, IndexedEntry>
}

export interface IndexState {
  /** The number of all documents, and of their words on average. */
  readonly documents: number
  readonly averageLength: number
  readonly last: number
  /** Numbers that belong to no record any more; null where there are none. */
  readonly gone: DocumentSet | null
}

/** Documents without a number are searched up to so many: of more, which only an import leaves, the others follow when they have numbers. */
export const mostFresh = 20_000

export const readState = async ({ connection }: SqlSession, resource: Resource): Promise<IndexState> => {
  const { texts, gone } = searchTablesOf(resource)
  const sql =
    `SELECT 0, s."last", s."docs", s."length", s."gone" FROM ${quote(indexTable)} AS s WHERE s."resource" = ${textOf(resource.name)} ` +
    `UNION ALL SELECT 1, 0, count(*), coalesce(sum(t."length"), 0), NULL FROM ${quote(texts)} AS t WHERE t."doc" IS NULL ` +
    `UNION ALL SELECT 2, g."doc", 1, g."length", NULL FROM ${quote(gone)} AS g`
  let [documents, words, last] = [0, 0, 0]
  const numbers: number[] = []
  for (const [kind, number, count, length, kept] of await connection.rows(sql, [])) {
    const sign = Number(kind) === 2 ? -1 : 1
    documents += sign * Number(count)
    words += sign * Number(length)
    if (Number(kind) === 2) numbers.push(Number(number))
    else if (Number(kind) === 0) {
      last = Number(number)
      numbers.push(...numbersFromText(String(kept)))
    }
  }
  return {
    documents: Math.max(0, documents),
    averageLength: documents > 0 ? words / documents : 1,
    last,
    gone: numbers.length > 0 ? new DocumentSet(numbers, last) : null,
  }
}

/** What a document has, by its text: a document is searched again and again until it has a number. */
const parsed = new LRUCache<string, FreshDocument['entries']>({
  maxSize: 20_000_000,
  sizeCalculation: (_, key) => key.length + 1,
})

const entriesOf = (text: string): FreshDocument['entries'] => {
  const known = parsed.get(text)
  if (known) return known
  const list = JSON.parse(text) as readonly IndexedEntry[]
  const entries = new Map(list.map(entry => [entry[0], entry]))
  parsed.set(text, entries)
  return entries
}

/** A part of the text of a document that has an entry, or one that begins like this. */
export const partWith = (entry: string, isWhole: boolean): string => {
  const text = JSON.stringify([entry])
  return isWhole ? `${text.slice(0, -1)},` : text.slice(0, -2)
}

/** The documents without a number that have one of these parts; all of them where none are given. */
export const readFresh = async (
  { connection, statements: { dialect } }: SqlSession,
  resource: Resource,
  parts: readonly string[] | null,
): Promise<readonly FreshDocument[]> => {
  const { search, placeholder: place, listRows, list } = dialect
  const { texts } = searchTablesOf(resource)
  const having = parts
    ? ` AND EXISTS (SELECT 1 FROM ${listRows(place(1))} WHERE ${search.contains('t."entries"', 'listed.value')})`
    : ''
  const sql = `SELECT t."pk", t."entries" FROM ${quote(texts)} AS t WHERE t."doc" IS NULL${having} LIMIT ${mostFresh}`
  const rows = await connection.rows(sql, parts ? [list(parts, 'text')] : [])
  return rows.map(([pk, entries]) => ({ pk: String(pk), entries: entriesOf(String(entries)) }))
}
