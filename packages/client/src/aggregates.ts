// Aggregates: groups of records, and what is computed of each; typed by the schema of the service.

import type { CallOptions, FieldComparison, RecordCondition } from './conditions.ts'
import { toFilter, toParameters } from './query.ts'
import type { QueryParameters } from './request.ts'
import type { IsUntyped, ServiceSchema, TargetOf, ToOneName, ValuesOf } from './schema.ts'

/** The functions over the values of a field. */
const aggregateFunctions = ['sum', 'avg', 'min', 'max', 'distinct', 'median', 'p90', 'p95', 'p99'] as const
type AggregateFunction = (typeof aggregateFunctions)[number]

type Scalar = string | number | boolean

type OwnName<S extends ServiceSchema, R> = {
  [K in keyof ValuesOf<S, R>]-?: [Extract<ValuesOf<S, R>[K], Scalar>] extends [never] ? never : K
}[keyof ValuesOf<S, R>] &
  string

/** A field, or one of a record that a relation to one leads to. */
type AggregatedPath<S extends ServiceSchema, R> =
  IsUntyped<S, R> extends true
    ? string
    :
        | OwnName<S, R>
        | ToOneName<S, R>
        | { [K in ToOneName<S, R>]: `${K}.${OwnName<S, TargetOf<S, R, K>>}` }[ToOneName<S, R>]

type ValueAt<S extends ServiceSchema, R, Path> = IsUntyped<S, R> extends true ? unknown : TypedValueAt<S, R, Path>

type TypedValueAt<S extends ServiceSchema, R, Path> = Path extends keyof ValuesOf<S, R>
  ? Extract<ValuesOf<S, R>[Path], Scalar | null>
  : Path extends ToOneName<S, R>
    ? string | null
    : Path extends `${infer Relation}.${infer Name}`
      ? Name extends keyof ValuesOf<S, TargetOf<S, R, Relation>>
        ? Extract<ValuesOf<S, TargetOf<S, R, Relation>>[Name], Scalar> | null
        : unknown
      : unknown

type NumberPath<S extends ServiceSchema, R> = {
  [Path in AggregatedPath<S, R>]: unknown extends ValueAt<S, R, Path>
    ? Path
    : NonNullable<ValueAt<S, R, Path>> extends number
      ? Path
      : never
}[AggregatedPath<S, R>]

type Period = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

/** What records are grouped by: a field, or the period of a time, such as `createdDate:month`. */
export type GroupName<S extends ServiceSchema, R> = AggregatedPath<S, R> | `${OwnName<S, R>}:${Period}`

type Measured<Paths extends string> = {
  readonly [Path in Paths]?: number | string | null | FieldComparison<number | string>
}

/** Conditions on groups, all of which must hold. */
export interface GroupHaving<S extends ServiceSchema, R> {
  readonly count?: number | FieldComparison<number>
  readonly sum?: Measured<NumberPath<S, R>>
  readonly avg?: Measured<NumberPath<S, R>>
  readonly min?: Measured<AggregatedPath<S, R>>
  readonly max?: Measured<AggregatedPath<S, R>>
  readonly distinct?: Measured<AggregatedPath<S, R>>
  readonly median?: Measured<NumberPath<S, R>>
  readonly p90?: Measured<NumberPath<S, R>>
  readonly p95?: Measured<NumberPath<S, R>>
  readonly p99?: Measured<NumberPath<S, R>>
}

type GroupOrder<
  S extends ServiceSchema,
  R,
> = `${'' | '-'}${GroupName<S, R> | 'count' | `${AggregateFunction}.${AggregatedPath<S, R>}`}`

export interface AggregateOptions<S extends ServiceSchema, R> extends CallOptions {
  /** Without any, all records are one group. */
  readonly group?: readonly GroupName<S, R>[]
  /** Counts the records of each group. */
  readonly count?: boolean
  readonly sum?: readonly NumberPath<S, R>[]
  readonly avg?: readonly NumberPath<S, R>[]
  readonly min?: readonly AggregatedPath<S, R>[]
  readonly max?: readonly AggregatedPath<S, R>[]
  /** Counts different values. */
  readonly distinct?: readonly AggregatedPath<S, R>[]
  /** Interpolated between the two values in the middle. */
  readonly median?: readonly NumberPath<S, R>[]
  /** The value that 90 % of the values do not exceed; likewise the others. */
  readonly p90?: readonly NumberPath<S, R>[]
  readonly p95?: readonly NumberPath<S, R>[]
  readonly p99?: readonly NumberPath<S, R>[]
  /** The records that are grouped. */
  readonly where?: RecordCondition<S, R>
  /** An RSQL text, which must hold beside `where`. */
  readonly filter?: string
  /** The groups that are read. */
  readonly having?: GroupHaving<S, R>
  readonly sort?: GroupOrder<S, R> | readonly GroupOrder<S, R>[]
  /** The time zone of periods, such as `Europe/Berlin`: UTC unless given. */
  readonly timeZone?: string
  /** The most groups that are read: all of them unless given. */
  readonly limit?: number
}

type GroupValue<S extends ServiceSchema, R, Key> = Key extends `${string}:${Period}`
  ? string | null
  : ValueAt<S, R, Key>

type Named<Q, Key extends string> = Q extends { readonly [K in Key]: readonly (infer Name extends string)[] }
  ? Name
  : never

type Part<Q, Key extends string, Values> = [Named<Q, Key>] extends [never] ? unknown : { readonly [K in Key]: Values }

/** A group as it was asked for. */
export type GroupOf<S extends ServiceSchema, R, Q> = Part<
  Q,
  'group',
  { readonly [K in Named<Q, 'group'>]: GroupValue<S, R, K> }
> &
  (Q extends { readonly count: true } ? { readonly count: number } : unknown) &
  Part<Q, 'sum', { readonly [K in Named<Q, 'sum'>]: number | null }> &
  Part<Q, 'avg', { readonly [K in Named<Q, 'avg'>]: number | null }> &
  Part<Q, 'min', { readonly [K in Named<Q, 'min'>]: ValueAt<S, R, K> | null }> &
  Part<Q, 'max', { readonly [K in Named<Q, 'max'>]: ValueAt<S, R, K> | null }> &
  Part<Q, 'distinct', { readonly [K in Named<Q, 'distinct'>]: number }> &
  Part<Q, 'median', { readonly [K in Named<Q, 'median'>]: number | null }> &
  Part<Q, 'p90', { readonly [K in Named<Q, 'p90'>]: number | null }> &
  Part<Q, 'p95', { readonly [K in Named<Q, 'p95'>]: number | null }> &
  Part<Q, 'p99', { readonly [K in Named<Q, 'p99'>]: number | null }>

/** The options, once their types have done their work. */
export interface AggregateParameters
  extends CallOptions,
    Readonly<Partial<Record<'group' | AggregateFunction, readonly string[]>>> {
  readonly count?: boolean
  readonly where?: object
  readonly filter?: string
  readonly having?: object
  readonly sort?: string | readonly string[]
  readonly timeZone?: string
  readonly limit?: number
}

export const toAggregateParameters = (options: AggregateParameters): QueryParameters => {
  const { where, filter, sort, having, timeZone, count } = options
  const listed = (['group', ...aggregateFunctions] as const).map(name => [name, options[name]?.join(',')] as const)
  const find = { ...(where && { where }), ...(filter !== undefined && { filter }), ...(sort !== undefined && { sort }) }
  return {
    ...toParameters(find),
    ...Object.fromEntries(listed),
    count: count ? 'true' : undefined,
    having: toFilter(having),
    timezone: timeZone,
  }
}
