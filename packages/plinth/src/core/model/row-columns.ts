// The fields of rows with which queries compare and order, and the definitions that their relations lead to.

import type { ResourceModel, Stamps } from './definition.ts'
import type { CountField, InverseField, LinkField, ToOneField } from './field.ts'
import type { ServiceFields } from './row.ts'
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
export type RowColumns<D> =
  D extends ResourceModel<infer Fields, infer S>
    ? ComparedStamps<S> & {
        readonly [K in keyof Fields as [Compared<Fields[K]>] extends [never] ? never : K]: Compared<Fields[K]>
      }
    : never

/** A definition that relations know by its name alone: code checks its fields when it runs. */
export interface UnknownDefinition {
  readonly unknown: true
}

/** The definition at the other end of a relation of `D`. Its own name stands for `D` itself. */
type DefinitionAt<D, Target, Related> = unknown extends Related
  ? D extends { readonly name: infer Name }
    ? [Target, Name] extends [Name, Target]
      ? string extends Target
        ? UnknownDefinition
        : D
      : UnknownDefinition
    : UnknownDefinition
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
  ? { readonly createdBy: UnknownDefinition; readonly lastModifiedBy: UnknownDefinition }
  : unknown

/** The definitions that relations to one record lead to, by field. */
export type ToOne<D> =
  D extends ResourceModel<infer Fields, infer S>
    ? {
        readonly [K in keyof Fields as [ToOneOf<D, Fields[K]>] extends [never] ? never : K]: ToOneOf<D, Fields[K]>
      } & StampedBy<S>
    : never

/** The definitions that relations to many records lead to, by field. */
export type ToMany<D> =
  D extends ResourceModel<infer Fields>
    ? { readonly [K in keyof Fields as [ToManyOf<D, Fields[K]>] extends [never] ? never : K]: ToManyOf<D, Fields[K]> }
    : never
