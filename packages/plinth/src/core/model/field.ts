// What a field is. A *type* holds everything about one kind of value; a *field* is a type with options, or a relation.

import type { FaultReason } from '../fault.ts'
import type { Fault } from '../problem.ts'
import type { Json, JsonSchema } from './json.ts'
import type { Link } from './record.ts'
import type { Shape } from './shape.ts'
import type { Text, Title } from './words.ts'

/** How a value lies in the database; each dialect maps these to its own column types. */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'timestamp' | 'date' | 'json'

/** A fault of a value, or of a part of it. */
interface PartFault extends FaultReason {
  /** JSON Pointer from the value to the part; empty for the value itself. */
  readonly path?: string
}

/** Thrown by readers: the value breaks the rules of its type. The caller adds where it stood. */
export class ValueFault extends Error {
  readonly faults: readonly PartFault[]

  constructor(...faults: readonly PartFault[]) {
    super(faults.map(({ path = '', message }) => `${path.slice(1)} ${message}`.trimStart()).join('; '))
    this.name = 'ValueFault'
    this.faults = faults
  }

  /** The faults of a value that stood at this place in the body. */
  at(pointer: string, member: string): Fault[] {
    return this.faults.map(({ path = '', ...reason }) => ({ pointer: pointer + path, member, ...reason }))
  }
}

/**
 * One kind of value. The stored form is what the database holds and what module code works with: text, safe integers
 * (money is minor units), booleans, ISO 8601 text for timestamps and dates, plain JSON for lists and maps.
 */
export interface ValueType<T = unknown> {
  readonly name: string
  readonly column: ColumnType
  readonly schema: JsonSchema
  readonly widget: string
  /** The names of its values, where it has a fixed set of them. */
  readonly labels?: { readonly [value: string]: Title | undefined }
  /** Untrusted JSON → stored form, or ValueFault. Never called with null or undefined. */
  read(input: unknown): T
  /** Text of a query parameter or filter → stored form, or ValueFault. */
  readText(text: string): T
  /** Stored form → JSON. Identity types leave it out. */
  show?(value: T): Json
  /** ValueFault for a value from code that is not in stored form. */
  checkStored?(value: T): void
  /** What is wrong with the default of the field, where that has no stored form. */
  readonly defaultFault?: string
  /** Joins what was read to what the record holds: parts that the service owns are kept. Most types have none. */
  keep?(value: T, before: T | null): T
  /** The types of its named parts, for structures. */
  readonly parts?: Readonly<Record<string, ValueField>>
  /** The same with other parts, for structures. */
  withParts?(parts: Readonly<Record<string, ValueField>>): ValueType
  /** The resource whose records its values name, where they are parts of a structure. */
  readonly target?: string
  /** The shape that its parts are of, where that has a name. */
  readonly shape?: Shape
  /** What its entries are, for lists and for maps. */
  readonly items?: ValueField
  readonly entries?: ValueField
  /** In the body of an endpoint, null is a value like any other, and not the absence of one. */
  readonly nullIsValue?: boolean
  /** May `*` and `%` act as wildcards in searches? */
  readonly wildcards: boolean
  /** Its column holds a JSON list of texts, and searches compare the entries. */
  readonly searchesEntries?: boolean
  /** Too large for a column in lists of records. */
  readonly isBulky?: boolean
}

/** Options of every field, relations included. */
export interface CommonOptions {
  /** The label in clients; by default derived from the name of the field. */
  readonly title?: Title
  /** A description, for schemas, the API reference and forms. */
  readonly about?: Text
  /** A rule on the caller: who can read the field. Without it, the rules of the record apply. */
  readonly readable?: string
  /** A rule on the caller: who can write the field. Without it, the rules of the record apply. */
  readonly writable?: string
}

/** Options of fields that callers write: values, references and links. */
export interface WrittenOptions extends CommonOptions {
  /** Whether a value is required; otherwise it can be null. */
  readonly required?: boolean
  /** Only the service writes it; values that callers send are ignored. */
  readonly serverOwned?: boolean
  /** Cannot be changed after creation. */
  readonly fixed?: boolean
  /** Accepted, but never returned or searched. */
  readonly writeOnly?: boolean
  /** The former name, so that a migration renames the column or the link table instead of adding one. */
  readonly renamedFrom?: string
}

/** Options of fields with a column. `T` is the stored form of the value. */
export interface FieldOptions<T = unknown> extends WrittenOptions {
  /** The default value, or a function that returns it: in stored form, but decimals and money as callers send them. */
  readonly default?: T | (() => T)
  /** No two records can have the same value; `'ignoreCase'` compares case-insensitively. */
  readonly unique?: boolean | 'ignoreCase'
  /** Adds an index for searches and sorting; `'anywhere'` also for substring search. */
  readonly indexed?: boolean | 'anywhere'
  /** For the time of use, such as a last visit: writing only this field does not change `lastModifiedDate`. */
  readonly activity?: boolean
  /** The value is a key: backups that are not encrypted leave it out. */
  readonly backup?: 'encrypted'
}

/**
 * `O` without any option that `Known` does not have. TypeScript checks object literals for unknown properties only where
 * it does not infer their type, and a misspelt `readable` would make a field public.
 */
export type Exactly<O, Known> = O & { readonly [K in Exclude<keyof O, keyof Known>]: never }

/** The names of all options of a type, so that they are known at run time too; the compiler keeps the list complete. */
export type OptionNames<O> = Readonly<Record<keyof O, true>>

interface Common {
  readonly options: FieldOptions
  /** Options that this kind of field has. Any other stops the start. */
  readonly optionNames: Readonly<Record<string, true>>
}

/**
 * A value in a column of its own. `compute` makes it server-owned: computed again at each write from the other fields.
 * `Read` is its type in records as they are read, `Given` in values to be written: `never` where it does not occur there,
 * with `undefined` where it may be left out of a new record. `Shown` and `Sent` are the types for callers, in JSON.
 */
export interface ValueField<Read = unknown, Given = unknown, Shown = unknown, Sent = unknown, Needs = unknown>
  extends Common {
  readonly role: 'value'
  readonly type: ValueType
  readonly compute?: (values: Readonly<Record<string, unknown>>) => unknown
  /** Accepted and handed to the hooks, but it has no column. */
  readonly transient?: boolean
  /** Made by a hook at creation and shown in that answer alone. */
  readonly issued?: boolean
  /** An answer that is no record may leave it out. */
  readonly optional?: boolean
  /** Slow work on what a caller sent, done before the transaction begins; the hooks get its outcome instead. */
  readonly prepare?: (value: unknown) => Promise<unknown>
  /** These carry TypeScript types; they are never present at run time. */
  readonly read?: Read
  readonly given?: Given
  readonly shown?: Shown
  readonly sent?: Sent
  /** The fields that a computed value is made from. */
  readonly needs?: Needs
}

/** What happens to this record when the one it refers to is deleted. */
export type OnDelete = 'refuse' | 'cascade' | 'clear'

/** A reference to one record of another resource, held as its pk. */
export interface ToOneField<
  Read extends Link | null = Link | null,
  Given = string | null | undefined,
  Target extends string = string,
  Sent = unknown,
> extends Common {
  readonly role: 'one'
  readonly target: Target
  readonly onDelete: OnDelete
  /** Shown by its pk alone: the label of the other record is never fetched. */
  readonly bare?: boolean
  readonly read?: Read
  readonly given?: Given
  readonly sent?: Sent
}

/** The records of another resource that refer here by their to-one or link member `by`. */
export interface InverseField<Single extends boolean = boolean, Target extends string = string> extends Common {
  readonly role: 'inverse'
  readonly target: Target
  readonly by: string
  /** At most one record refers here: the relation is to-one, and records show it. */
  readonly single?: Single
}

/** Many-to-many: pairs in a link table owned by this side. `embed` shows a short list of compact objects in each record. */
export interface LinkField<Embed extends boolean = boolean, Target extends string = string> extends Common {
  readonly role: 'links'
  readonly target: Target
  readonly embed: Embed
}

/** How many records an inverse relation has, optionally only those whose `where` member equals a value. Never stored. */
export interface CountField extends Common {
  readonly role: 'count'
  readonly relation: string
  /** Also counts records that the caller may not read: the number is public, though the records are not. */
  readonly countsHidden?: boolean
  readonly where?: { readonly member: string; readonly equals: string | number | boolean | null }
}

/** A field of a resource: a value, a reference, a relation to many, or a count. */
export type Field = ValueField | ToOneField | InverseField | LinkField | CountField

/** Stored form → JSON, for any field type. */
export const shown = (type: ValueType, stored: unknown): Json =>
  stored === null || stored === undefined ? null : type.show ? type.show(stored) : (stored as Json)
