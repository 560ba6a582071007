// Which records are on a page: conditions, order, and the place where the page begins.

import { isIndexed } from '../../model/indexes.ts'
import type { Query, SortKey } from '../../model/query.ts'
import type { Member, Resource } from '../../model/resource.ts'
import type { Dialect } from './dialect.ts'
import { baseScope, type OpenSqlScope, type SqlScope, type StatementDraft } from './from.ts'
import { isInOrder, isOwn, staysAtHome } from './index-order.ts'
import { afterRanges, afterSql, type CursorKey, type OrderedKey, orderSql } from './keyset.ts'
import { isColumn, quote, sourceOf } from './names.ts'
import { expressionAt } from './paths.ts'
import { filterSql } from './where.ts'

/** The slots of the window's cells. */
export interface WindowSlots {
  readonly limit: number
  readonly offset: number | null
  /** One for each sort key; null where the cursor has no value. */
  readonly cursor: readonly (number | null)[] | null
}

export interface SelectedKey extends OrderedKey, Pick<SortKey, 'path'> {}

export const orderedKey = (scope: SqlScope, { path, descending }: SortKey): SelectedKey => ({
  path,
  sql: expressionAt(scope, { ...path, filterSql }),
  nullable: path.steps.length > 0 || isNullable(path.member),
  descending,
})

const isNullable = ({ field }: Member): boolean => field.role !== 'count' && !field.options.required

/** Conditions, order and limits of a page; `after` gives the condition on records next to a cursor. */
export const windowSql = (
  scope: OpenSqlScope,
  query: Query,
  { slots, after = afterSql }: { readonly slots: WindowSlots; readonly after?: (keys: readonly CursorKey[]) => string },
): { where: string; order: string } => {
  const { dialect } = scope.draft
  const keys = query.sort.map(key => orderedKey(scope, key))
  const conditions = query.filter ? [filterSql(scope, query.filter)] : []
  if (slots.cursor) conditions.push(after(cursorKeys(keys, slots.cursor, dialect)))
  // The matches of an equality come in the order of their pks from an index that begins with the member.
  const namesNulls = keys.length > 1 || (query.filter !== null && isInOrder(query))
  const offset = slots.offset === null ? '' : ` OFFSET ${dialect.placeholder(slots.offset)}`
  return {
    where: conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '',
    order: ` ORDER BY ${orderSql(keys, dialect, namesNulls)} LIMIT ${dialect.placeholder(slots.limit)}${offset}`,
  }
}

const cursorKeys = (
  keys: readonly OrderedKey[],
  cursor: readonly (number | null)[],
  dialect: Dialect,
): readonly CursorKey[] =>
  keys.map((key, index) => {
    const slot = cursor[index] ?? null
    return { ...key, value: slot === null ? null : dialect.placeholder(slot) }
  })

export interface KeysParts {
  readonly draft: StatementDraft
  readonly slots: WindowSlots
}

/** Selects the pks of the page. */
export const keysSql = (resource: Resource, query: Query, parts: KeysParts): string => {
  const { draft, slots } = parts
  const ranges = rangeCount(query, parts)
  if (ranges > 1) return mergedRanges(resource, query, { ...parts, ranges })
  const scope = baseScope(draft, `${sourceOf(resource)} AS b`)
  const { where, order } = windowSql(scope, query, { slots })
  if (!isFenced(draft.dialect, query)) return `SELECT b."pk" FROM ${scope.from.sql}${where}${order}`
  const found = `SELECT ${keyColumns(query)} FROM ${scope.from.sql}${where}${draft.dialect.sortFence}`
  return `SELECT b."pk" FROM (${found}) AS b${order}`
}

/** The columns that the order needs. A count has none: it is made from the pk. */
const keyColumns = ({ sort }: Query): string => {
  const names = sort.flatMap(({ path: { member } }) => (member.field.role === 'count' ? [] : [member.name]))
  return [...new Set(['pk', ...names])].map(name => `b.${quote(name)}`).join(', ')
}

/**
 * A planner may hope to meet enough matches early in an index that has the order, and reads most of the table when they lie late
 * in it. Where the matches are counted all the same, going through them alone never costs much more.
 */
const isFenced = ({ sortFence }: Dialect, query: Query): boolean =>
  sortFence !== null && query.filter !== null && query.total === 'exact' && staysAtHome(query) && !isInOrder(query)

/** Into how many ranges of an index the records next to a cursor fall; 1 where no index gives the order. */
export const rangeCount = (query: Query, { draft, slots: { cursor } }: KeysParts): number => {
  const { sort } = query
  const first = sort[0]
  if (!cursor || !first || !isIndexed(first.path.member, 'order') || isFenced(draft.dialect, query)) return 1
  if (!sort.every(({ path }) => isOwn(path) && isColumn(path.member))) return 1
  const isAbsent = cursor[0] === null
  return isNullable(first.path.member) && isAbsent !== first.descending ? 2 : 1
}

/** Each range by itself, as far as the page needs it, and what they give put in order. */
const mergedRanges = (
  resource: Resource,
  query: Query,
  { draft, slots, ranges }: KeysParts & { readonly ranges: number },
): string => {
  const selects = Array.from({ length: ranges }, (_, at) => {
    const scope = baseScope(draft, `${sourceOf(resource)} AS b`)
    const { where, order } = windowSql(scope, query, { slots, after: keys => afterRanges(keys)[at] ?? 'FALSE' })
    return `SELECT * FROM (SELECT ${keyColumns(query)} FROM ${scope.from.sql}${where}${order}) AS r${at}`
  })
  const merged = baseScope(draft, `(${selects.join(' UNION ALL ')}) AS b`)
  const { order } = windowSql(merged, { ...query, filter: null }, { slots: { ...slots, cursor: null } })
  return `SELECT b."pk" FROM ${merged.from.sql}${order}`
}
