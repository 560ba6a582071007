// Searches in code for what is near a vector.

import type { RecordsNear } from '../model/near.ts'
import type { Query } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { FoundPage, Reader } from '../model/transaction.ts'
import { toNear } from '../query/near.ts'
import { byDistance } from '../query/sort.ts'
import { fieldNamed } from './condition.ts'
import type { PlainQuery } from './plain-query.ts'
import { type SearchInCode, wordsFor } from './word-query.ts'

/** The query for the nearest records first. */
export const withNear = (query: Query, resource: Resource, { near = {}, sort, after }: PlainQuery): NearQuery => {
  if (sort || after) throw new Error("'near' gives the order: leave out 'sort' and 'after', and use 'offset'")
  const [entry, second] = Object.entries(near)
  if (!entry || second) throw new Error("'near' names one field with a vector, such as { embedding: […] }")
  const [name, vector] = entry
  return { ...query, sort: byDistance(resource), source: toNear(fieldNamed(resource, name), vector) }
}

interface NearQuery extends Query {
  readonly source: RecordsNear
}

/** The nearest records, or those of both rankings where words are searched for, too. */
export const findNear = async (reader: Reader, query: Query, search: SearchInCode): Promise<FoundPage> => {
  const { resource, plain } = search
  const near = withNear(query, resource, plain)
  const words = plain.search === undefined ? null : await wordsFor(reader, search)?.(false)
  return words ? reader.findFused(resource, near, words) : reader.find(resource, near)
}
