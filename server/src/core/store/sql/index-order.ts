// What the indexes of a resource can do for a search: whether they give its matches in their order.

import { isIndexed, ordersOf } from '../../model/indexes.ts'
import type { Comparison, Filter, Path, Query } from '../../model/query.ts'
import { isColumn } from './names.ts'
import { textIndexOf } from './text-search.ts'

/**
 * Are the keys of the page found first, and its records read and joined afterwards? So it is where matches must be sorted,
 * since then only keys are, and where records are skipped: PostgreSQL would look up the labels of every one of them. Where an
 * index gives the matches in their order, from the first on, neither happens.
 */
export const isFoundFirst = (query: Query): boolean => {
  const { sort, filter, window } = query
  if (window.kind === 'offset' && window.offset > 0) return true
  const first = sort[0]?.path.member
  if (!first || !staysAtHome(query) || isInOrder(query)) return false
  const compared = filter ? comparisonsIn(filter) : []
  return !(isIndexed(first, 'order') && compared.every(one => one.path.member === first && !isFoundByText(one)))
}

/** Is there an index for the comparison that gives its matches in another order than that of the texts? */
const isFoundByText = (comparison: Comparison): boolean => 'pattern' in comparison && textIndexOf(comparison) !== null

/**
 * Does an index give the matches in their order: those of equality with its first members, in the order of the next ones? The
 * directions may differ: the database sorts records that are equal in one key by the next.
 */
export const isInOrder = ({ filter, sort }: Query): boolean => {
  const equal = filter ? equalMembers(filter) : []
  const resource = sort.at(-1)?.path.member.owner
  if (!equal || !resource || !sort.every(({ path }) => isOwn(path) && isColumn(path.member))) return false
  const keys = sort.map(({ path }) => path.member.name).join()
  return ordersOf(resource).some(
    order => equal.every(name => order.indexOf(name) < equal.length) && order.slice(equal.length).join() === keys,
  )
}

/** The record's own members that must each equal a value, when the filter says nothing else. */
const equalMembers = (filter: Filter): readonly string[] | null => {
  if (filter.op === 'and') {
    const parts = filter.parts.map(equalMembers)
    const names = new Set(parts.flatMap(part => part ?? []))
    return parts.every(part => part !== null) ? [...names] : null
  }
  if (filter.op !== 'eq' || !isOwn(filter.path) || filter.value === null || filter.value === undefined) return null
  return isColumn(filter.path.member) ? [filter.path.member.name] : null
}

/** Does the search look at the records' own members alone? */
export const staysAtHome = ({ filter, sort }: Query): boolean =>
  sort.every(key => isOwn(key.path)) && (filter ? comparisonsIn(filter) : []).every(({ path }) => isOwn(path))

export const isOwn = (path: Path): boolean => path.steps.length === 0

const comparisonsIn = (filter: Filter): readonly Comparison[] => {
  if ('parts' in filter) return filter.parts.flatMap(comparisonsIn)
  if ('part' in filter) return comparisonsIn(filter.part)
  return 'path' in filter ? [filter] : []
}
