// The TypeScript types of queries in code, derived from the definition of the records. `@plinth/client` takes the same queries.

import type { ResourceModel } from './definition.ts'
import type { Row } from './row.ts'
import type { RowColumns, ToOne, UnknownDefinition } from './row-columns.ts'
import type { Where } from './row-where.ts'
import type { ValueField } from './value-field.ts'
import type { Vector } from './vectors.ts'

export type SignedPath<Path extends string> = Path | `-${Path}`

export type SortPath<D, Depth extends 0[]> = D extends UnknownDefinition
  ? string
  :
      | ((keyof RowColumns<D> | keyof ToOne<D>) & string)
      | (Depth extends [0, ...infer Rest extends 0[]]
          ? { [K in keyof ToOne<D> & string]: `${K}.${SortPath<ToOne<D>[K], Rest>}` }[keyof ToOne<D> & string]
          : never)

/** A field, or one of a record that relations to one lead to, with a minus in front for descending order. */
export type SortBy<D> = SignedPath<SortPath<D, [0, 0]>>

/** What rows hold. */
export interface RowView<F, I> {
  /** The fields that are read, beside the pk. */
  readonly fields?: readonly F[]
  /** Relations whose records come along, such as `book.author`. One that may not be read stays in short. */
  readonly include?: readonly I[]
}

/** The rows that are counted. */
export interface CountQuery<D> {
  readonly where?: Where<D>
  /** Words that the rows have, as in `?search=`; for resources that declare `search`. */
  readonly search?: string
}

/** The rows that are changed: `{ where: {} }` for all of them. */
export interface UpdateQuery<D> {
  readonly where: Where<D>
}

/** The rows that are deleted: `{ where: {} }` for all of them. */
export interface RemoveQuery<D> extends UpdateQuery<D> {
  /** The most rows that are deleted. */
  readonly limit?: number
}

/** The vectors of one field that the rows are to be near to. */
export type Near<D> =
  D extends ResourceModel<infer Fields>
    ? { readonly [K in keyof Fields as Fields[K] extends ValueField<infer T> ? IsVector<T, K> : never]?: Vector }
    : Readonly<Record<string, Vector>>

type IsVector<T, K> = NonNullable<T> extends Vector ? K : never

/** The rows to choose the first of, and their order. */
export interface FirstQuery<D, F = never, I = never> extends CountQuery<D>, RowView<F, I> {
  /**
   * The vector that the rows are to be near to, by its field: `{ embedding: […] }`. The nearest come first. With `search`, the ranking by words
   * and that by distance are joined.
   */
  readonly near?: Near<D>
  /** The pk of a row: those that have some of its most telling words, the most similar first; for resources that declare `search`. */
  readonly similar?: string
  /** The order, by default that of the pk, or of a search by words the best matches first; equal rows are always in the order of their pks. */
  readonly sort?: SortBy<D> | readonly SortBy<D>[]
}

/** The rows that are read, and their order. */
export interface RowQuery<D, F = never, I = never> extends FirstQuery<D, F, I> {
  /** The most rows that are read; by default all matching ones. */
  readonly limit?: number
  /** Leaves out so many at the beginning. */
  readonly offset?: number
  /** The row after which reading begins, in the order of `sort`. */
  readonly after?: Row<D>
}

/** Rows that are read in batches. */
export interface StreamQuery<D, F = never, I = never> extends Omit<FirstQuery<D, F, I>, 'near'> {
  /** How many rows a batch has: 500 unless given. */
  readonly batchSize?: number
  /** The row after which reading begins, in the order of `sort`. */
  readonly after?: Row<D>
}
