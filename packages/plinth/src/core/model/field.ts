// What a field of a resource is: a value, a reference, a relation to many, or a count.

import type { FieldBase } from './field-options.ts'
import type { Link } from './record.ts'
import type { ValueField } from './value-field.ts'

/** What happens to this record when the one it refers to is deleted. */
export type OnDelete = 'refuse' | 'cascade' | 'clear'

/** A reference to one record of another resource, held as its pk. */
export interface ToOneField<
  Read extends Link | null = Link | null,
  Input = string | null | undefined,
  Target extends string = string,
  Sent = unknown,
  Related = unknown,
> extends FieldBase {
  readonly role: 'one'
  readonly target: Target
  readonly onDelete: OnDelete
  /** Shows the other record by its pk alone: its label is never fetched. */
  readonly bare?: boolean
  readonly read?: Read
  readonly input?: Input
  readonly sent?: Sent
  /** The type of the definition at the other end, where that is given; never present at run time. */
  readonly related?: Related
}

/** The records of another resource that refer here by their to-one or link field `by`. */
export interface InverseField<
  Single extends boolean = boolean,
  Target extends string = string,
  Related = unknown,
  By extends string = string,
> extends FieldBase {
  readonly role: 'inverse'
  readonly target: Target
  readonly by: By
  /** Says that at most one record refers here: the relation is to-one, and records show it. */
  readonly single?: Single
  readonly related?: Related
}

/** Many-to-many: pairs in a link table owned by this side. `embed` shows a short list of compact objects in each record. */
export interface LinkField<Embed extends boolean = boolean, Target extends string = string, Related = unknown>
  extends FieldBase {
  readonly role: 'links'
  readonly target: Target
  readonly embed: Embed
  readonly related?: Related
}

/** How many records an inverse relation has, or the sum of a field of theirs, optionally only those whose `where` field equals a value. Never stored. */
export interface CountField extends FieldBase {
  readonly role: 'count'
  readonly relation: string
  /** The field of the related records whose values are added up; without it, the records are counted. */
  readonly sum?: string
  /** Counts records that the caller may not read too: the number is public, though the records are not. */
  readonly countsHidden?: boolean
  readonly where?: { readonly field: string; readonly equals: string | number | boolean | null }
}

/** A field of a resource: a value, a reference, a relation to many, or a count. */
export type Field = ValueField | ToOneField | InverseField | LinkField | CountField
