// Statements that count or estimate how many records match.

import type { Filter, Step } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import { baseScope, Draft, type OpenScope } from './from.ts'
import { holdingOf, isToMany, partSql, quote, sourceOf, tableOf } from './names.ts'
import type { Row } from './selection.ts'
import type { Shape } from './shape.ts'
import type { Statement } from './statements.ts'
import { filterSql } from './where.ts'

export interface CountParts {
  readonly resource: Resource
  readonly filter: Filter | null
  readonly filterKey: string
  readonly shape: Shape
  /** The filter's cells are the first of the shape's. */
  readonly cellCount: number
}

export interface CountKind {
  readonly kind: 'exact' | 'estimated'
  /** For exact counts: where counting stops. */
  readonly atMost?: number | undefined
}

export const countStatement = (parts: CountParts, { kind, atMost }: CountKind): Statement => {
  const draft = new Draft(parts.shape, parts.cellCount)
  const { constants } = draft
  if (kind === 'estimated' && draft.dialect.name === 'sqlite') return { sql: sampleSql(draft, parts), constants }
  const matching = matchingSql(baseScope(draft, `${sourceOf(parts.resource)} AS b`), parts)
  if (kind === 'estimated') return { sql: `EXPLAIN (FORMAT JSON) SELECT 1 ${matching}`, constants }
  if (atMost === undefined) return { sql: `SELECT count(*) ${matching}`, constants }
  return { sql: `SELECT count(*) FROM (SELECT 1 ${matching} LIMIT ${atMost}) AS counted`, constants }
}

/** Joins, not EXISTS: a record counts as often as a way leads to it. */
export const alongStatement = (parts: CountParts, steps: readonly Step[], atMost: number): Statement => {
  const draft = new Draft(parts.shape, parts.cellCount)
  const scope = baseScope(draft, `${sourceOf(parts.resource)} AS b`)
  const where = parts.filter ? ` WHERE ${filterSql(scope, parts.filter)}` : ''
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
  draft: Draft,
  { relation, target, guard }: Step,
  { at, alias }: { readonly at: string; readonly alias: string },
): string => {
  const seen = guard ? ` AND ${filterSql({ draft, alias, from: null }, guard)}` : ''
  const join = (condition: string) => ` JOIN ${sourceOf(target)} AS ${alias} ON ${condition}${seen}`
  if (!isToMany(relation)) return join(`${alias}."pk" = ${at}.${quote(relation.name)}`)
  const holding = holdingOf(relation)
  if (holding.kind === 'column') return join(`${alias}.${quote(holding.by.name)} = ${at}."pk"`)
  const pairs = draft.alias()
  const through = ` JOIN ${holding.table} AS ${pairs} ON ${pairs}.${holding.near} = ${at}."pk"`
  return through + join(`${alias}."pk" = ${pairs}.${holding.far}`)
}

const matchingSql = (scope: OpenScope, { filter }: CountParts): string => {
  const where = filter ? ` WHERE ${filterSql(scope, filter)}` : ''
  return `FROM ${scope.from.sql}${where}`
}

/** How many rows an estimate on SQLite looks at. */
const sampled = 2000

/** The planner of SQLite keeps no statistics: rows spread evenly over the table stand for all of it. */
const sampleSql = (draft: Draft, parts: CountParts): string => {
  const table = tableOf(parts.resource)
  const lowest = `(SELECT min(rowid) FROM ${table})`
  const range = `((SELECT max(rowid) FROM ${table}) - ${lowest} + 1)`
  const places =
    `WITH RECURSIVE places(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM places WHERE n < ${sampled - 1}) ` +
    `SELECT ${lowest} + n * ${range} / ${sampled} FROM places`
  const rows = `(SELECT * FROM ${table} WHERE rowid IN (${places}) AND ${partSql(parts.resource)}) AS b`
  const matching = matchingSql(baseScope(draft, rows), parts)
  // A table with fewer rows is looked at whole.
  return `SELECT CAST(round(count(*) * max(1.0, coalesce(${range}, 0) / ${sampled}.0)) AS INTEGER) ${matching}`
}

/** The number in the first row of a count or an estimate. */
export const countOf = (rows: readonly Row[]): number => {
  const cell = rows[0]?.[0]
  if (typeof cell === 'number') return cell
  const [explained] = cell as [{ readonly Plan: { readonly 'Plan Rows': number } }]
  return explained.Plan['Plan Rows']
}
