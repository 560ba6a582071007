// Finds the page of a search by words, and how many records match. Where the best matches come first, the index says which records these are,
// and only they are read; in any other order, all matches go into the statement.

import { among, both, everything, type Filter, type PageWindow, type Query } from '../../model/query.ts'
import type { StoredRecord } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import { isByScore, type RankedRecord, type RecordsFound, scoreName } from '../../model/search/found-words.ts'
import type { FoundPage } from '../../model/transaction.ts'
import { find, reversed } from '../sql/find.ts'
import type { SqlSession } from '../sql/session.ts'
import { countFound, countOf, type FoundQuery, withMatches } from './count-found.ts'
import { forgetMatches, matchesOf } from './evaluate.ts'
import { keptOf, leftBy } from './filtered.ts'
import { type RankOrder, ranked } from './ranked.ts'
import type { Matches } from './scored-documents.ts'
import { searchTablesOf } from './tables.ts'

export const isFound = (query: Query): query is FoundQuery => query.source?.kind === 'found'

export const findFound = async (session: SqlSession, resource: Resource, query: FoundQuery): Promise<FoundPage> => {
  const { window } = query
  if (window.kind === 'before' || window.kind === 'end') {
    const found = await findFound(session, resource, forward(reversed(query)))
    return { ...found, records: found.records.toReversed(), prev: found.next, next: found.prev }
  }
  let page = await findOnce(session, resource, { query, window })
  // A record that is changed while it is looked for gets another number.
  for (let attempt = 0; page.missing > 0 && attempt < maxAttempts; attempt++) {
    forgetMatches(query.source.search)
    page = await findOnce(session, resource, { query, window })
  }
  return page.found
}

/** How often a search begins again because records change all the time. */
const maxAttempts = 2

interface PageOnce {
  readonly found: FoundPage
  /** How many matches have been changed or deleted in the meantime. */
  readonly missing: number
}

const findOnce = async (
  session: SqlSession,
  resource: Resource,
  { query, window }: { readonly query: FoundQuery; readonly window: ForwardWindow },
): Promise<PageOnce> => {
  const matches = await matchesOf(session, resource, query.source.search)
  if (isByScore(query.sort) && query.sort.length === 2 && !matches.isExcluding)
    return findRanked({ session, resource, query }, window, matches)
  return { found: await find(session, resource, await withMatches(session, resource, query)), missing: 0 }
}

const forward = (query: FoundQuery): FoundQuery =>
  query.window.kind === 'before' ? { ...query, window: { ...query.window, kind: 'after' } } : query

interface FoundTask {
  readonly session: SqlSession
  readonly resource: Resource
  readonly query: FoundQuery
}

type ForwardWindow = Exclude<PageWindow, { readonly kind: 'end' }>

const findRanked = async (task: FoundTask, window: ForwardWindow, all: Matches): Promise<PageOnce> => {
  const { filter, source } = task.query
  // Where the filter leaves few records, these are looked up first, and all that is left is known.
  const few = filter && isWorthIt(source, all) ? await leftBy(task, all) : null
  const matches = few ?? all
  const isWhole = filter === null || few !== null
  const offset = window.kind === 'offset' ? window.offset : 0
  const page = await pageOf(task, { window, matches, offset, filter: isWhole ? null : filter })
  const shown = page.records.slice(0, window.limit)
  const [first, last] = [shown[0], shown.at(-1)]
  const records = shown.length === 0 ? [] : await recordsOf(task, shown)
  const hasMore = page.records.length > window.limit
  const isEnd = window.kind === 'offset' && !hasMore && (shown.length > 0 || offset === 0)
  const total = isWhole ? countOf(matches) : isEnd ? offset + shown.length : null
  const found = {
    records,
    ...(await totalOf(task, total)),
    prev: first && (window.kind !== 'offset' || offset > 0) ? keysOf(first) : null,
    next: last && hasMore ? keysOf(last) : null,
  }
  return { found, missing: page.missing }
}

/** Reads the records of a page like those of other searches, and puts them into their order. */
const recordsOf = async (
  { session, resource, query }: FoundTask,
  shown: readonly RankedRecord[],
): Promise<readonly StoredRecord[]> => {
  const chosen = among(
    resource,
    shown.map(({ pk }) => pk),
  )
  const { records } = await find(session, resource, {
    ...everything(resource, both(query.filter, chosen), shown.length),
    ...{ linkFilters: query.linkFilters, requester: query.requester },
  })
  const byPk = new Map(records.map(record => [record.pk, record]))
  return shown.flatMap(({ pk, score }) => {
    const record = byPk.get(pk)
    return record ? [{ ...record, [scoreName]: score }] : []
  })
}

const keysOf = ({ pk, score }: RankedRecord): readonly unknown[] => [score, pk]

/** The number of matches up to which each is compared with the filter. */
const mostCompared = 1000

const isWorthIt = ({ search }: RecordsFound, matches: Matches): boolean =>
  countOf(matches) > Math.max(mostCompared, search.left)

interface PageParts {
  readonly window: ForwardWindow
  readonly matches: Matches
  readonly offset: number
  /** What the matches are still to fulfil. */
  readonly filter: Filter | null
}

/** The records of the page in their order, and one more if there are more. */
const pageOf = async (
  { session, resource, query }: FoundTask,
  { window, matches, offset, filter }: PageParts,
): Promise<{ readonly records: readonly RankedRecord[]; readonly missing: number }> => {
  const order = orderOf(query, window)
  const tables = searchTablesOf(resource.holder)
  const records: RankedRecord[] = []
  let [passed, missing] = [0, 0]
  for await (const batch of ranked({ session, tables, matches, order }, filter ? 0 : offset)) {
    passed += batch.skipped
    missing += batch.missing
    const kept = filter ? await keptOf({ session, resource, query }, batch.records, filter) : batch.records
    for (const record of kept) {
      if (passed >= offset) records.push(record)
      passed += 1
    }
    if (records.length > window.limit) break
  }
  return { records: records.slice(0, window.limit + 1), missing }
}

const orderOf = ({ sort: [byScore, byPk] }: Query, window: ForwardWindow): RankOrder => ({
  bestFirst: byScore?.descending === true,
  rising: byPk?.descending !== true,
  after: window.kind === 'offset' ? null : { score: Number(window.values[0]), pk: String(window.values[1]) },
})

type Total = Pick<FoundPage, 'total' | 'estimated'>

const totalOf = async ({ session, resource, query }: FoundTask, known: number | null): Promise<Total> => {
  const { total, exactUpTo, filter, source, requester } = query
  if (total === 'none') return { total: null, estimated: false }
  if (known !== null) return { total: known, estimated: false }
  const atMost = exactUpTo === undefined ? undefined : exactUpTo + 1
  const found = await countFound(session, { resource, filter, source, atMost, requester })
  return { total: found, estimated: found === atMost }
}
