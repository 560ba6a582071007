// The aggregates of code, once their types have done their work → aggregations of the store, and groups as rows.

import {
  type AggregateFunction,
  type Aggregation,
  aggregateFunctions,
  amountOf,
  type FoundGroups,
  type GroupCondition,
  type GroupKey,
  type GroupSort,
  isComputed,
  isMeasure,
  type Measure,
  maxGroups,
} from '../model/aggregation.ts'
import { didYouMean } from '../model/definition-error.ts'
import type { Resource } from '../model/resource.ts'
import { bucketUnits, isTimeZone } from '../model/time-buckets.ts'
import type { Visibility } from '../model/views.ts'
import { type GroupColumn, keyColumn, measureColumn, measureName, membersOf } from '../query/group-columns.ts'
import { whyNoKey, whyNot } from '../query/measures.ts'
import { endingWith, tooManyGroups } from '../query/read-aggregation.ts'
import { type PlainWhere, toCondition } from './condition.ts'
import { pathOf } from './plain-query.ts'

/** An aggregate query, once its types have done their work. */
export type PlainAggregate = Readonly<Record<string, unknown>> & {
  readonly group?: readonly string[]
  readonly count?: boolean
  readonly where?: PlainWhere
  readonly having?: PlainWhere
  readonly sort?: string | readonly string[]
  readonly timeZone?: string
  readonly limit?: number
  readonly offset?: number
}

interface Place {
  readonly resource: Resource
  readonly visibility: Visibility
  /** Says that callers see the groups: then averages and percentiles are in the unit of callers. */
  readonly isShown?: boolean
}

const computed = ['group', 'count', ...aggregateFunctions]
const options = [...computed, 'where', 'having', 'sort', 'timeZone', 'limit', 'offset']

export interface GroupQuery {
  readonly aggregation: Aggregation
  readonly columns: readonly GroupColumn[]
}

/** An error for what is not there: it is a mistake in the code. */
export const toGroupQuery = (query: PlainAggregate, place: Place): GroupQuery => {
  mustKnow(options, Object.keys(query), 'option')
  const { group: names = [], count, where, having, sort = [], timeZone = 'UTC', limit = maxGroups, offset = 0 } = query
  if (!isTimeZone(timeZone)) throw new Error(`'${timeZone}' is not the name of a time zone, such as Europe/Berlin`)
  const group = names.map(name => toKey(name, place))
  const measures = [
    ...(count ? [{ kind: 'count' } as const] : []),
    ...aggregateFunctions.flatMap(kind =>
      ((query[kind] ?? []) as readonly string[]).map(name => shownMeasure(toMeasure(kind, name, place), place)),
    ),
  ]
  if (group.length + measures.length === 0) throw new Error(`name at least one of ${computed.join(', ')}`)
  const order = [sort].flat().map(key => toSort(key, [...measures, ...group], place))
  const aggregation: Aggregation = {
    filter: toCondition(place.resource, where, place.visibility),
    ...{ group, measures, timeZone },
    having: having ? toGroupCondition(having, place) : null,
    sort: endingWith(group, order),
    window: { offset, limit },
    total: false,
    smallestGroup: 1,
  }
  return { aggregation, columns: [...group.map(keyColumn), ...measures.map(measureColumn)] }
}

/** Groups as rows, with values in stored form. */
export const toGroupRows = ({ columns, aggregation }: GroupQuery, { rows, hasMore }: FoundGroups) => {
  // Who gives a limit knows that there may be more.
  if (hasMore && aggregation.window.limit === maxGroups) throw tooManyGroups()
  return rows.map(row => membersOf(columns, row))
}

const mustKnow = (known: readonly string[], names: readonly string[], what: string): void => {
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`unknown ${what} '${unknown}' of an aggregate${didYouMean(known, unknown)}`)
}

const toKey = (name: string, { resource, visibility }: Place): GroupKey => {
  const [path = '', unit] = name.split(':')
  const bucket = bucketUnits.find(one => one === unit) ?? null
  if (unit !== undefined && bucket === null)
    throw new Error(`${resource.name}: there is no period '${unit}'${didYouMean(bucketUnits, unit)}`)
  const key: GroupKey = { name, path: pathOf(resource, path, visibility), bucket }
  const reason = whyNoKey(key)
  if (reason) throw new Error(`${resource.name} cannot be grouped by ${name}: ${reason}`)
  return key
}

const toMeasure = (kind: AggregateFunction, name: string, { resource, visibility }: Place): Measure => {
  const path = pathOf(resource, name, visibility)
  const reason = whyNot(kind, path)
  if (reason) throw new Error(`${resource.name}: ${kind} cannot be computed of ${name}: ${reason}`)
  // Code has amounts in stored form, and so their averages.
  return { kind, name, path, unit: 1 }
}

const shownMeasure = (measure: Measure, { isShown = false }: Place): Measure =>
  isShown && measure.kind !== 'count' && isComputed(measure.kind)
    ? { ...measure, unit: amountOf(measure.path.field)?.unit ?? 1 }
    : measure

const toSort = (key: string, columns: readonly (GroupKey | Measure)[], place: Place): GroupSort => {
  const descending = key.startsWith('-')
  const name = descending ? key.slice(1) : key
  const known = columns.find(one => (isMeasure(one) ? measureName(one) : one.name) === name)
  return { by: known ?? measureNamed(name, place), descending }
}

const measureNamed = (name: string, place: Place): Measure => {
  if (name === 'count') return { kind: 'count' }
  const kind = aggregateFunctions.find(one => name.startsWith(`${one}.`))
  if (!kind) throw new Error(`${place.resource.name}: '${name}' is neither a group of the query nor a number of groups`)
  return toMeasure(kind, name.slice(kind.length + 1), place)
}

const toGroupCondition = (having: PlainWhere, place: Place): GroupCondition => {
  mustKnow(['count', ...aggregateFunctions, 'or', 'and', 'not'], Object.keys(having), 'condition')
  const parts = Object.entries(having).flatMap(([name, condition]): GroupCondition[] => {
    if (condition === undefined) throw new Error(`${place.resource.name}: the condition on '${name}' is undefined`)
    if (name === 'or' || name === 'and')
      return [{ op: name, parts: (condition as readonly PlainWhere[]).map(one => toGroupCondition(one, place)) }]
    if (name === 'not') return [{ op: 'not', part: toGroupCondition(condition as PlainWhere, place) }]
    if (name === 'count') return compared({ kind: 'count' }, condition)
    return Object.entries(condition as PlainWhere).flatMap(([path, one]) =>
      compared(toMeasure(name as AggregateFunction, path, place), one),
    )
  })
  return { op: 'and', parts }
}

type Value = string | number

const operators = ['ne', 'gt', 'ge', 'lt', 'le', 'in', 'notIn', 'between', 'isNull'] as const

const compared = (measure: Measure, condition: unknown): GroupCondition[] => {
  if (condition === null) return [{ op: 'null', measure, isNull: true }]
  if (typeof condition !== 'object') return [{ op: 'eq', measure, value: condition as Value }]
  const comparisons = condition as PlainWhere
  mustKnow(operators, Object.keys(comparisons), 'comparison')
  return operators.flatMap((operator): GroupCondition[] => {
    const value = comparisons[operator]
    return value === undefined ? [] : [comparison(measure, operator, value)]
  })
}

const comparison = (measure: Measure, operator: (typeof operators)[number], value: unknown): GroupCondition => {
  const anyOf = (): GroupCondition => ({
    op: 'or',
    parts: (value as readonly Value[]).map(one => ({ op: 'eq', measure, value: one })),
  })
  switch (operator) {
    case 'in':
      return anyOf()
    case 'notIn':
      return { op: 'not', part: anyOf() }
    case 'isNull':
      return { op: 'null', measure, isNull: value === true }
    case 'between': {
      const [lowest, highest] = value as readonly [Value, Value]
      const parts: GroupCondition[] = [
        { op: 'ge', measure, value: lowest },
        { op: 'le', measure, value: highest },
      ]
      return { op: 'and', parts }
    }
    default:
      return { op: operator, measure, value: value as Value }
  }
}
