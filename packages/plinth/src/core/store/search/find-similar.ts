// What a record is like: its most telling words, of which similar records have some.

import type { Resource } from '../../model/resource.ts'
import { type FoundSearch, rarityOf } from '../../model/search/found-words.ts'
import { type IndexedEntry, indexedDocument, searchIndexOf } from '../../model/search/search-index.ts'
import type { SimilarSearch } from '../../model/search/word-search.ts'
import { quote } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { partWith, readFresh, readState } from './index-state.ts'
import { searchTablesOf } from './tables.ts'
import { searchedTexts } from './texts.ts'

/** The words that are compared. */
const mostWords = 16
/** Of few documents, frequent words tell something, too. In more, those are left out that every twentieth has. */
const fewDocuments = 200
const mostShare = 0.05
/** The different words of the record that are looked at: the first ones. */
const mostLooked = 1000

export const findSimilar = async (
  session: SqlSession,
  named: Resource,
  { pk, fields }: SimilarSearch,
): Promise<FoundSearch> => {
  const resource = named.holder
  const index = searchIndexOf(resource)
  if (!index) throw new Error(`${resource.name} is not searched by words`)
  const texts = (await searchedTexts(session, resource, { pks: [pk], fields })).get(pk) ?? {}
  const entries = indexedDocument(index, texts).entries.slice(0, mostLooked)
  const { documents } = await readState(session, resource)
  const counts = await countsOf(session, resource, entries)
  const isTelling = (records: number): boolean =>
    records > 1 && (documents <= fewDocuments || records <= documents * mostShare)
  const words = entries
    .map(([entry, weight]) => ({ entry, weight, records: counts.get(entry) ?? 0 }))
    .filter(({ records }) => isTelling(records))
    .map(one => ({ ...one, value: one.weight * rarityOf(one.records, documents) }))
    .toSorted((left, right) => right.value - left.value || (left.entry < right.entry ? -1 : 1))
    .slice(0, mostWords)
    .toSorted((left, right) => left.records - right.records || (left.entry < right.entry ? -1 : 1))
  return {
    words: words.map(({ entry, records }) => ({ entries: [{ entry, isExact: true }], visits: records })),
    phrases: [],
    excluded: [],
    similarTo: pk,
    isEmpty: words.length === 0,
    left: Number.POSITIVE_INFINITY,
  }
}

/** How many records have each entry. */
const countsOf = async (
  session: SqlSession,
  resource: Resource,
  entries: readonly IndexedEntry[],
): Promise<ReadonlyMap<string, number>> => {
  const { dialect } = session.statements
  const names = entries.map(([entry]) => entry)
  const among = dialect.among('w."entry"', dialect.placeholder(1), 'text')
  const { words } = searchTablesOf(resource)
  const sql = `SELECT w."entry", sum(w."count") FROM ${quote(words)} AS w WHERE ${among} GROUP BY w."entry"`
  const rows = await session.connection.rows(sql, [dialect.list(names, 'text')])
  const counts = new Map(rows.map(([entry, records]) => [String(entry), Number(records)]))
  const fresh = await readFresh(
    session,
    resource,
    names.map(name => partWith(name, true)),
  )
  for (const document of fresh)
    for (const name of names) if (document.entries.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
