// What the values of groups are called, and of which types they are.

import { type GroupKey, isComputed, type Measure } from '../model/aggregation.ts'
import { date, integer, timestamp } from '../model/fields.ts'
import type { Json, JsonMembers } from '../model/json.ts'
import { type ValueType, valueToJson } from '../model/value-field.ts'
import { typeOf } from './query-value.ts'

/** A value of each group in an answer. */
export interface GroupColumn {
  /** `state`, `createdDate:month`, `count` or `sum.total`: as filters on groups, sorts and headers of tables name it. */
  readonly name: string
  /** The members that lead to it in JSON: `['group', 'state']`, `['count']` or `['sum', 'total']`. */
  readonly place: readonly [string] | readonly [string, string]
  /** The type of its values; null for numbers of any kind. */
  readonly type: ValueType | null
}

const wholeNumber = integer({}).type
const day = date({}).type
const moment = timestamp({}).type

export const keyColumn = ({ name, path, bucket }: GroupKey): GroupColumn => ({
  name,
  place: ['group', name],
  type: bucket ? (bucket === 'hour' ? moment : day) : typeOf(path.field),
})

export const measureName = (measure: Measure): string =>
  measure.kind === 'count' ? 'count' : `${measure.kind}.${measure.name}`

export const measureColumn = (measure: Measure): GroupColumn => {
  const name = measureName(measure)
  const place = measure.kind === 'count' ? (['count'] as const) : ([measure.kind, measure.name] as const)
  return { name, place, type: measureType(measure) }
}

/** Averages and percentiles of durations are durations, to the millisecond; all others are numbers. */
export const measureType = (measure: Measure): ValueType | null => {
  if (measure.kind === 'count' || measure.kind === 'distinct') return wholeNumber
  const type = typeOf(measure.path.field)
  if (!isComputed(measure.kind)) return type
  return isDuration(type) ? { ...type, show: value => valueToJson(type, Math.round(Number(value))) } : null
}

/** Callers see a text for it. */
export const isDuration = ({ schema }: ValueType): boolean => schema.type === 'string'

/** The values of a group as callers see them, in the order of the columns. */
export const shownValues = (columns: readonly GroupColumn[], row: readonly unknown[]): readonly Json[] =>
  columns.map(({ type }, at) => (type ? valueToJson(type, row[at]) : ((row[at] ?? null) as Json)))

/** The same as members. */
export const toMembers = (columns: readonly GroupColumn[], values: readonly Json[]): JsonMembers =>
  membersOf(columns, values) as JsonMembers

type Members = Readonly<Record<string, unknown>>

/** Values by the members that lead to them. */
export const membersOf = (columns: readonly GroupColumn[], values: readonly unknown[]): Members => {
  const members: Record<string, unknown> = {}
  const parts = new Map<string, Record<string, unknown>>()
  for (const [at, { place }] of columns.entries()) {
    const [first, second] = place
    const value = values[at] ?? null
    if (second === undefined) members[first] = value
    else {
      const part = parts.get(first) ?? {}
      part[second] = value
      parts.set(first, part)
      members[first] = part
    }
  }
  return members
}
