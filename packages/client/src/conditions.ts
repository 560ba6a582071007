// What a query can be asked for: conditions, order and options, typed by the schema of the service.

import type { IsUntyped, RelationName, ServiceSchema, TargetOf, ToOneName, ValuesOf } from './schema.ts'

type Scalar = string | number | boolean

/** The type that a condition compares with: the entries of a list of texts, and nothing for other structures. */
type Compared<T> =
  NonNullable<T> extends Scalar
    ? NonNullable<T>
    : NonNullable<T> extends readonly (infer Item)[]
      ? Item extends Scalar
        ? Item
        : never
      : never

export interface FieldComparison<T> {
  readonly ne?: T | null
  readonly gt?: T
  readonly ge?: T
  readonly lt?: T
  readonly le?: T
  readonly in?: readonly T[]
  readonly notIn?: readonly T[]
  readonly between?: readonly [T, T]
  /** A text with `*` for anything. */
  readonly like?: T extends string ? string : never
  /** As `like`, ignoring case. */
  readonly ilike?: T extends string ? string : never
}

type ComparableName<S extends ServiceSchema, R> = {
  [K in keyof ValuesOf<S, R>]-?: [Compared<ValuesOf<S, R>[K]>] extends [never] ? never : K
}[keyof ValuesOf<S, R>]

/** A value must be equal, null: absent. Relations take a pk, or conditions on the related record. All conditions must hold. */
export type RecordCondition<S extends ServiceSchema, R> = {
  readonly [K in ComparableName<S, R>]?:
    | Compared<ValuesOf<S, R>[K]>
    | null
    | FieldComparison<Compared<ValuesOf<S, R>[K]>>
} & {
  readonly [K in RelationName<S, R>]?: string | null | RecordCondition<S, TargetOf<S, R, K>>
} & {
  /** At least one of these. */
  readonly or?: readonly RecordCondition<S, R>[]
  /** All of these. */
  readonly and?: readonly RecordCondition<S, R>[]
}

type SortName<S extends ServiceSchema, R> = (ComparableName<S, R> & string) | ToOneName<S, R>

/** A field, or one of a record that a relation to one leads to; with a minus for descending order. */
export type SortField<S extends ServiceSchema, R> = IsUntyped<S, R> extends true ? string : TypedSortField<S, R>

type TypedSortField<S extends ServiceSchema, R> = `${'' | '-'}${
  | SortName<S, R>
  | { [K in ToOneName<S, R>]: `${K}.${ComparableName<S, TargetOf<S, R, K>> & string}` }[ToOneName<S, R>]}`

export interface CallOptions {
  readonly signal?: AbortSignal
}

/** What a read of one record shows. */
export interface ViewOptions<F, I> extends CallOptions {
  /** Only these fields, and the pk. */
  readonly fields?: readonly F[]
  /** Relations whose records come along in full. */
  readonly include?: readonly I[]
}

export interface FindOptions<S extends ServiceSchema, R, F, I> extends ViewOptions<F, I> {
  readonly where?: RecordCondition<S, R>
  /** An RSQL text, which must hold beside `where`. */
  readonly filter?: string
  readonly sort?: SortField<S, R> | readonly SortField<S, R>[]
  /** The page number, starting at 0. */
  readonly page?: number
  /** Records per page. */
  readonly size?: number
  /** The cursor of another page: the page that follows it. */
  readonly after?: string | null
  /** The page that precedes a cursor. */
  readonly before?: string | null
  /** How to count all matches: `none` is the fastest. */
  readonly total?: 'exact' | 'estimated' | 'none'
}
