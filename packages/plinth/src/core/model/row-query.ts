// The TypeScript types of queries in code, derived from the definition of the records. `@plinth/client` takes the same queries.

import type { ResourceModel, Stamps } from './definition.ts'
import type { CountField, InverseField, LinkField, ToOneField } from './field.ts'
import type { Row, ServiceFields } from './row.ts'
import type { ValueField } from './value-field.ts'

type Scalar = string | number | boolean

/** The type that a condition compares with: the entries of a list of texts, and nothing for other structures. */
type Compared<F> =
  F extends ValueField<infer Read>
    ? Read extends readonly string[]
      ? string | null
      : Extract<Read, Scalar | null>
    : F extends CountField
      ? number
      : never

type ComparedStamps<S extends Stamps> = Pick<ServiceFields<S>, keyof ServiceFields<S> & ServiceColumn>
type ServiceColumn = 'pk' | 'version' | 'createdDate' | 'lastModifiedDate'

/** The fields with a value that conditions compare. */
type Columns<D> =
  D extends ResourceModel<infer Fields, infer S>
    ? ComparedStamps<S> & {
        readonly [K in keyof Fields as [Compared<Fields[K]>] extends [never] ? never : K]: Compared<Fields[K]>
      }
    : never

/** A definition that relations know by its name alone: code checks its fields when it runs. */
interface Unknown {
  readonly unknown: true
}

/** The definition at the other end of a relation of `D`. Its own name stands for `D` itself. */
type DefinitionAt<D, Target, Related> = unknown extends Related
  ? D extends { readonly name: infer Name }
    ? [Target, Name] extends [Name, Target]
      ? string extends Target
        ? Unknown
        : D
      : Unknown
    : Unknown
  : Related

type ToOneOf<D, F> =
  F extends ToOneField<infer _Read, infer _Given, infer Target, infer _Sent, infer Related>
    ? DefinitionAt<D, Target, Related>
    : F extends InverseField<true, infer Target, infer Related>
      ? DefinitionAt<D, Target, Related>
      : never

type ToManyOf<D, F> =
  F extends LinkField<boolean, infer Target, infer Related>
    ? DefinitionAt<D, Target, Related>
    : F extends InverseField<false, infer Target, infer Related>
      ? DefinitionAt<D, Target, Related>
      : never

type StampedBy<S extends Stamps> = S extends 'people'
  ? { readonly createdBy: Unknown; readonly lastModifiedBy: Unknown }
  : unknown

/** The definitions that relations to one record lead to, by field. */
type ToOne<D> =
  D extends ResourceModel<infer Fields, infer S>
    ? {
        readonly [K in keyof Fields as [ToOneOf<D, Fields[K]>] extends [never] ? never : K]: ToOneOf<D, Fields[K]>
      } & StampedBy<S>
    : never

/** The definitions that relations to many records lead to, by field. */
type ToMany<D> =
  D extends ResourceModel<infer Fields>
    ? { readonly [K in keyof Fields as [ToManyOf<D, Fields[K]>] extends [never] ? never : K]: ToManyOf<D, Fields[K]> }
    : never

// Conditions

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
  /** From the first value to the second, both included. */
  readonly between?: readonly [T, T]
  /** A text with `*` for anything; a backslash before it makes it literal. */
  readonly like?: T extends string ? string : never
  /** As `like`, ignoring case. */
  readonly ilike?: T extends string ? string : never
  readonly isNull?: boolean
}

/** The pk of a related record, null for none, or conditions on the related record. */
type RelationCondition<D> =
  | string
  | null
  | Comparisons<string>
  | (D extends Unknown ? { readonly [field: string]: unknown } : Where<D>)

/**
 * All conditions must hold. A condition on a field of the record, or on records that a relation leads to: of a relation to many, one of
 * them must fulfil it.
 */
export type Where<D> = { readonly [K in keyof Columns<D>]?: FieldCondition<Columns<D>[K]> } & {
  readonly [K in keyof ToOne<D>]?: RelationCondition<ToOne<D>[K]>
} & { readonly [K in keyof ToMany<D>]?: RelationCondition<ToMany<D>[K]> } & {
  /** At least one of these must hold. */
  readonly or?: readonly Where<D>[]
  /** All of these must hold. */
  readonly and?: readonly Where<D>[]
  /** This must not hold. */
  readonly not?: Where<D>
}

// Order

type Signed<Path extends string> = Path | `-${Path}`

type SortPath<D, Depth extends 0[]> = D extends Unknown
  ? string
  :
      | ((keyof Columns<D> | keyof ToOne<D>) & string)
      | (Depth extends [0, ...infer Rest extends 0[]]
          ? { [K in keyof ToOne<D> & string]: `${K}.${SortPath<ToOne<D>[K], Rest>}` }[keyof ToOne<D> & string]
          : never)

/** A field, or one of a record that relations to one lead to, with a minus in front for descending order. */
export type SortBy<D> = Signed<SortPath<D, [0, 0]>>

// What rows hold

type RelationTo<D> = ToOne<D> & ToMany<D>

/** A relation, or relations one behind the other, at most three: their records come along. */
export type RowPath<D, Depth extends 0[] = [0, 0]> = D extends Unknown
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

type RelatedRow<D, I> = D extends Unknown ? UnknownRow : IncludingRow<D, I>

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

// Queries

/** What rows hold. */
export interface RowView<F, I> {
  /** Only these fields, and the pk. */
  readonly fields?: readonly F[]
  /** Relations whose records come along, such as `book.author`. One that may not be read stays in short. */
  readonly include?: readonly I[]
}

/** Which rows. */
export interface CountQuery<D> {
  readonly where?: Where<D>
}

/** Which rows are changed: `{ where: {} }` for all of them. */
export interface UpdateQuery<D> {
  readonly where: Where<D>
}

/** Which rows are deleted: `{ where: {} }` for all of them. */
export interface RemoveQuery<D> extends UpdateQuery<D> {
  /** At most so many. */
  readonly limit?: number
}

/** Which rows, in which order. */
export interface FirstQuery<D, F = never, I = never> extends CountQuery<D>, RowView<F, I> {
  /** By pk unless given; equal rows are always in the order of their pks. */
  readonly sort?: SortBy<D> | readonly SortBy<D>[]
}

/** Which rows are read, and in which order. */
export interface RowQuery<D, F = never, I = never> extends FirstQuery<D, F, I> {
  /** At most so many; all matching rows unless given. */
  readonly limit?: number
  /** Leaves out so many at the beginning. */
  readonly offset?: number
  /** Only rows that come after this one, in the order of `sort`. */
  readonly after?: Row<D>
}

/** Rows that are read in batches. */
export interface StreamQuery<D, F = never, I = never> extends FirstQuery<D, F, I> {
  /** How many rows a batch has: 500 unless given. */
  readonly batchSize?: number
  /** Only rows that come after this one, in the order of `sort`. */
  readonly after?: Row<D>
}
