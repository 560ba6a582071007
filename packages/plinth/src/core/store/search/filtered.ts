// Matches of a search by words that a filter leaves: compared one by one, or with the records of the filter.

import { among, type Filter, type Query } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import type { RankedRecord } from '../../model/search/found-words.ts'
import { quote } from '../sql/columns.ts'
import { recordScope, StatementDraft } from '../sql/from.ts'
import type { SqlSession } from '../sql/session.ts'
import { QueryShape } from '../sql/shape.ts'
import { run, type Statement } from '../sql/statement.ts'
import { filterSql } from '../sql/where.ts'
import { intersection, placeOf } from './document-sets.ts'
import type { Matches } from './scored-documents.ts'
import { searchTablesOf } from './tables.ts'

interface FilteredSearch {
  readonly session: SqlSession
  readonly resource: Resource
  readonly query: Pick<Query, 'filter' | 'requester'>
}

/** Those of some records that fulfil a filter, in their order. */
export const keptOf = async (
  { session, resource, query: { requester } }: FilteredSearch,
  records: readonly RankedRecord[],
  filter: Filter,
): Promise<readonly RankedRecord[]> => {
  const chosen: Filter = {
    op: 'and',
    parts: [
      among(
        resource,
        records.map(({ pk }) => pk),
      ),
      filter,
    ],
  }
  const shape = new QueryShape(session.statements.dialect)
  const key = `kept ${resource.name} ${shape.filter(chosen)}`
  const statement = session.statements.of<Statement>(key, () => {
    const draft = new StatementDraft(shape)
    const scope = recordScope(draft, resource)
    const condition = filterSql(scope, chosen)
    return draft.statement(`SELECT b."pk" FROM ${scope.from.sql} WHERE ${condition}`)
  })
  const rows = await run(session.connection, statement, shape.cells, { requester })
  const kept = new Set(rows.map(([pk]) => String(pk)))
  return records.filter(({ pk }) => kept.has(pk))
}

/** More records than these are not looked up to be compared with the matches. */
const mostLeft = 30_000

/** The matches among the records that a filter leaves; null where these are many. */
export const leftBy = async (
  { session, resource, query: { filter, requester } }: FilteredSearch,
  { docs, scores, fresh }: Matches,
): Promise<Matches | null> => {
  if (!filter) return null
  const { statements, connection } = session
  const { dialect } = statements
  const shape = new QueryShape(dialect)
  const key = `left ${resource.name} ${shape.filter(filter)}`
  // Documents that have got their numbers since are known by their pks.
  const later = shape.add(docs.at(-1) ?? 0, 'integer')
  const statement = statements.of<Statement>(key, () => {
    const draft = new StatementDraft(shape)
    const { texts } = searchTablesOf(resource.holder)
    const scope = recordScope(draft, resource)
    draft.facts.reads('t', texts)
    const condition = [...draft.watches(), filterSql(scope, filter)].join(' AND ')
    const joined = `${scope.from.sql} ${dialect.search.join} ${quote(texts)} AS t ON t."pk" = b."pk"`
    const named = `CASE WHEN t."doc" <= ${dialect.placeholder(later)} THEN NULL ELSE b."pk" END`
    return draft.statement(`SELECT t."doc", ${named} FROM ${joined} WHERE ${condition} LIMIT ${mostLeft + 1}`)
  })
  const rows = await run(connection, statement, shape.cells, { requester })
  if (rows.length > mostLeft) return null
  const numbers = Uint32Array.from(rows.flatMap(([doc]) => (doc === null ? [] : [Number(doc)]))).sort()
  const pks = new Set(rows.flatMap(([, pk]) => (pk === null ? [] : [String(pk)])))
  const left = intersection(docs, numbers)
  let from = 0
  const leftScores = Float64Array.from(left, doc => {
    from = placeOf(docs, doc, from)
    return scores[from] ?? 0
  })
  return { docs: left, scores: leftScores, fresh: fresh.filter(({ pk }) => pks.has(pk)), isExcluding: false }
}
