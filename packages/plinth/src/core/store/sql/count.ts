// Statements that count: how many records match, exactly or about.

import type { Filter, Step } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import type { ResultRow } from '../connection.ts'
import { holdingOf, isToMany, linkTableOf, partSql, quote, recordTableOf, sourceOf, tableOf } from './columns.ts'
import { baseScope, type OpenSqlScope, recordScope, StatementDraft } from './from.ts'
import type { QueryShape } from './shape.ts'
import type { Statement } from './statement.ts'
import { filterSql } from './where.ts'

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
  /** The number at which an exact count stops. */
  readonly atMost?: number | undefined
}

export const countStatement = (parts: CountParts, { kind, atMost }: CountKind): Statement => {
  const { resource, filter, shape, cellCount } = parts
  const draft = new StatementDraft(shape, cellCount)
  if (kind === 'estimated') return draft.statement(estimateSql(draft, parts))
  const matching = matchingSql(recordScope(draft, resource), parts)
  if (atMost !== undefined)
    return draft.statement(`SELECT count(*) FROM (SELECT 1 ${matching} LIMIT ${atMost}) AS counted`)
  draft.facts.countsTable = filter === null && shape.source === null && !resource.definition.storedIn
  return draft.statement(`SELECT count(*) ${matching}`)
}

/** Joins, not EXISTS: a record counts as often as a way leads to it. */
export const alongStatement = (parts: CountParts, steps: readonly Step[], atMost: number): Statement => {
  const draft = new StatementDraft(parts.shape, parts.cellCount)
  const scope = recordScope(draft, parts.resource)
  const where = parts.filter ? ` WHERE ${watchedSql(scope, parts.filter)}` : ''
  let [at, joins] = [scope.alias, '']
  for (const step of steps) {
    const alias = draft.aliasFor(step.target)
    joins += joinSql(draft, step, { at, alias })
    at = alias
  }
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${scope.from.sql}${joins}${where} LIMIT ${atMost}) AS counted`
  return draft.statement(sql)
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
  const pairs = draft.alias(linkTableOf(holding.links))
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
  const [table, name] = [tableOf(resource), recordTableOf(resource)]
  for (const alias of ['b', 'r', name]) draft.facts.reads(alias, name)
  const rows = estimate.rows({ table, source: sourceOf(resource), part: partSql(resource) })
  return estimate.sql(matchingSql(baseScope(draft, `${rows} AS b`), parts), table)
}

/** The number in the first row of a count. */
export const countOf = (rows: readonly ResultRow[]): number => Number(rows[0]?.[0])
