// What a value is. A *type* holds everything about one kind of value; a *field* is a type with options; a *shape* is a value made of
// fields. Types of structures have fields as parts, so all three are declared together.

import type { FieldBase } from './field-options.ts'
import type { Json, JsonSchema } from './json.ts'
import type { Numbering } from './numbering.ts'
import type { ResolveSetting } from './setting.ts'
import type { StateMachine } from './state-machine.ts'
import type { VectorShape } from './vectors.ts'
import type { Title } from './words.ts'

/** How a value lies in the database; each dialect maps these to its own column types. */
export const columnTypes = ['text', 'integer', 'boolean', 'timestamp', 'date', 'json', 'vector'] as const
export type ColumnType = (typeof columnTypes)[number]

/** The limits of the files of a field. */
export interface FileLimits {
  /** Media types, or kinds of them such as `image/*`, by the content of the file; null allows all. */
  readonly mediaTypes: readonly string[] | null
  /** Without it, the setting `app.files.maxBytes` alone. */
  readonly maxBytes: number | null
  /** How many files a record can have in the field; null for a field of one file. */
  readonly most: number | null
  /** Says that they must be images that can be decoded. */
  readonly areImages: boolean
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
  /** Its values are states, and only some of them may follow each other. */
  readonly machine?: StateMachine
  /** Its values are numbers that the service gives. */
  readonly numbering?: Numbering
  /** Untrusted JSON → stored form, or ValueFault. Never called with null or undefined. */
  read(input: unknown): T
  /** Text of a query parameter or filter → stored form, or ValueFault. */
  readText(text: string): T
  /** Converts the stored form to JSON. Identity types leave it out. */
  show?(value: T): Json
  /** How many of its stored units make one, for decimals. */
  readonly unit?: number
  /** The currency of amounts, where it is known. */
  readonly currency?: string
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
  /** Says that null is a value like any other in the body of an endpoint, and not the absence of one. */
  readonly nullIsValue?: boolean
  /** May `*` and `%` act as wildcards in searches? */
  readonly wildcards: boolean
  /** Says that its column holds a JSON list of texts, and that searches compare the entries. */
  readonly searchesEntries?: boolean
  /** Says that values are too large for a column in lists of records. */
  readonly isBulky?: boolean
  /** How many numbers its values have and how they are compared, for vectors. */
  readonly vector?: VectorShape
  /** The limits of the files, for fields of files. */
  readonly file?: FileLimits
  /** Returns the type for the records of a resource, if its values show addresses below that resource. */
  inResource?(resource: string): ValueType<T>
  /** Returns what the cell of an exported table holds, if that is not the value as JSON. */
  cell?(value: T): Json
  /** Says that restoring a version of a record leaves the value as it is, since what it refers to may be gone. */
  readonly staysOnRestore?: boolean
}

type FieldHook = (context: never) => Promise<void> | void

interface HooksOfField {
  readonly beforeCreate?: FieldHook
  readonly afterCreate?: FieldHook
  readonly beforeUpdate?: FieldHook
  readonly afterUpdate?: FieldHook
  readonly afterDelete?: FieldHook
  readonly batched?: boolean
}

/** Hooks that a field brings to its resource: those that run before all others, and those that run after them. */
export interface FieldHooks {
  readonly first: HooksOfField
  readonly last: HooksOfField
}

/**
 * A value in a column of its own. `compute` makes it server-owned: computed again at each write from the other fields.
 * `Read` is its type in records as they are read, `Input` in values to be written: `never` where it does not occur there,
 * with `undefined` where it may be left out of a new record. `Output` and `Sent` are the types for callers, in JSON.
 */
export interface ValueField<
  Read = unknown,
  Input = unknown,
  Output = unknown,
  Sent = unknown,
  Needs = unknown,
  Steps = unknown,
> extends FieldBase {
  readonly role: 'value'
  readonly type: ValueType
  readonly compute?: (values: Readonly<Record<string, unknown>>) => unknown
  /** The fields that it is computed from; any of the record where this is absent. */
  readonly computedFrom?: readonly string[]
  /** Says that the field is accepted and handed to the hooks, but has no column. */
  readonly transient?: boolean
  /** Says that a hook makes the value at creation, and that it is shown in that answer alone. */
  readonly issued?: boolean
  /** An answer that is no record may leave it out. */
  readonly optional?: boolean
  /** Slow work on what a caller sent, done before the transaction begins; the hooks get its outcome instead. */
  readonly prepare?: (value: unknown) => Promise<unknown>
  /** Returns the hooks of the field, by its name: what it does when records are written. */
  readonly hooks?: (name: string) => FieldHooks
  /** Returns the field in one service, if it depends on settings. */
  readonly withSettings?: (resolve: ResolveSetting) => ValueField
  /** The TypeScript type of the values read. Like the following, it is never present at run time. */
  readonly read?: Read
  readonly input?: Input
  readonly output?: Output
  readonly sent?: Sent
  /** The fields that a computed value is made from. */
  readonly needs?: Needs
  /** The first states of a state machine, and those that can follow each state. */
  readonly steps?: Steps
}

export type ShapeFields = Readonly<Record<string, ValueField>>

/** A value that is not a record, such as the body or the answer of an endpoint. Made by `defineShape`. */
export interface Shape<F extends ShapeFields = ShapeFields> {
  readonly kind: 'shape'
  /** The name of its schema in the OpenAPI document. */
  readonly name: string
  readonly element: string
  readonly about: string | undefined
  readonly needsOneOf: readonly string[]
  readonly fields: F
}

/** Is it one value, and not made of several, as lists, maps and vectors are? */
export const isScalar = ({ column }: Pick<ValueType, 'column'>): boolean => column !== 'json' && column !== 'vector'

/** Converts the stored form to JSON, for any field type. */
export const valueToJson = (type: ValueType, stored: unknown): Json =>
  stored === null || stored === undefined ? null : type.show ? type.show(stored) : (stored as Json)
