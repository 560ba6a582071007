// Statements that group records, and what they find.

import {
  type Aggregation,
  type FoundGroups,
  type GroupCondition,
  type GroupKey,
  isMeasure,
  type Measure,
  percentiles,
} from '../../model/aggregation.ts'
import type { Path } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import { Problem } from '../../problem.ts'
import type { ResultRow } from '../connection.ts'
import { columnTypeOf } from './columns.ts'
import { type OpenSqlScope, recordScope, StatementDraft } from './from.ts'
import { decoderOf } from './selection.ts'
import type { SqlSession } from './session.ts'
import { QueryShape } from './shape.ts'
import { run, type Statement } from './statement.ts'
import { expressionAt, filterSql } from './where.ts'

interface GroupStatement extends Statement {
  readonly decode: (row: ResultRow) => readonly unknown[]
}

/** The places of values in the cells of the statement, from 1. */
interface Slots {
  readonly compared: ReadonlyMap<GroupCondition, number>
  readonly timeZone: number | null
  readonly smallest: number | null
  readonly limit: number
  readonly offset: number
}

export interface PreparedGroups {
  readonly statement: GroupStatement
  readonly shape: QueryShape
}

export const prepareGroups = (
  { statements }: Pick<SqlSession, 'statements'>,
  resource: Resource,
  aggregation: Aggregation,
): PreparedGroups => {
  const shape = new QueryShape(statements.dialect)
  const { key, slots } = keyOf(shape, aggregation)
  const statement = statements.of(`groups ${resource.name} ${key}`, () =>
    groupStatement({ resource, aggregation, shape, slots }),
  )
  return { statement, shape }
}

export const findGroups = async (
  session: SqlSession,
  resource: Resource,
  aggregation: Aggregation,
): Promise<FoundGroups> => {
  const { statement, shape } = prepareGroups(session, resource, aggregation)
  const { window, total, requester } = aggregation
  const found = await run(session.connection, statement, shape.cells, { requester }).catch((error: unknown) => {
    throw session.statements.dialect.isOverflow(error) ? tooLarge() : error
  })
  const rows = found.slice(0, window.limit)
  const last = rows[0]?.length ?? 0
  const counted = total ? (rows.length > 0 ? Number(rows[0]?.[last - 1]) : window.offset === 0 ? 0 : null) : null
  return { rows: rows.map(statement.decode), total: counted, hasMore: found.length > rows.length }
}

const tooLarge = (): Problem =>
  new Problem('unprocessable', 'A sum is too large to be exact: sum fewer records, by a filter or by smaller groups.')

/** The key says all that the text depends on; the values are added to the cells in the same order. */
const keyOf = (shape: QueryShape, aggregation: Aggregation): { readonly key: string; readonly slots: Slots } => {
  const { filter, group, measures, having, sort, window, total, smallestGroup, timeZone } = aggregation
  const compared = new Map<GroupCondition, number>()
  const groupKey = ({ path, bucket }: GroupKey) => `${shape.path(path)}:${bucket ?? ''}`
  const measureKey = (measure: Measure) =>
    measure.kind === 'count' ? 'count' : `${measure.kind}/${measure.unit}(${shape.path(measure.path)})`
  const conditionKey = (condition: GroupCondition): string => {
    if ('parts' in condition) return `(${condition.op}${condition.parts.map(conditionKey).join('')})`
    if ('part' in condition) return `(!${conditionKey(condition.part)})`
    const key = `${condition.op}${measureKey(condition.measure)}`
    if (condition.op === 'null') return `(${key}${condition.isNull})`
    const column = condition.measure.kind === 'min' || condition.measure.kind === 'max' ? condition.measure.path : null
    compared.set(condition, shape.add(condition.value, column ? columnTypeOf(column.field) : 'integer'))
    return `(${key})`
  }
  const pieces = [
    filter ? shape.filter(filter) : '',
    group.map(groupKey).join(),
    measures.map(measureKey).join(),
    having ? conditionKey(having) : '',
    sort.map(({ by, descending }) => (descending ? '-' : '+') + (isMeasure(by) ? measureKey(by) : groupKey(by))).join(),
    total ? 'total' : '',
  ]
  const isZoned =
    timeZone !== 'UTC' && group.some(({ path, bucket }) => bucket !== null && columnTypeOf(path.field) !== 'date')
  const slots: Slots = {
    compared,
    timeZone: isZoned ? shape.add(timeZone, 'text') : null,
    smallest: smallestGroup > 1 ? shape.add(smallestGroup, 'integer') : null,
    limit: shape.add(window.limit + 1, 'integer'),
    offset: shape.add(window.offset, 'integer'),
  }
  return { key: [...pieces, slots.timeZone ?? '', slots.smallest ?? ''].join(' '), slots }
}

interface GroupSource {
  readonly resource: Resource
  readonly aggregation: Aggregation
  readonly shape: QueryShape
  readonly slots: Slots
}

/** What it takes to find the group of a row, to add a value to a measure of it, and to sort it among the others, in simple rows. */
const [groupWork, bucketWork, measureWork, percentileWork] = [0.3, 0.5, 0.1, 0.5]

const groupStatement = ({ resource, aggregation, shape, slots }: GroupSource): GroupStatement => {
  const { filter, group, measures, having, sort, total } = aggregation
  const draft = new StatementDraft(shape)
  const scope = recordScope(draft, resource)
  const place = (slot: number) => draft.dialect.placeholder(slot)
  const keys = group.map(key => groupSql(scope, key, slots.timeZone === null ? null : place(slots.timeZone)))
  const smallest = slots.smallest === null ? null : place(slots.smallest)
  const of = (measure: Measure) => measureSql(scope, measure, smallest)
  const valueSql = (condition: GroupCondition): string => {
    const slot = slots.compared.get(condition)
    if (slot === undefined) throw new Error('a condition on groups has no value')
    return place(slot)
  }
  const columns = [...keys, ...measures.map(measure => selectedSql(measure, of))]
  if (total) columns.push('count(*) OVER ()')
  const conditions = [
    ...(smallest === null ? [] : [`count(*) >= ${smallest}`]),
    ...(having ? [conditionSql(having, { measureSql: of, valueSql })] : []),
  ]
  // The places of columns in the result stand for groups: an expression with a parameter is equal to no other.
  const order = sort.map(({ by, descending }) => {
    const sql = isMeasure(by) ? of(by) : String(group.indexOf(by) + 1)
    return `${sql}${descending ? ' DESC' : ''}${draft.dialect.orderNulls(descending)}`
  })
  const matching = filter ? [filterSql(scope, filter)] : []
  draft.facts.computes(
    group.length * groupWork +
      group.filter(({ bucket }) => bucket).length * bucketWork +
      measures.length * measureWork +
      measures.filter(({ kind }) => kind in percentiles).length * percentileWork,
  )
  const where = [...draft.watches(), ...matching]
  const sql = [
    `SELECT ${columns.join(', ')} FROM ${scope.from.sql}`,
    ...(where.length > 0 ? [`WHERE ${where.join(' AND ')}`] : []),
    ...(keys.length > 0 ? [`GROUP BY ${keys.map((_, at) => at + 1).join(', ')}`] : []),
    ...(conditions.length > 0 ? [`HAVING ${conditions.join(' AND ')}`] : []),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    `LIMIT ${place(slots.limit)} OFFSET ${place(slots.offset)}`,
  ].join(' ')
  const readers = [
    ...group.map(key => groupReader(draft, key)),
    ...measures.map(measure => measureReader(draft, measure)),
  ]
  return { ...draft.statement(sql), decode: row => readers.map((read, at) => read(row[at])) }
}

const groupSql = (scope: OpenSqlScope, { path, bucket }: GroupKey, timeZone: string | null): string => {
  const expression = expressionAt(scope, path)
  if (bucket === null) return expression
  const column = columnTypeOf(path.field)
  return scope.draft.dialect.bucket(expression, { unit: bucket, isDay: column === 'date', timeZone })
}

/** A sum comes as text: it may have more digits than a number of JavaScript. */
const selectedSql = (measure: Measure, of: (measure: Measure) => string): string =>
  measure.kind === 'sum' ? `CAST(${of(measure)} AS TEXT)` : of(measure)

/** `smallest`: the fewest values that something is computed of; null for any number. */
const measureSql = (scope: OpenSqlScope, measure: Measure, smallest: string | null): string => {
  if (measure.kind === 'count') return 'count(*)'
  const value = expressionAt(scope, measure.path)
  const sql = computedSql(scope, measure, value)
  // How many different values there are tells of none of them.
  return smallest === null || measure.kind === 'distinct'
    ? sql
    : `CASE WHEN count(${value}) >= ${smallest} THEN ${sql} END`
}

type ComputedMeasure = Exclude<Measure, { readonly kind: 'count' }>

const computedSql = (scope: OpenSqlScope, measure: ComputedMeasure, value: string): string => {
  switch (measure.kind) {
    case 'avg':
      // Both databases divide doubles alike, so that averages are equal to the last digit.
      return `CAST(sum(${value}) AS DOUBLE PRECISION) / (count(${value}) * ${measure.unit})`
    case 'sum':
    case 'min':
    case 'max':
      return `${measure.kind}(${value})`
    case 'distinct':
      return `count(DISTINCT ${value})`
    default:
      return `${scope.draft.dialect.percentile(value, percentiles[measure.kind])} / ${measure.unit}`
  }
}

const symbols = { eq: '=', ne: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const

interface ConditionParts {
  readonly measureSql: (measure: Measure) => string
  /** The placeholder of the value that a comparison has. */
  readonly valueSql: (condition: GroupCondition) => string
}

const conditionSql = (condition: GroupCondition, parts: ConditionParts): string => {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const all = condition.parts.map(part => conditionSql(part, parts))
      return `(${all.join(condition.op === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'not':
      return `(${conditionSql(condition.part, parts)}) IS NOT TRUE`
    case 'null':
      return `${parts.measureSql(condition.measure)} IS ${condition.isNull ? '' : 'NOT '}NULL`
    default: {
      const sql = `${parts.measureSql(condition.measure)} ${symbols[condition.op]} ${parts.valueSql(condition)}`
      return condition.op === 'ne' ? `(${sql}) IS NOT TRUE` : `(${sql})`
    }
  }
}

type CellReader = (cell: unknown) => unknown

const asIs: CellReader = cell => cell

const fieldReader = ({ dialect }: StatementDraft, { field }: Path): CellReader => decoderOf(dialect, field) ?? asIs

const groupReader = (draft: StatementDraft, { path, bucket }: GroupKey): CellReader =>
  bucket === null ? fieldReader(draft, path) : bucket === 'hour' ? asIs : beforeYearOne

/** A week may begin before the year 1, which PostgreSQL counts as the first before it. */
const beforeYearOne: CellReader = cell =>
  typeof cell === 'string' && cell.endsWith(' BC') ? `0000${cell.slice(4, 10)}` : cell

const measureReader = (draft: StatementDraft, measure: Measure): CellReader => {
  switch (measure.kind) {
    case 'count':
    case 'distinct':
      return Number
    case 'sum':
      return exactSum
    case 'min':
    case 'max':
      return fieldReader(draft, measure.path)
    default:
      return asIs
  }
}

const exactSum: CellReader = cell => {
  if (cell === null) return null
  const sum = Number(cell)
  if (!Number.isSafeInteger(sum)) throw tooLarge()
  return sum
}
