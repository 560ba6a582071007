// What the indexes of a resource can do for a search: whether they give its matches in their order.

import { isIndexed } from '../model/indexes.ts'
import type { Filter, Path, Query } from '../model/query.ts'

/**
 * Are the keys of the page found first, and its records read and joined afterwards? So it is where matches must be sorted,
 * since then only keys are, and where records are skipped: PostgreSQL would look up the labels of every one of them. Where an
 * index gives the matches in their order, from the first on, neither happens.
 */
export const isFoundFirst = (query: Query): boolean => {
  const { sort, filter, window } = query
  if (window.kind === 'offset' && window.offset > 0) return true
  const first = sort[0]?.path.member
  if (!first || !staysAtHome(query)) return false
  const compared = filter ? pathsIn(filter) : []
  return !(isIndexed(first, 'order') && compared.every(path => path.member === first))
}

/** Does the search look at the records' own members alone? */
export const staysAtHome = ({ filter, sort }: Query): boolean =>
  sort.every(key => isOwn(key.path)) && (filter ? pathsIn(filter) : []).every(isOwn)

export const isOwn = (path: Path): boolean => path.steps.length === 0

const pathsIn = (filter: Filter): readonly Path[] => {
  if ('parts' in filter) return filter.parts.flatMap(pathsIn)
  if ('part' in filter) return pathsIn(filter.part)
  return 'path' in filter ? [filter.path] : []
}
