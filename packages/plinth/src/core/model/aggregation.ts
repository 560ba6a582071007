// An aggregation as data: groups of records, and what is computed of each group. Made by `query/` and `records/`, understood by the store.

import type { Requester } from './caller.ts'
import type { Filter, Path } from './query.ts'
import type { ResourceField } from './resource.ts'
import type { BucketUnit } from './time-buckets.ts'
import { sumType } from './total-fields.ts'
import type { ValueType } from './value-field.ts'

/** The most groups of a file, and of what code asks for at once. */
export const maxGroups = 10_000

/** What records are grouped by: the value at the end of a path, or the period that it falls into. */
export interface GroupKey {
  /** The name by which the caller asked for it, such as `createdDate:month`. */
  readonly name: string
  readonly path: Path
  readonly bucket: BucketUnit | null
}

/** The functions over the values of a field, by the names of their parameters. */
export const aggregateFunctions = ['sum', 'avg', 'min', 'max', 'distinct', 'median', 'p90', 'p95', 'p99'] as const
export type AggregateFunction = (typeof aggregateFunctions)[number]

/** The share of the values that are not larger than a percentile. Between two values it is interpolated. */
export const percentiles = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const

const isPercentile = (kind: AggregateFunction): kind is keyof typeof percentiles => kind in percentiles

/** Is it a number that need not be a value of the field, with more digits than its values? */
export const isComputed = (kind: AggregateFunction): boolean => kind === 'avg' || isPercentile(kind)

/** What is computed of each group. */
export type Measure =
  | { readonly kind: 'count' }
  | {
      readonly kind: AggregateFunction
      /** The name of the field, as the caller wrote it. */
      readonly name: string
      readonly path: Path
      /** An average or a percentile is divided by this: how many stored units make one. */
      readonly unit: number
    }

/** A condition on groups. A comparison with an absent value does not hold. */
export type GroupCondition =
  | { readonly op: 'and' | 'or'; readonly parts: readonly GroupCondition[] }
  | { readonly op: 'not'; readonly part: GroupCondition }
  | {
      readonly op: 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'
      readonly measure: Measure
      readonly value: string | number
    }
  | { readonly op: 'null'; readonly measure: Measure; readonly isNull: boolean }

/** The order of groups by one value; absent values count as smaller than every other. */
export interface GroupSort {
  readonly by: GroupKey | Measure
  readonly descending: boolean
}

export interface Aggregation {
  /** The records that are grouped. */
  readonly filter: Filter | null
  /** Without any, all records are one group. */
  readonly group: readonly GroupKey[]
  readonly measures: readonly Measure[]
  readonly having: GroupCondition | null
  /** The order. Its last keys are those of `group`, which make it total. */
  readonly sort: readonly GroupSort[]
  readonly window: { readonly offset: number; readonly limit: number }
  /** Are the groups counted? */
  readonly total: boolean
  /** Groups of fewer records are left out. */
  readonly smallestGroup: number
  /** The time zone of periods. */
  readonly timeZone: string
  /** The user on whose behalf records are read; absent for reads that the service makes for itself. */
  readonly requester?: Requester | undefined
}

export interface FoundGroups {
  /** The values of the group and then its measures, in stored form and in the order of the aggregation. */
  readonly rows: readonly (readonly unknown[])[]
  /** Is null when the aggregation did not ask for it, or nothing was found behind its offset. */
  readonly total: number | null
  readonly hasMore: boolean
}

export const isMeasure = (by: GroupKey | Measure): by is Measure => 'kind' in by

/** How the values of a field are added up; null where they are no amounts. */
export const amountOf = (field: ResourceField): Pick<ValueType, 'unit'> | null => {
  const { definition } = field
  if (definition.role === 'count') return sumType(field) ?? {}
  return definition.role === 'value' && definition.type.column === 'integer' ? definition.type : null
}
