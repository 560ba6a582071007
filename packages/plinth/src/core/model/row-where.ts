// Conditions of queries in code, typed by the definition of the records.

import type { RowColumns, ToMany, ToOne, UnknownDefinition } from './row-columns.ts'

/** A value must be equal, null: absent. Otherwise every comparison must hold. */
type FieldCondition<T> = T | null | Comparisons<NonNullable<T>>

interface Comparisons<T> {
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

/**
 * The pk of a related record, null for none, or conditions on the related record. `object`: of a record without relations, they would fit
 * numbers too.
 */
type RelationCondition<D> =
  | string
  | null
  | Comparisons<string>
  | (D extends UnknownDefinition ? { readonly [field: string]: unknown } : object & Where<D>)

/**
 * All conditions must hold. A condition on a field of the record, or on records that a relation leads to: of a relation to many, one of
 * them must fulfil it.
 */
export type Where<D> = { readonly [K in keyof RowColumns<D>]?: FieldCondition<RowColumns<D>[K]> } & {
  readonly [K in keyof ToOne<D>]?: RelationCondition<ToOne<D>[K]>
} & { readonly [K in keyof ToMany<D>]?: RelationCondition<ToMany<D>[K]> } & {
  /** Conditions of which at least one must hold. */
  readonly or?: readonly Where<D>[]
  /** All of these must hold. */
  readonly and?: readonly Where<D>[]
  /** A condition that must not hold. */
  readonly not?: Where<D>
}
