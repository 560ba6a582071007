// What a query can be asked for: conditions, order and options, typed by the schema of the service.

import type { IsUntyped, RelationName, ServiceSchema, TargetOf, ToOneName, ValuesOf } from './schema.ts'

type Scalar = string | number | boolean

/** The type that a condition compares with: the entries of a list of texts, and nothing for other structures. */
type Compared<T> =
  NonNullable<T> extends Scalar
    ? NonNullable<T>
    : NonNullable<T> extends readonly (infer Item)[]
      ? Item extends Exclude<Scalar, number>
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
  /** The first and the last value of a range, both included. */
  readonly between?: readonly [T, T]
  /** A text with `*` for anything; a backslash before it makes it literal. */
  readonly like?: T extends string ? string : never
  /** The pattern of `like`, compared without regard to case. */
  readonly ilike?: T extends string ? string : never
  readonly isNull?: boolean
}

type ComparableName<S extends ServiceSchema, R> = {
  [K in keyof ValuesOf<S, R>]-?: [Compared<ValuesOf<S, R>[K]>] extends [never] ? never : K
}[keyof ValuesOf<S, R>]

/** Conditions on a related record. `object`: of a record without relations, they would fit numbers too. */
type RelatedCondition<S extends ServiceSchema, R> = object & RecordCondition<S, R>

/** A value must be equal, null: absent. Relations take a pk, or conditions on the related record. All conditions must hold. */
export type RecordCondition<S extends ServiceSchema, R> = {
  readonly [K in ComparableName<S, R>]?:
    | Compared<ValuesOf<S, R>[K]>
    | null
    | FieldComparison<Compared<ValuesOf<S, R>[K]>>
} & {
  readonly [K in RelationName<S, R>]?: string | null | FieldComparison<string> | RelatedCondition<S, TargetOf<S, R, K>>
} & {
  /** Conditions of which at least one must hold. */
  readonly or?: readonly RecordCondition<S, R>[]
  /** All of these. */
  readonly and?: readonly RecordCondition<S, R>[]
  /** A condition that must not hold. */
  readonly not?: RecordCondition<S, R>
}

type SortPath<S extends ServiceSchema, R, Depth extends 0[]> =
  | (ComparableName<S, R> & string)
  | ToOneName<S, R>
  | (Depth extends [0, ...infer Rest extends 0[]]
      ? { [K in ToOneName<S, R>]: `${K}.${SortPath<S, TargetOf<S, R, K>, Rest>}` }[ToOneName<S, R>]
      : never)

/** The vectors of one field that records are to be near to. */
export type NearCondition<S extends ServiceSchema, R> = {
  readonly [K in keyof ValuesOf<S, R> as NonNullable<ValuesOf<S, R>[K]> extends readonly number[]
    ? K
    : never]?: readonly number[]
}

/** A field, or one of a record that relations to one lead to; with a minus for descending order. */
export type SortField<S extends ServiceSchema, R> = IsUntyped<S, R> extends true ? string : TypedSortField<S, R>

type TypedSortField<S extends ServiceSchema, R> = `${'' | '-'}${SortPath<S, R, [0, 0]>}`

export interface CallOptions {
  readonly signal?: AbortSignal
}

/** What a read of one record shows. */
export interface ViewOptions<F, I> extends CallOptions {
  /** The fields that are read, beside the pk. */
  readonly fields?: readonly F[]
  /** Relations whose records come along in full. */
  readonly include?: readonly I[]
}

export interface FindOptions<S extends ServiceSchema, R, F, I> extends ViewOptions<F, I> {
  readonly where?: RecordCondition<S, R>
  /** An RSQL text, which must hold beside `where`. */
  readonly filter?: string
  /** Words that the records have, the best matches first unless sorted; for resources that declare `search`. */
  readonly search?: string
  /** The pk of a record: those that have some of its most telling words, the most similar first; for resources that declare `search`. */
  readonly similar?: string
  /** The vector that the records are to be near to, by its field: `{ embedding: […] }`. The nearest come first; with `search`, both rankings are joined. */
  readonly near?: NearCondition<S, R>
  /** Says of each record of a page how well it matches the words, and where. */
  readonly matches?: boolean
  readonly sort?: SortField<S, R> | readonly SortField<S, R>[]
  /** Records per page. */
  readonly limit?: number
  /** Leaves out so many at the beginning. */
  readonly offset?: number
  /** The page number, starting at 0. */
  readonly page?: number
  /** The cursor of another page: the page that follows it. */
  readonly after?: string | null
  /** The page that precedes a cursor. */
  readonly before?: string | null
  /** How to count all matches: `none` is the fastest. */
  readonly total?: 'exact' | 'estimated' | 'none'
  /** Finds the deleted records instead, of resources with a trash. */
  readonly trash?: 'only'
}
