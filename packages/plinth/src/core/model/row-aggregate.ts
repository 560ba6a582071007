// The TypeScript types of aggregates in code: what groups are made by, and what the groups hold.

import type { AggregateFunction } from './aggregation.ts'
import type { RowColumns, ToOne, UnknownDefinition } from './row-columns.ts'
import type { SignedPath, SortPath } from './row-query.ts'
import type { Where } from './row-where.ts'
import type { BucketUnit } from './time-buckets.ts'

/** A field, or one of a record that relations to one lead to. */
type AggregatedPath<D> = SortPath<D, [0]>

/** The value at the end of a path; what is behind a relation may be absent. */
type ValueAt<D, Path> = D extends UnknownDefinition
  ? unknown
  : Path extends keyof RowColumns<D>
    ? RowColumns<D>[Path]
    : Path extends keyof ToOne<D>
      ? string | null
      : Path extends `${infer Relation}.${infer Rest}`
        ? Relation extends keyof ToOne<D>
          ? ValueAt<ToOne<D>[Relation], Rest> | null
          : never
        : never

/** The paths whose values are numbers. */
type NumberPath<D> = {
  [Path in AggregatedPath<D>]: unknown extends ValueAt<D, Path>
    ? Path
    : NonNullable<ValueAt<D, Path>> extends number
      ? Path
      : never
}[AggregatedPath<D>]

/** What records are grouped by: a field, or the period of a time, such as `createdDate:month`. */
export type GroupBy<D> = AggregatedPath<D> | `${keyof RowColumns<D> & string}:${BucketUnit}`

interface MeasureComparisons<T> {
  readonly ne?: T
  readonly gt?: T
  readonly ge?: T
  readonly lt?: T
  readonly le?: T
  readonly in?: readonly T[]
  readonly notIn?: readonly T[]
  readonly between?: readonly [T, T]
  readonly isNull?: boolean
}

type MeasureCondition<T> = T | null | MeasureComparisons<T>

type FieldConditions<D, Paths extends string> = {
  readonly [Path in Paths]?: MeasureCondition<NonNullable<ValueAt<D, Path>>>
}

type CountConditions<D> = { readonly [Path in AggregatedPath<D>]?: MeasureCondition<number> }

/** Conditions on groups, all of which must hold. */
export interface Having<D> {
  readonly count?: MeasureCondition<number>
  readonly sum?: FieldConditions<D, NumberPath<D>>
  readonly avg?: FieldConditions<D, NumberPath<D>>
  readonly min?: FieldConditions<D, AggregatedPath<D>>
  readonly max?: FieldConditions<D, AggregatedPath<D>>
  readonly distinct?: CountConditions<D>
  readonly median?: FieldConditions<D, NumberPath<D>>
  readonly p90?: FieldConditions<D, NumberPath<D>>
  readonly p95?: FieldConditions<D, NumberPath<D>>
  readonly p99?: FieldConditions<D, NumberPath<D>>
  readonly or?: readonly Having<D>[]
  readonly and?: readonly Having<D>[]
  readonly not?: Having<D>
}

type GroupOrder<D> = SignedPath<GroupBy<D> | 'count' | `${AggregateFunction}.${AggregatedPath<D>}`>

/** Groups of records, and what is computed of each. */
export interface AggregateQuery<D> {
  /** Without any, all records are one group. */
  readonly group?: readonly GroupBy<D>[]
  /** Counts the records of each group. */
  readonly count?: boolean
  readonly sum?: readonly NumberPath<D>[]
  readonly avg?: readonly NumberPath<D>[]
  readonly min?: readonly AggregatedPath<D>[]
  readonly max?: readonly AggregatedPath<D>[]
  /** Counts different values. */
  readonly distinct?: readonly AggregatedPath<D>[]
  /** Interpolated between the two values in the middle. */
  readonly median?: readonly NumberPath<D>[]
  /** The value that 90 % of the values do not exceed; likewise the others. */
  readonly p90?: readonly NumberPath<D>[]
  readonly p95?: readonly NumberPath<D>[]
  readonly p99?: readonly NumberPath<D>[]
  /** The records that are grouped. */
  readonly where?: Where<D>
  /** The groups that are read. */
  readonly having?: Having<D>
  /** The order; groups that are equal follow in the order of `group`. */
  readonly sort?: GroupOrder<D> | readonly GroupOrder<D>[]
  /** The time zone of periods, such as `Europe/Berlin`: UTC unless given. */
  readonly timeZone?: string
  /** The most groups that are read; without it, there may be 10,000. */
  readonly limit?: number
  readonly offset?: number
}

type GroupValue<D, Key> = Key extends `${string}:${BucketUnit}` ? string | null : ValueAt<D, Key>

type Named<Q, Key extends string> = Q extends { readonly [K in Key]: readonly (infer Name extends string)[] }
  ? Name
  : never

type Part<Q, Key extends string, Values> = [Named<Q, Key>] extends [never] ? unknown : { readonly [K in Key]: Values }

/** A group as a query gives it: it has what was asked for, and nothing else. */
export type GroupRow<D, Q> = Part<Q, 'group', { readonly [K in Named<Q, 'group'>]: GroupValue<D, K> }> &
  (Q extends { readonly count: true } ? { readonly count: number } : unknown) &
  Part<Q, 'sum', { readonly [K in Named<Q, 'sum'>]: number | null }> &
  Part<Q, 'avg', { readonly [K in Named<Q, 'avg'>]: number | null }> &
  Part<Q, 'min', { readonly [K in Named<Q, 'min'>]: ValueAt<D, K> | null }> &
  Part<Q, 'max', { readonly [K in Named<Q, 'max'>]: ValueAt<D, K> | null }> &
  Part<Q, 'distinct', { readonly [K in Named<Q, 'distinct'>]: number }> &
  Part<Q, 'median', { readonly [K in Named<Q, 'median'>]: number | null }> &
  Part<Q, 'p90', { readonly [K in Named<Q, 'p90'>]: number | null }> &
  Part<Q, 'p95', { readonly [K in Named<Q, 'p95'>]: number | null }> &
  Part<Q, 'p99', { readonly [K in Named<Q, 'p99'>]: number | null }>
