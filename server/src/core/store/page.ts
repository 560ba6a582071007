// Statements for searches: a page of records, and how many there are in all.

import { isIndexed } from '../model/indexes.ts'
import type { Filter, Path, Query, SortKey } from '../model/query.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { Dialect } from './dialect.ts'
import { baseScope, Draft, type OpenScope, type Scope } from './from.ts'
import { afterSql, type OrderedKey, orderSql } from './keyset.ts'
import { columnTypeOf, quote, sourceOf } from './names.ts'
import { expressionAt } from './paths.ts'
import { decoderOf, type Row, type Selection, selectionOf } from './selection.ts'
import type { Shape } from './shape.ts'
import type { Selecting, Source, Statement } from './statements.ts'
import { filterSql } from './where.ts'

export interface PageStatement extends Selecting {
  /** The sort keys' values of a row, in stored form. */
  readonly keysOf: (row: Row) => readonly unknown[]
}

/** The slots of the window's cells. */
export interface WindowSlots {
  readonly limit: number
  readonly offset: number | null
  /** One for each sort key; null where the cursor has no value. */
  readonly cursor: readonly (number | null)[] | null
}

export const pageStatement = (source: Source, query: Query, slots: WindowSlots): PageStatement =>
  isFoundFirst(query) ? twoStepPage(source, query, slots) : oneStepPage(source, query, slots)

const oneStepPage = (source: Source, query: Query, slots: WindowSlots): PageStatement => {
  const draft = new Draft(source.shape)
  const scope = baseScope(draft, `${sourceOf(source.resource)} AS b`)
  // Where neither filter nor order needs joins, labels bring none: PostgreSQL may plan them anew at every search.
  const reading = staysAtHome(query) ? subselecting(draft) : scope
  const { select, decode, keysOf } = readingOf(reading, source, query)
  const { where, order } = windowSql(scope, query, slots)
  return { decode, keysOf, sql: `${select} FROM ${scope.from.sql}${where}${order}`, constants: draft.constants }
}

/** Labels come by subselects, not by joins: for a page of records they cost the same, and there is no order of joins to plan. */
const twoStepPage = (source: Source, query: Query, slots: WindowSlots): PageStatement => {
  const draft = new Draft(source.shape)
  const { select, order, decode, keysOf } = readingOf(subselecting(draft), source, query)
  const found = findingSql(source, query, { draft, slots })
  const sql = `${select} FROM ${sourceOf(source.resource)} AS b WHERE b."pk" IN (${found}) ORDER BY ${order}`
  return { decode, keysOf, sql, constants: draft.constants }
}

const subselecting = (draft: Draft): Scope => ({ draft, alias: 'b', from: null })

/** What is read of each record, and how. */
const readingOf = (scope: Scope, source: Source, query: Query) => {
  const selection = selectionOf(scope, source.shown, source.guards)
  const keys = query.sort.map(key => orderedKey(scope, key))
  const { columns, keysOf } = withKeys(selection, keys, scope)
  const select = `SELECT ${columns.join(', ')}`
  return { select, order: orderSql(keys, scope.draft.dialect), decode: selection.decode, keysOf }
}

/** Which records, in which order, from where to where. */
const windowSql = (scope: OpenScope, query: Query, slots: WindowSlots): { where: string; order: string } => {
  const { dialect } = scope.draft
  const keys = query.sort.map(key => orderedKey(scope, key))
  const conditions = query.filter ? [filterSql(scope, query.filter)] : []
  if (slots.cursor) {
    const values = slots.cursor.map(slot => (slot === null ? null : dialect.placeholder(slot)))
    conditions.push(afterSql(keys.map((key, index) => ({ ...key, value: values[index] ?? null }))))
  }
  const offset = slots.offset === null ? '' : ` OFFSET ${dialect.placeholder(slots.offset)}`
  return {
    where: conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '',
    order: ` ORDER BY ${orderSql(keys, dialect)} LIMIT ${dialect.placeholder(slots.limit)}${offset}`,
  }
}

/** The pks of the page. */
const findingSql = (
  { resource }: Source,
  query: Query,
  { draft, slots }: { draft: Draft; slots: WindowSlots },
): string => {
  const scope = baseScope(draft, `${sourceOf(resource)} AS b`)
  const { where, order } = windowSql(scope, query, slots)
  if (!isFenced(draft.dialect, query)) return `SELECT b."pk" FROM ${scope.from.sql}${where}${order}`
  const held = query.sort.flatMap(({ path: { member } }) => (member.field.role === 'count' ? [] : [member.name]))
  const columns = [...new Set(['pk', ...held])].map(name => `b.${quote(name)}`)
  // PostgreSQL does not look through an OFFSET (SQL Commands, SELECT, "LIMIT Clause"), even one of nothing.
  return `SELECT b."pk" FROM (SELECT ${columns.join(', ')} FROM ${scope.from.sql}${where} OFFSET 0) AS b${order}`
}

/**
 * The planner of PostgreSQL hopes to meet enough matches early in an index that has the order, and reads most of the table
 * when they lie late in it. Where the matches are counted all the same, going through them alone is never much dearer.
 */
const isFenced = ({ name }: Dialect, { filter, total }: Query): boolean =>
  name === 'postgres' && filter !== null && total === 'exact'

/**
 * Where matching records must be sorted, only their keys are, and the records of the page alone are read and joined: among
 * a hundred thousand matches that is what a page costs. Where an index gives the matches in their order, nothing is sorted.
 */
const isFoundFirst = (query: Query): boolean => {
  const first = query.sort[0]?.path.member
  if (!first || !staysAtHome(query)) return false
  const compared = query.filter ? pathsIn(query.filter) : []
  return !(isIndexed(first, 'order') && compared.every(path => path.member === first))
}

/** Does the search look at the records' own members alone? */
const staysAtHome = ({ filter, sort }: Query): boolean =>
  sort.every(key => isOwn(key.path)) && (filter ? pathsIn(filter) : []).every(isOwn)

const isOwn = (path: Path): boolean => path.steps.length === 0

const pathsIn = (filter: Filter): readonly Path[] => {
  if ('parts' in filter) return filter.parts.flatMap(pathsIn)
  if ('part' in filter) return pathsIn(filter.part)
  return 'path' in filter ? [filter.path] : []
}

interface SelectedKey extends OrderedKey, Pick<SortKey, 'path'> {}

const orderedKey = (scope: Scope, { path, descending }: SortKey): SelectedKey => ({
  path,
  sql: expressionAt(scope, { ...path, filterSql }),
  nullable: path.steps.length > 0 || isNullable(path.member),
  descending,
})

const isNullable = ({ field }: Member): boolean => field.role !== 'count' && !field.options.required

/** Selects the sort keys that are not selected yet, and reads all of them. */
const withKeys = (selection: Selection, keys: readonly SelectedKey[], { draft }: Scope) => {
  const columns = [...selection.columns]
  const readers = keys.map(({ path, sql }) => {
    const selected = columns.indexOf(sql)
    return { at: selected >= 0 ? selected : columns.push(sql) - 1, decode: decoderOf(draft.dialect, path.member) }
  })
  const keysOf = (row: Row) => readers.map(({ at, decode }) => (decode ? decode(row[at]) : row[at]))
  return { columns, keysOf }
}

/** The window's values as cells; the key says all of the window that the text depends on. */
export const windowOf = (shape: Shape, { sort, window, total }: Query): { key: string; slots: WindowSlots } => {
  if (window.kind === 'offset') {
    const limit = shape.add(window.limit + 1, 'integer')
    return { key: `${total} offset`, slots: { limit, offset: shape.add(window.offset, 'integer'), cursor: null } }
  }
  const cursor = sort.map(({ path }, index) => {
    const value = window.values[index] ?? null
    return value === null ? null : shape.add(value, columnTypeOf(path.member))
  })
  const limit = shape.add(window.limit + 1, 'integer')
  return {
    key: `${total} cursor${cursor.map(slot => (slot === null ? 0 : 1)).join('')}`,
    slots: { limit, offset: null, cursor },
  }
}

export interface CountParts {
  readonly resource: Resource
  readonly filter: Filter | null
  readonly filterKey: string
  readonly shape: Shape
  /** The filter's cells are the first of the shape's. */
  readonly cellCount: number
}

/** Beyond this, SQLite's estimate stops counting. */
const countedAtMost = 10_000

/** The estimate comes from the planner on PostgreSQL; on SQLite, which keeps no such numbers, a large count is cut off. */
export const countStatement = (parts: CountParts, kind: 'exact' | 'estimated'): Statement => {
  const draft = new Draft(parts.shape, parts.cellCount)
  const scope = baseScope(draft, `${sourceOf(parts.resource)} AS b`)
  const where = parts.filter ? ` WHERE ${filterSql(scope, parts.filter)}` : ''
  const matching = `FROM ${scope.from.sql}${where}`
  const { constants } = draft
  if (kind === 'exact') return { sql: `SELECT count(*) ${matching}`, constants }
  return draft.dialect.name === 'postgres'
    ? { sql: `EXPLAIN (FORMAT JSON) SELECT 1 ${matching}`, constants }
    : { sql: `SELECT count(*) FROM (SELECT 1 ${matching} LIMIT ${countedAtMost})`, constants }
}

/** The number in the first row of a count or an estimate. */
export const countOf = (rows: readonly Row[]): number => {
  const cell = rows[0]?.[0]
  if (typeof cell === 'number') return cell
  const [explained] = cell as [{ readonly Plan: { readonly 'Plan Rows': number } }]
  return explained.Plan['Plan Rows']
}
