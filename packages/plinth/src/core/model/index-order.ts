// Which searches find their matches in an index, in the order that they ask for.

import { isColumn, ordersOf } from './indexes.ts'
import type { Filter, Path, Query } from './query.ts'

/**
 * Does an index give the matches in their order: those of equality with its first fields, in the order of the next ones? The
 * directions may differ: the database sorts records that are equal in one key by the next.
 */
export const isInOrder = ({ filter, sort }: Pick<Query, 'filter' | 'sort'>): boolean => {
  const equal = filter ? equalFields(filter) : []
  const resource = sort.at(-1)?.path.field.owner
  if (!equal || !resource || !sort.every(({ path }) => isOwn(path) && isColumn(path.field))) return false
  const keys = sort.map(({ path }) => path.field.name).join()
  return ordersOf(resource).some(
    order => equal.every(name => order.indexOf(name) < equal.length) && order.slice(equal.length).join() === keys,
  )
}

/** The record's own fields that must each equal a value, when the filter says nothing else. */
export const equalFields = (filter: Filter): readonly string[] | null => {
  if (filter.op === 'and') {
    const parts = filter.parts.map(equalFields)
    const names = new Set(parts.flatMap(part => part ?? []))
    return parts.every(part => part !== null) ? [...names] : null
  }
  if (filter.op !== 'eq' || !isOwn(filter.path) || filter.value === null || filter.value === undefined) return null
  return isColumn(filter.path.field) ? [filter.path.field.name] : null
}

export const isOwn = (path: Path): boolean => path.steps.length === 0
