// Statements for searches: a page of records, and how many match.

import { LRUCache } from 'lru-cache'
import { holderOf } from '../../model/event.ts'
import { isInOrder } from '../../model/index-order.ts'
import type { Filter, Query, Step } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import type { ResultRow } from '../driver.ts'
import { columnTypeOf, holdingOf, isToMany, partSql, quote, sourceOf, tableOf } from './columns.ts'
import { baseScope, type OpenSqlScope, type SqlScope, StatementDraft } from './from.ts'
import {
  dependsOnColumns,
  isFoundFirst,
  type KeysParts,
  keysSql,
  orderedKey,
  orderSql,
  rangeCount,
  type SelectedKey,
  staysAtHome,
  type WindowSlots,
  windowSql,
} from './page-keys.ts'
import { decoderOf, type RecordSelection, selectionOf } from './selection.ts'
import { QueryShape, type SelectSource, type SelectStatement, type Statement, type Statements } from './statements.ts'
import { filterSql } from './where.ts'
import type { WriteCounts } from './write.ts'

export interface PageStatement extends SelectStatement {
  /** The sort keys' values of a row, in stored form. */
  readonly keysOf: (row: ResultRow) => readonly unknown[]
  /** Does an index give the matches in their order? Then no others are visited. */
  readonly isInOrder: boolean
  /** The last page read by it was followed by another one, so a total had to be counted. */
  hadNext: boolean
}

export const pageStatement = (source: SelectSource, query: Query, slots: WindowSlots): PageStatement => {
  const parts: KeysParts = { draft: new StatementDraft(source.shape), slots }
  const isTwoStep = isFoundFirst(query) || rangeCount(query, parts) > 1
  const page = isTwoStep ? twoStepPage(source, query, parts) : oneStepPage(source, query, parts)
  return { ...page, isInOrder: query.filter === null || isInOrder(query), hadNext: false }
}

type Page = Omit<PageStatement, 'isInOrder' | 'hadNext'>

const oneStepPage = (source: SelectSource, query: Query, { draft, slots }: KeysParts): Page => {
  const scope = baseScope(draft, `${source.shape.sourceOf(source.resource)} AS b`)
  const reading = staysAtHome(query) && !joinsLabels(source) ? subselecting(draft) : scope
  const { select, decode, keysOf } = readingOf(reading, source, query)
  const { where, order } = windowSql(scope, query, { slots })
  return { decode, keysOf, sql: `${select} FROM ${scope.from.sql}${where}${order}`, constants: draft.constants }
}

/** Do labels come by joins? Otherwise by subselects, which need no order of joins to be planned at every search. */
const joinsLabels = ({ shape, shown }: SelectSource): boolean =>
  shown.members.filter(({ field, target }) => field.role === 'one' && target?.label).length <=
  shape.dialect.joinedLabels

/** Labels come by subselects: for a page of records, PostgreSQL may read all of another table for a join. */
const twoStepPage = (source: SelectSource, query: Query, parts: KeysParts): Page => {
  const { draft } = parts
  const { select, order, decode, keysOf } = readingOf(subselecting(draft), source, query)
  const found = keysSql(source.resource, query, parts)
  const among = draft.dialect.amongKeys('b."pk"', found)
  const sql = `${select} FROM ${source.shape.sourceOf(source.resource)} AS b WHERE ${among} ORDER BY ${order}`
  return { decode, keysOf, sql, constants: draft.constants }
}

const subselecting = (draft: StatementDraft): SqlScope => ({ draft, alias: 'b', from: null })

/** What is read of each record, and how. */
const readingOf = (scope: SqlScope, source: SelectSource, query: Query) => {
  const selection = selectionOf(scope, source.shown, source.linkFilters)
  const keys = query.sort.map(key => orderedKey(scope, key))
  const { columns, keysOf } = withKeys(selection, keys, scope)
  const select = `SELECT ${columns.join(', ')}`
  return { select, order: orderSql(keys, scope.draft.dialect), decode: selection.decode, keysOf }
}

/** Selects the sort keys that are not selected yet, and reads all of them. */
const withKeys = (selection: RecordSelection, keys: readonly SelectedKey[], { draft }: SqlScope) => {
  const columns = [...selection.columns]
  const readers = keys.map(({ path, sql }) => {
    const selected = columns.indexOf(sql)
    return { at: selected >= 0 ? selected : columns.push(sql) - 1, decode: decoderOf(draft.dialect, path.member) }
  })
  const keysOf = (row: ResultRow) => readers.map(({ at, decode }) => (decode ? decode(row[at]) : row[at]))
  return { columns, keysOf }
}

/** The window's values as cells; the key says all of the window that the text depends on. */
export const windowOf = (shape: QueryShape, { sort, window, total }: Query): { key: string; slots: WindowSlots } => {
  if (window.kind === 'end') throw new Error('the last records are found as the first ones in the opposite order')
  if (window.kind === 'offset') {
    const limit = shape.add(window.limit + 1, 'integer')
    const key = `${total} ${window.offset === 0 ? 'start' : 'offset'}`
    return { key, slots: { limit, offset: shape.add(window.offset, 'integer'), cursor: null } }
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

// Where numbered pages begin. To find a page far from the start takes a walk through all that come before it; the same page again,
// and the page after it, begin after a record that is known.

/** In milliseconds. For so long, a write of another process may move a page by as many records as it adds or removes. */
const positionsLast = 5000
const maxPositions = 1000

interface Position {
  /** The sort keys' values of the record before the page. */
  readonly after: readonly unknown[]
  /** When records were skipped to find it, or the position that it follows from. */
  readonly since: number
  readonly version: number
}

export class PagePositions {
  readonly #known = new LRUCache<string, Position>({ max: maxPositions, ttl: positionsLast })
  readonly #versions = new Map<Resource, number>()
  #version = 0

  /** To be called when the transaction is over, whether or not it was committed. */
  noteWrites(writes: WriteCounts): void {
    if (writes.cascades > 0) this.#version += 1
    for (const holder of writes.holders) this.#versions.set(holder, (this.#versions.get(holder) ?? 0) + 1)
  }

  /** Null where the order of the records depends on others. */
  of(statements: Statements, resource: Resource, query: Query): PositionsOfQuery | null {
    const { filter, sort } = query
    if (query.source || !dependsOnColumns(query)) return null
    const shape = new QueryShape(statements.dialect)
    const name = `${resource.name} ${filter ? shape.filter(filter) : ''} ${shape.sort(sort)} ${JSON.stringify(shape.cells)}`
    const version = this.#versionOf(resource)
    return {
      get: offset => {
        const known = this.#known.get(`${name} ${offset}`)
        return known?.version === version && performance.now() - known.since < positionsLast ? known : null
      },
      // What was read before a write does not say where a page begins after it.
      set: (offset, after, since = performance.now()) => {
        if (this.#versionOf(resource) === version) this.#known.set(`${name} ${offset}`, { after, since, version })
      },
    }
  }

  #versionOf(resource: Resource): number {
    return this.#version + (this.#versions.get(holderOf(resource)) ?? 0)
  }
}

interface PositionsOfQuery {
  get(offset: number): Position | null
  set(offset: number, after: readonly unknown[], since?: number): void
}

// How many records match: counts and estimates.

export interface CountParts {
  readonly resource: Resource
  readonly filter: Filter | null
  readonly filterKey: string
  readonly shape: QueryShape
  /** The filter's cells are the first of the shape's. */
  readonly cellCount: number
}

export interface CountKind {
  readonly kind: 'exact' | 'estimated'
  /** For exact counts: where counting stops. */
  readonly atMost?: number | undefined
}

export const countStatement = (parts: CountParts, { kind, atMost }: CountKind): Statement => {
  const draft = new StatementDraft(parts.shape, parts.cellCount)
  const { constants } = draft
  if (kind === 'estimated') return { sql: estimateSql(draft, parts), constants }
  const matching = matchingSql(baseScope(draft, `${parts.shape.sourceOf(parts.resource)} AS b`), parts)
  if (atMost === undefined) return { sql: `SELECT count(*) ${matching}`, constants }
  return { sql: `SELECT count(*) FROM (SELECT 1 ${matching} LIMIT ${atMost}) AS counted`, constants }
}

/** Joins, not EXISTS: a record counts as often as a way leads to it. */
export const alongStatement = (parts: CountParts, steps: readonly Step[], atMost: number): Statement => {
  const draft = new StatementDraft(parts.shape, parts.cellCount)
  const scope = baseScope(draft, `${sourceOf(parts.resource)} AS b`)
  const where = parts.filter ? ` WHERE ${watchedSql(scope, parts.filter)}` : ''
  let [at, joins] = [scope.alias, '']
  for (const step of steps) {
    const alias = draft.alias()
    joins += joinSql(draft, step, { at, alias })
    at = alias
  }
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${scope.from.sql}${joins}${where} LIMIT ${atMost}) AS counted`
  return { sql, constants: draft.constants }
}

const joinSql = (
  draft: StatementDraft,
  { relation, target, linkFilter }: Step,
  { at, alias }: { readonly at: string; readonly alias: string },
): string => {
  const seen = linkFilter ? ` AND ${filterSql({ draft, alias, from: null }, linkFilter)}` : ''
  const join = (condition: string) => ` JOIN ${sourceOf(target)} AS ${alias} ON ${condition}${seen}`
  if (!isToMany(relation)) return join(`${alias}."pk" = ${at}.${quote(relation.name)}`)
  const holding = holdingOf(relation)
  if (holding.kind === 'column') return join(`${alias}.${quote(holding.by.name)} = ${at}."pk"`)
  const pairs = draft.alias()
  const through = ` JOIN ${holding.table} AS ${pairs} ON ${pairs}.${holding.near} = ${at}."pk"`
  return through + join(`${alias}."pk" = ${pairs}.${holding.far}`)
}

const matchingSql = (scope: OpenSqlScope, { filter }: CountParts): string => {
  const where = filter ? ` WHERE ${watchedSql(scope, filter)}` : ''
  return `FROM ${scope.from.sql}${where}`
}

const watchedSql = (scope: OpenSqlScope, filter: Filter): string => {
  const condition = filterSql(scope, filter)
  return [...scope.draft.watches(), condition].join(' AND ')
}

const estimateSql = (draft: StatementDraft, parts: CountParts): string => {
  const { estimate } = draft.dialect
  const { resource } = parts
  draft.isSample = true
  const table = tableOf(resource)
  const rows = estimate.rows({ table, source: sourceOf(resource), part: partSql(resource) })
  return estimate.sql(matchingSql(baseScope(draft, `${rows} AS b`), parts), table)
}

/** The number in the first row of a count. */
export const countOf = (rows: readonly ResultRow[]): number => Number(rows[0]?.[0])
