// Which records are on a page: conditions and order.

import { isInOrder, isOwn } from '../../model/index-order.ts'
import { isColumn, isIndexed } from '../../model/indexes.ts'
import type { Query, SortKey } from '../../model/query.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { quote } from './columns.ts'
import type { Dialect } from './dialect.ts'
import { baseScope, type OpenSqlScope, recordScope, type SqlScope, type StatementDraft } from './from.ts'
import { staysAtHome } from './index-use.ts'
import { afterRanges, afterSql, type CursorKey, type OrderedKey, orderSql } from './keyset.ts'
import { expressionAt, filterSql } from './where.ts'

/** The slots of the window's cells. */
export interface WindowSlots {
  readonly limit: number
  readonly offset: number | null
  /** One for each sort key; null where the cursor has no value. */
  readonly cursor: readonly (number | null)[] | null
  /** Are the rows before the page kept? So they are in a part of the matches: they may be on the page when it is put together. */
  readonly keepsSkipped?: boolean
}

export interface SelectedKey extends OrderedKey, Pick<SortKey, 'path'> {}

export const orderedKey = (scope: SqlScope, { path, descending }: SortKey): SelectedKey => ({
  path,
  sql: expressionAt(scope, path),
  nullable: path.steps.length > 0 || isNullable(path.field),
  descending,
})

const isNullable = ({ definition }: ResourceField): boolean =>
  definition.role !== 'count' && !definition.options.required

/** Conditions, order and limits of a page; `after` gives the condition on records next to a cursor. */
export const windowSql = (
  scope: OpenSqlScope,
  query: Query,
  { slots, after = afterSql }: { readonly slots: WindowSlots; readonly after?: (keys: readonly CursorKey[]) => string },
): { where: string; order: string } => {
  const { dialect } = scope.draft
  const keys = query.sort.map(key => orderedKey(scope, key))
  const conditions = query.filter ? [filterSql(scope, query.filter)] : []
  if (slots.cursor) conditions.push(after(cursorKeys(keys, slots.cursor, scope.draft)))
  // A page that an index gives in its order has little to do.
  if (query.filter || !isInOrder(query)) conditions.unshift(...scope.draft.watches())
  // The matches of an equality come in the order of their pks from an index that begins with the field.
  const namesNulls = keys.length > 1 || (query.filter !== null && isInOrder(query))
  return {
    where: conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '',
    order: ` ORDER BY ${orderSql(keys, dialect, namesNulls)}${limitSql(slots, dialect)}`,
  }
}

const limitSql = ({ limit, offset, keepsSkipped }: WindowSlots, { placeholder }: Dialect): string => {
  if (offset === null) return ` LIMIT ${placeholder(limit)}`
  if (!keepsSkipped) return ` LIMIT ${placeholder(limit)} OFFSET ${placeholder(offset)}`
  return ` LIMIT CAST(${placeholder(limit)} AS bigint) + CAST(${placeholder(offset)} AS bigint)`
}

const cursorKeys = (
  keys: readonly OrderedKey[],
  cursor: readonly (number | null)[],
  { dialect, facts }: StatementDraft,
): readonly CursorKey[] =>
  keys.map((key, index) => {
    const slot = cursor[index] ?? null
    if (slot === null) facts.limits(key.sql, 'null', { cells: [] })
    else facts.limits(key.sql, key.descending ? '<=' : '>=', { cells: [slot - 1] })
    return { ...key, value: slot === null ? null : dialect.placeholder(slot) }
  })

export interface KeysParts {
  readonly draft: StatementDraft
  readonly slots: WindowSlots
}

/** Selects the pks of the page. */
export const keysSql = (resource: Resource, query: Query, parts: KeysParts): string => {
  const { draft, slots } = parts
  const walks = walksOf(resource, query, parts)
  if (walks.length > 1) return mergedWalks(resource, walks, { ...parts, query })
  const scope = recordScope(draft, resource)
  const { where, order } = windowSql(scope, query, { slots })
  if (!isFenced(draft.dialect, query)) return `SELECT b."pk" FROM ${scope.from.sql}${where}${order}`
  const found = `SELECT ${keyColumns(query)} FROM ${scope.from.sql}${where}${draft.dialect.sortFence}`
  return `SELECT b."pk" FROM (${found}) AS b${order}`
}

/** The columns that the order needs. A count has none: it is made from the pk. */
const keyColumns = ({ sort }: Query): string => {
  const names = sort.flatMap(({ path: { field } }) => (field.definition.role === 'count' ? [] : [field.name]))
  return [...new Set(['pk', ...names])].map(name => `b.${quote(name)}`).join(', ')
}

/**
 * A planner may hope to meet enough matches early in an index that has the order, and reads most of the table when they lie late
 * in it. Where the matches are counted all the same, going through them alone never costs much more.
 */
const isFenced = ({ sortFence }: Dialect, query: Query): boolean =>
  sortFence !== null && query.filter !== null && query.total === 'exact' && staysAtHome(query) && !isInOrder(query)

/** A part of the matches that an index gives in their order. */
interface Walk {
  readonly source: string
  readonly after: (keys: readonly CursorKey[]) => string
}

/** The parts of the matches that are walked each by itself: every source of records, and every range of an index next to a cursor. */
export const walksOf = (resource: Resource, query: Query, { draft, slots }: KeysParts): readonly Walk[] => {
  const { shape, dialect } = draft
  if (!isWalked(query, dialect)) return [{ source: shape.sourceOf(resource), after: afterSql }]
  const ranges = rangeCount(query, slots)
  const afters =
    ranges === 1
      ? [afterSql]
      : Array.from({ length: ranges }, (_, at) => (keys: readonly CursorKey[]) => afterRanges(keys)[at] ?? 'FALSE')
  return shape.sourcesOf(resource).flatMap(source => afters.map(after => ({ source, after })))
}

const isWalked = ({ sort, ...query }: Query, dialect: Dialect): boolean => {
  const first = sort[0]?.path.field
  if (!first || !isIndexed(first, 'order') || isFenced(dialect, { ...query, sort })) return false
  return sort.every(({ path }) => isOwn(path) && isColumn(path.field))
}

/** Counts the ranges of an index into which the records next to a cursor fall. */
const rangeCount = ({ sort: [first] }: Query, { cursor }: WindowSlots): number => {
  if (!cursor || !first) return 1
  const isAbsent = cursor[0] === null
  return isNullable(first.path.field) && isAbsent !== first.descending ? 2 : 1
}

/** Each walk by itself, as far as the page needs it, and what they give put in order. */
const mergedWalks = (
  resource: Resource,
  walks: readonly Walk[],
  { draft, slots, query }: KeysParts & { readonly query: Query },
): string => {
  const selects = walks.map(({ source, after }, at) => {
    const scope = recordScope(draft, resource, source)
    const { where, order } = windowSql(scope, query, { slots: { ...slots, keepsSkipped: true }, after })
    return `SELECT * FROM (SELECT ${keyColumns(query)} FROM ${scope.from.sql}${where}${order}) AS r${at}`
  })
  const merged = baseScope(draft, `(${selects.join(' UNION ALL ')}) AS b`)
  const { order } = windowSql(merged, { ...query, filter: null }, { slots: { ...slots, cursor: null } })
  return `SELECT b."pk" FROM ${merged.from.sql}${order}`
}
