// The TypeScript types of a resource's records, derived from its definition.

import type { ResourceModel, Stamps } from './definition.ts'
import type { CountField, InverseField, LinkField, ToOneField } from './field.ts'
import type { AssignedIdentifier } from './identifier.ts'
import type { Link } from './record.ts'
import type { ValueField } from './value-field.ts'

type ReadOf<F> =
  F extends ValueField<infer Read>
    ? Read
    : F extends ToOneField<infer Read>
      ? Read
      : F extends LinkField<infer Embed>
        ? Embed extends false
          ? never
          : readonly Link[]
        : F extends InverseField<infer Single>
          ? Single extends false
            ? never
            : Link | null
          : F extends CountField
            ? number
            : never

type GivenOf<F> =
  F extends ValueField<unknown, infer Input>
    ? Input
    : F extends ToOneField<Link | null, infer Input>
      ? Input
      : F extends LinkField
        ? readonly string[] | undefined
        : never

/** What the service adds to every record. */
export type ServiceFields<S extends Stamps> = { readonly pk: string; readonly version: number } & (S extends 'none'
  ? unknown
  : { readonly createdDate: string; readonly lastModifiedDate: string }) &
  (S extends 'people' ? { readonly createdBy: Link | null; readonly lastModifiedBy: Link | null } : unknown)

/** A record as it is read: values in stored form, references as links, counts as numbers. */
export type Row<D> =
  D extends ResourceModel<infer Fields, infer S>
    ? ServiceFields<S> & {
        readonly [K in keyof Fields as [ReadOf<Fields[K]>] extends [never] ? never : K]: ReadOf<Fields[K]>
      }
    : never

/** The names of the fields that a new record must have. */
export type RequiredIn<Fields> = {
  [K in keyof Fields]: [GivenOf<Fields[K]>] extends [never] ? never : undefined extends GivenOf<Fields[K]> ? never : K
}[keyof Fields]

type Optional<Fields> = {
  [K in keyof Fields]: [GivenOf<Fields[K]>] extends [never] ? never : undefined extends GivenOf<Fields[K]> ? K : never
}[keyof Fields]

/** Values to be written: all that are required, and any of the others. Computed fields are not among them. */
export type GivenValues<Fields> = { readonly [K in RequiredIn<Fields>]: GivenOf<Fields[K]> } & {
  readonly [K in Optional<Fields>]?: GivenOf<Fields[K]>
}

/** A value as `compute` gets it: of a field that is not required it may be missing. Defaults and the service have done their part. */
type ComputeInput<F> = [GivenOf<F>] extends [never]
  ? ReadOf<F>
  : null extends GivenOf<F>
    ? GivenOf<F>
    : Exclude<GivenOf<F>, undefined>

/** What is wrong with a field that `compute` needs, as a sentence; never if it fits. */
type NeedFault<Fields, Needs, K extends string & keyof Needs> = K extends keyof Fields
  ? ComputeInput<Fields[K]> extends Needs[K]
    ? never
    : NonNullable<ComputeInput<Fields[K]>> extends Needs[K]
      ? `${K} may be missing here: it is not required`
      : `${K} has another type here than in the record`
  : undefined extends Needs[K]
    ? never
    : `the record has no field ${K}`

type NeedFaults<Fields, Needs> = { [K in string & keyof Needs]: NeedFault<Fields, Needs, K> }[string & keyof Needs]

/** The fields, where each computed one needs only what the others give; else the compiler says what is wrong. */
export type WithComputed<Fields> = {
  readonly [K in keyof Fields]: Fields[K] extends ValueField<infer _R, infer _G, infer _H, infer _S, infer Needs>
    ? unknown extends Needs
      ? unknown
      : [NeedFaults<Fields, Needs>] extends [never]
        ? unknown
        : NeedFaults<Fields, Needs>
    : unknown
}

/** The pk of a new record: callers must give it where the definition lets them assign it; else they may. */
export type NewPk<D> = D extends { readonly identifier: AssignedIdentifier }
  ? { readonly pk: string }
  : { readonly pk?: string }

/** A new record: values in stored form, references as pks. Without `pk` the definition's identifier gives it. */
export type NewRow<D> = D extends ResourceModel<infer Fields> ? NewPk<D> & GivenValues<Fields> : never

/** What changes in a record. A field that is `undefined` or left out stays as it is. */
export type RowChanges<D> =
  D extends ResourceModel<infer Fields>
    ? { readonly [K in RequiredIn<Fields> | Optional<Fields>]?: GivenOf<Fields[K]> }
    : never

/** What is added to numbers of a record, by field: a negative number is taken away. */
export type Increments<D> =
  D extends ResourceModel<infer Fields>
    ? {
        readonly [K in keyof Fields as [Extract<GivenOf<Fields[K]>, number>] extends [never] ? never : K]?: number
      }
    : never
