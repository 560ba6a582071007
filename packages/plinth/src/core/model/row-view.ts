// What rows of a query hold: the chosen fields, and the rows of included relations.

import type { Row } from './row.ts'
import type { ToMany, ToOne, UnknownDefinition } from './row-columns.ts'

type RelationTo<D> = ToOne<D> & ToMany<D>

/** A relation, or relations one behind the other, at most three: their records come along. */
export type RowPath<D, Depth extends 0[] = [0, 0]> = D extends UnknownDefinition
  ? string
  :
      | (keyof RelationTo<D> & string)
      | (Depth extends [0, ...infer Rest extends 0[]]
          ? { [K in keyof RelationTo<D> & string]: `${K}.${RowPath<RelationTo<D>[K], Rest>}` }[keyof RelationTo<D> &
              string]
          : never)

/** A field that rows can be narrowed to. */
export type RowField<D> = ((keyof Row<D> | keyof ToMany<D>) & string) | never

type Head<Path> = Path extends `${infer First}.${string}` ? First : Path
type Tail<Path, First> = Path extends `${First & string}.${infer Rest}` ? Rest : never

/** A row of a definition that is known by its name alone. */
interface UnknownRow {
  readonly pk: string
  readonly version: number
  readonly [field: string]: unknown
}

type RelatedRow<D, I> = D extends UnknownDefinition ? UnknownRow : IncludingRow<D, I>

/** A row with related rows in place of their short form. */
type IncludingRow<D, I> = [I] extends [never]
  ? Row<D>
  : Omit<Row<D>, Head<I> & string> & {
      readonly [K in Head<I> & keyof ToOne<D>]:
        | RelatedRow<ToOne<D>[K], Tail<I, K>>
        | (K extends keyof Row<D> ? Extract<Row<D>[K], null> : never)
    } & { readonly [K in Head<I> & keyof ToMany<D>]: readonly RelatedRow<ToMany<D>[K], Tail<I, K>>[] }

/** A row as a query gives it: only the chosen fields, and the related rows of the included paths. */
export type RowOf<D, F = never, I = never> = [F] extends [never]
  ? IncludingRow<D, I>
  : Pick<IncludingRow<D, I>, Extract<keyof IncludingRow<D, I>, F | 'pk'>>
