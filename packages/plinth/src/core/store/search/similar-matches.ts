// Which of the documents that have words of a record are like it.

import type { Resource } from '../../model/resource.ts'
import { quote } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { placeOf, union } from './document-sets.ts'
import type { Matches, ScoredDocuments } from './scored-documents.ts'
import { searchTablesOf } from './tables.ts'

/** The documents of both, with what they count for in all. */
export const together = (one: ScoredDocuments, other: ScoredDocuments): ScoredDocuments => {
  const docs = union([one.docs, other.docs])
  const scores = new Float64Array(docs.length)
  for (const part of [one, other]) {
    let at = 0
    for (const [from, doc] of part.docs.entries()) {
      at = placeOf(docs, doc, at)
      scores[at] = (scores[at] ?? 0) + (part.scores[from] ?? 0)
    }
  }
  return { docs, scores }
}

/** Documents are like another one from this share of the score on that it has itself. */
const leastShare = 0.2

interface ComparedRecord {
  readonly session: SqlSession
  readonly resource: Resource
  readonly pk: string
}

/** The matches without the record itself, as far as they are like it. */
export const likeOne = async (
  { session: { connection, statements }, resource, pk }: ComparedRecord,
  { docs, scores, fresh, isExcluding }: Matches,
): Promise<Matches> => {
  const { texts } = searchTablesOf(resource)
  const sql = `SELECT t."doc" FROM ${quote(texts)} AS t WHERE t."pk" = ${statements.dialect.placeholder(1)}`
  const [row] = await connection.rows(sql, [pk])
  const own = Number(row?.[0] ?? 0)
  const ownScore = fresh.find(one => one.pk === pk)?.score ?? scores[docs.indexOf(own)] ?? 0
  const least = Math.max(1, ownScore * leastShare)
  const isLike = (at: number): boolean => docs[at] !== own && (scores[at] ?? 0) >= least
  return {
    docs: docs.filter((_, at) => isLike(at)),
    scores: scores.filter((_, at) => isLike(at)),
    fresh: fresh.filter(one => one.pk !== pk && one.score >= least),
    isExcluding,
  }
}
