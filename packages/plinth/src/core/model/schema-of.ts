// The types by which the client library reads and writes the records of a definition. `plinth types` writes the same for callers
// outside of the repository.

import type { ResourceDefinition } from './define.ts'
import type { Stamps } from './definition.ts'
import type { CountField, InverseField, LinkField, ToOneField } from './field.ts'
import type { SentReference } from './fields/relation.ts'
import type { NewPk } from './row.ts'
import type { ValueField } from './value-field.ts'

/** Fields whose value in JSON is not declared show what code reads. */
export type ShownOf<F> =
  F extends ValueField<infer Read, unknown, infer Output>
    ? unknown extends Output
      ? Read
      : Output
    : F extends CountField
      ? number
      : never

export type SentOf<F> =
  F extends ValueField<unknown, infer Input, unknown, infer Sent>
    ? unknown extends Sent
      ? Input
      : Sent
    : F extends ToOneField<infer _Read, infer _Given, string, infer Sent>
      ? Sent
      : F extends LinkField
        ? readonly SentReference[] | undefined
        : never

/** The names of the fields whose `T` is not `never`, with or without `undefined`. */
type Named<Types, Optional extends boolean> = {
  [K in keyof Types]: [Types[K]] extends [never]
    ? never
    : (undefined extends Types[K] ? true : false) extends Optional
      ? K
      : never
}[keyof Types]

export type WithOptional<Types> = { readonly [K in Named<Types, false>]: Types[K] } & {
  readonly [K in Named<Types, true>]?: Exclude<Types[K], undefined>
}

export type Simplify<T> = { readonly [K in keyof T]: T[K] }

interface PlainRecord {
  readonly pk: string
  readonly version: number
}

interface DatedRecord extends PlainRecord {
  readonly createdDate: string
  readonly lastModifiedDate: string
}

type ServiceValues<S extends Stamps> = S extends 'none' ? PlainRecord : DatedRecord

type ServiceReferences<S extends Stamps> = S extends 'people'
  ? { readonly createdBy: 'users' | null; readonly lastModifiedBy: 'users' | null }
  : object

type OneOf<F> =
  F extends ToOneField<infer Read, infer _Given, infer Target, infer _Sent>
    ? Target | Extract<Read, null>
    : F extends InverseField<true, infer Target>
      ? Target | null
      : never

type ListOf<F> = F extends LinkField<true, infer Target> ? Target : never

type ManyOf<F> =
  F extends LinkField<false, infer Target> ? Target : F extends InverseField<false, infer Target> ? Target : never

/** The fields of one kind, by name. */
type Fitting<Types> = { readonly [K in keyof Types as [Types[K]] extends [never] ? never : K]: Types[K] }

/** Records that also show their pk as `id`. */
type IdOf<D> = D extends { readonly showsId?: infer Shows }
  ? [NonNullable<Shows>] extends [true]
    ? { readonly id: string }
    : object
  : object

/** What a new record takes: of a state machine, one of its first states. */
type CreatedOf<F> =
  F extends ValueField<unknown, unknown, unknown, infer Sent, unknown, { readonly first: infer First }>
    ? [Sent] extends [never]
      ? never
      : First | undefined
    : SentOf<F>

type NextOf<F> =
  F extends ValueField<unknown, unknown, unknown, unknown, unknown, { readonly next: infer Next }> ? Next : never

/** The types of one resource, as `@plinth/client` takes them. */
export type ResourceSchema<D> =
  D extends ResourceDefinition<infer Fields, infer S, string, infer Label>
    ? {
        readonly values: Simplify<
          ServiceValues<S> & IdOf<D> & WithOptional<{ [K in keyof Fields]: ShownOf<Fields[K]> }>
        >
        readonly label: Label
        readonly one: Simplify<Fitting<{ [K in keyof Fields]: OneOf<Fields[K]> }> & ServiceReferences<S>>
        readonly lists: Fitting<{ [K in keyof Fields]: ListOf<Fields[K]> }>
        readonly many: Fitting<{ [K in keyof Fields]: ManyOf<Fields[K]> }>
        readonly create: Simplify<NewPk<D> & WithOptional<{ [K in keyof Fields]: CreatedOf<Fields[K]> }>>
        readonly steps: Fitting<{ [K in keyof Fields]: NextOf<Fields[K]> }>
      }
    : never

/** The name of a definition, if the compiler knows it; internal ones have no address. */
export type PublishedName<D extends ResourceDefinition> = string extends D['name']
  ? never
  : [NonNullable<D['internal']>] extends [true]
    ? never
    : D['name']

/** Is the option of the definition set to true, as far as the compiler knows? */
export type HasTrait<D, Trait extends string> =
  D extends Readonly<Partial<Record<Trait, infer V>>> ? ([NonNullable<V>] extends [true] ? true : false) : false

interface RelatedRecord {
  readonly pk: string
  readonly [field: string]: unknown
}

/** A record as an endpoint answers with it: related records are in short. */
export type ShownRecord<D> =
  ResourceSchema<D> extends { readonly values: infer V; readonly one: infer O; readonly lists: infer L }
    ? Simplify<
        V & { readonly [K in keyof O]: RelatedRecord | Extract<O[K], null> } & {
          readonly [K in keyof L]: readonly RelatedRecord[]
        }
      >
    : never
