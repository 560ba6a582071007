// Searches by words in code.

import type { Query } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { RecordsFound } from '../model/search/found-words.ts'
import { readableOf } from '../model/search/readable.ts'
import type { Reader } from '../model/transaction.ts'
import type { Visibility } from '../model/views.ts'
import { missingRecord } from '../problem.ts'
import { byScore } from '../query/sort.ts'
import { toWordSearch } from '../query/words.ts'
import type { PlainQuery } from './plain-query.ts'

export interface SearchInCode {
  readonly resource: Resource
  readonly plain: PlainQuery
  readonly visibility: Visibility
}

/** The query for records that have the words, the best matches first unless it has an order. An error is forgiven where nothing else matches. */
export const withWords = async (
  reader: Reader,
  query: Query,
  { resource, plain, visibility }: SearchInCode,
): Promise<Query> => {
  const { sort, after } = plain
  const sourceOf = wordsFor(reader, { resource, plain, visibility })
  if (!sourceOf) return query
  if (after && !sort) throw new Error("'after' needs 'sort' where records are searched by words; or use 'offset'")
  const exactly = await sourceOf(false)
  const found = { ...query, sort: sort ? query.sort : byScore(resource) }
  const isThere = (await reader.count(resource, query.filter, { atMost: 1, source: exactly })) > 0
  return { ...found, source: isThere ? exactly : await sourceOf(true) }
}

/** The query for records that are like another one, which the reader may read; the most similar first unless it has an order. */
export const withSimilar = async (
  reader: Reader,
  query: Query,
  { resource, plain: { similar = '', search, sort, after }, visibility }: SearchInCode,
): Promise<Query> => {
  mustBeSearched(resource)
  if (after && !sort) throw new Error("'after' needs 'sort' where records are like another one; or use 'offset'")
  if (search !== undefined) throw new Error("'similar' and 'search' are two orders of the records: choose one")
  const visible = visibility.records(resource)
  const isThere =
    visible !== false && (await reader.get(resource, similar, { visible: visible === true ? null : visible }))
  if (!isThere) throw missingRecord(resource, similar)
  const found = await reader.similar(resource, { pk: similar, fields: readableOf(resource, visibility) })
  return { ...query, source: { kind: 'found', search: found }, sort: sort ? query.sort : byScore(resource) }
}

const mustBeSearched = (resource: Resource): void => {
  if (!resource.definition.search)
    throw new Error(`${resource.name} is not searched by words; name the fields in 'search' of its definition`)
}

/** What the words stand for, or also words that differ by one letter; null without any words. */
export const wordsFor = (
  reader: Reader,
  { resource, plain: { search = '' }, visibility }: SearchInCode,
): ((forgiving: boolean) => Promise<RecordsFound>) | null => {
  mustBeSearched(resource)
  if (search.trim() === '') return null
  const words = toWordSearch(resource, search, visibility)
  return async forgiving => ({ kind: 'found', search: await reader.words(resource, { ...words, forgiving }) })
}
