// Searches by words: what the words stand for in the index, and which errors in them are forgiven.

import { type FaultReason, fault } from '../fault.ts'
import type { Request } from '../http/exchange.ts'
import { both, type Filter, type Query, toFilter } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import { type RecordsFound, scoreName } from '../model/search/found-words.ts'
import { readableOf } from '../model/search/readable.ts'
import { searchIndexOf } from '../model/search/search-index.ts'
import { snippetOf } from '../model/search/snippet.ts'
import type { View, WordMatch } from '../model/view.ts'
import type { PricedSearch } from '../query/cost.ts'
import { candidatesOf } from '../query/cost-units.ts'
import { refuse } from '../query/query-faults.ts'
import type { Search } from '../query/read-query.ts'
import type { Context } from './context.ts'
import { charge, priceOf } from './query-budget.ts'

interface WordsToFind {
  /** What the address and the read rule restrict. */
  readonly added: Filter | null
  /** Deleted records, or those of a moment: they have no index of words. */
  readonly past?: Query['source']
  readonly forgiving?: boolean
}

export const findByWords = async (
  context: Context,
  { words, query, view: { resource } }: Pick<Search, 'words' | 'query' | 'view'>,
  { added, past, forgiving = false }: WordsToFind,
): Promise<RecordsFound | null> => {
  if (!words) return null
  if (past) {
    const second = past.kind === 'trash' ? 'trash' : 'asOf'
    refuse([{ parameter: 'search', ...fault('contradiction', { first: 'search', second }) }])
  }
  const { store } = context.platform
  const { requester } = context
  const search = await (context.tx ?? store).words(resource, { ...words, forgiving, requester })
  const filter = both(query.filter, added)
  const left = filter ? candidatesOf(filter, resource, await store.sizes()) : Number.POSITIVE_INFINITY
  return { kind: 'found', search: { ...search, left } }
}

/** The same for records that are like another one. */
const findSimilar = async (
  context: Context,
  { similar, query, view: { resource } }: Pick<Search, 'similar' | 'query' | 'view'>,
  { added, past }: WordsToFind,
): Promise<RecordsFound | null> => {
  if (similar === null) return null
  const refused = (reason: FaultReason): never => refuse([{ parameter: 'similar', ...reason }])
  if (past)
    return refused(fault('contradiction', { first: 'similar', second: past.kind === 'trash' ? 'trash' : 'asOf' }))
  const { store, access } = context.platform
  const reader = context.tx ?? store
  // A record that the caller may not read is none.
  const visible = toFilter(access.permit(resource, 'read', context.caller))
  if (!(await reader.get(resource, similar, { visible }))) return refused(fault('missing', { resource: resource.name }))
  const search = await reader.similar(resource, { pk: similar, fields: readableOf(resource, context.visibility) })
  const filter = both(query.filter, added)
  const left = filter ? candidatesOf(filter, resource, await store.sizes()) : Number.POSITIVE_INFINITY
  return { kind: 'found', search: { ...search, left } }
}

/** The records that have the words of a search, or those of another record; null where all records are meant. */
export const findRanked = (
  context: Context,
  search: Pick<Search, 'words' | 'similar' | 'query' | 'view'>,
  options: WordsToFind,
): Promise<RecordsFound | null> =>
  search.similar === null ? findByWords(context, search, options) : findSimilar(context, search, options)

interface FoundNothing {
  /** The search as it ran, with all that the service adds to it. */
  readonly search: Search
  readonly priced: PricedSearch
}

/** The same query with an error forgiven in each word, where no record that the caller may see has the words as they are. */
export const forgiveErrors = async (
  context: Context,
  request: Request,
  { search, priced }: FoundNothing,
): Promise<Query | null> => {
  const { query, view } = search
  const { filter, window, source, requester } = query
  const reader = context.tx ?? context.platform.store
  const isFirst = window.kind === 'end' || (window.kind === 'offset' && window.offset === 0)
  if (!isFirst && (await reader.count(view.resource, filter, { atMost: 1, source, requester })) > 0) return null
  const found = await findByWords(context, priced.search, { added: priced.added, forgiving: true })
  if (!found || found.search.isEmpty) return null
  charge(context, request, { estimate: await priceOf(context, { ...priced, found: found.search }), view })
  return { ...query, source: found }
}

interface MatchedRecords {
  /** What is shown of them. */
  readonly view: View
  readonly found: RecordsFound
  readonly records: readonly StoredRecord[]
}

/** Why each record was found: what the caller may read of it, as far as it is shown. */
export const matchesFor = async (
  { visibility, tx, platform: { store } }: Context,
  { view: { resource, fields }, found: { search }, records }: MatchedRecords,
): Promise<(record: StoredRecord) => WordMatch> => {
  const index = searchIndexOf(resource.holder)
  const entries = new Set(search.words.flatMap(word => word.entries.map(({ entry }) => entry)))
  const shown = readableOf(resource, visibility).filter(({ field, via }) => fields.has((via ?? field).name))
  const related = shown.filter(({ via }) => via !== null)
  const pks = records.map(({ pk }) => pk)
  const texts = related.length > 0 ? await (tx ?? store).searchedTexts(resource, pks, related) : null
  return record => {
    const values = { ...record, ...texts?.get(record.pk) }
    const snippet = index && snippetOf(values, { fields: shown, language: index.language, entries })
    return {
      pk: record.pk,
      score: Number(record[scoreName] ?? 0),
      snippet: snippet?.text ?? null,
      marks: snippet?.marks.flat() ?? [],
    }
  }
}
