// What the indexes of a resource can do for a search: whether they give its matches in their order.

import { isInOrder, isOwn } from '../../model/index-order.ts'
import { isColumn, isIndexed } from '../../model/indexes.ts'
import type { Comparison, Filter, Query } from '../../model/query.ts'
import { textIndexOf } from './text-indexes.ts'

/**
 * Are the keys of the page found first, and its records read and joined afterwards? So it is where matches must be sorted,
 * since then only keys are, and where records are skipped: PostgreSQL would look up the labels of every one of them. Where an
 * index gives the matches in their order, from the first on, neither happens.
 */
export const isFoundFirst = (query: Query): boolean => {
  const { sort, filter, window } = query
  if (window.kind === 'offset' && window.offset > 0) return true
  const first = sort[0]?.path.field
  if (!first || !staysAtHome(query) || isInOrder(query)) return false
  const compared = filter ? comparisonsIn(filter) : []
  return !(isIndexed(first, 'order') && compared.every(one => one.path.field === first && !isFoundByText(one)))
}

/** Is there an index for the comparison that gives its matches in another order than that of the texts? */
const isFoundByText = (comparison: Comparison): boolean => 'pattern' in comparison && textIndexOf(comparison) !== null

/** Does the search look at the records' own fields alone? */
export const staysAtHome = ({ filter, sort }: Query): boolean =>
  sort.every(key => isOwn(key.path)) && (filter ? comparisonsIn(filter) : []).every(({ path }) => isOwn(path))

/** Do the matches and their order depend on nothing but columns of the records? */
export const dependsOnColumns = (query: Query): boolean =>
  staysAtHome(query) &&
  query.sort.every(({ path }) => isColumn(path.field)) &&
  (query.filter ? comparisonsIn(query.filter) : []).every(({ path }) => isColumn(path.field))

const comparisonsIn = (filter: Filter): readonly Comparison[] => {
  if ('parts' in filter) return filter.parts.flatMap(comparisonsIn)
  if ('part' in filter) return comparisonsIn(filter.part)
  return 'path' in filter ? [filter] : []
}
