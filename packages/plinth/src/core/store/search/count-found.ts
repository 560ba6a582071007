// How many records a search by words finds, and the statements that are about all of them.

import type { Filter, Query } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import type { FoundRows, RecordsFound } from '../../model/search/found-words.ts'
import type { CountOptions } from '../../model/transaction.ts'
import { counted, countParts } from '../sql/find.ts'
import type { SqlSession } from '../sql/session.ts'
import { matchesOf } from './evaluate.ts'
import type { Matches } from './scored-documents.ts'

export type FoundQuery = Query & { readonly source: RecordsFound }

/** The query with all that match. */
export const withMatches = async (session: SqlSession, resource: Resource, query: FoundQuery): Promise<FoundQuery> => ({
  ...query,
  source: withRows(query.source, rowsOf(await matchesOf(session, resource, query.source.search))),
})

const withRows = (source: RecordsFound, rows: FoundRows): RecordsFound => ({ ...source, rows })

const rowsOf = ({ docs, scores, fresh, isExcluding }: Matches): FoundRows => ({
  numbered: Array.from(docs, (doc, at) => [doc, scores[at] ?? 0] as const),
  named: fresh,
  isExcluding,
})

export const countOf = ({ docs, fresh }: Matches): number => docs.length + fresh.length

interface FoundCount extends CountOptions {
  readonly resource: Resource
  readonly filter: Filter | null
  readonly source: RecordsFound
}

/** The matches that one statement compares with a filter. */
const countedAtOnce = 20_000

/** Counts the matches that a filter leaves, up to a number. */
export const countFound = async (
  session: SqlSession,
  { resource, filter, source, atMost, requester }: FoundCount,
): Promise<number> => {
  const matches = await matchesOf(session, resource, source.search)
  const limit = atMost ?? Number.POSITIVE_INFINITY
  if (filter === null && !matches.isExcluding) return Math.min(limit, countOf(matches))
  const all = rowsOf(matches)
  const count = (rows: FoundRows): Promise<number> => {
    const parts = countParts(session, { resource, filter, source: withRows(source, rows) })
    return counted(session, parts, { kind: 'exact', requester, atMost })
  }
  if (matches.isExcluding) return count(all)
  let found = await count({ ...all, numbered: [] })
  for (let from = 0; from < all.numbered.length && found < limit; from += countedAtOnce)
    found += await count({ ...all, named: [], numbered: all.numbered.slice(from, from + countedAtOnce) })
  return Math.min(limit, found)
}
