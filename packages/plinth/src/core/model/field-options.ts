// The options of fields.

import type { Mistake } from './mistake.ts'
import type { Setting } from './setting.ts'
import type { Text, Title } from './words.ts'

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
  /** Requires a value; otherwise it can be null. */
  readonly required?: boolean
  /** Reserves the field for the service; values that callers send are ignored. */
  readonly serverOwned?: boolean
  /** Cannot be changed after creation. */
  readonly fixed?: boolean
  /** Says that values are accepted, but never returned or searched. */
  readonly writeOnly?: boolean
  /** The former name, so that a migration renames the column or the link table instead of adding one. */
  readonly renamedFrom?: string
}

/** Options of fields with a column. `T` is the stored form of the value. */
export interface FieldOptions<T = unknown> extends WrittenOptions {
  /**
   * The default value, or a function that returns it: in stored form, but decimals, money and durations as callers send them. `'caller.pk'` is
   * the pk of the caller, for references to users; `'caller.username'` the name; `'caller.user.shop'` what their user record has.
   */
  readonly default?: T | (() => T) | Setting<T>
  /** No two records can have the same value; `'ignoreCase'` compares case-insensitively. */
  readonly unique?: boolean | 'ignoreCase'
  /** Adds an index for searches and sorting; `'anywhere'` also for substring search. */
  readonly indexed?: boolean | 'anywhere'
  /** Marks a time of use, such as a last visit: writing only this field does not change `lastModifiedDate`. */
  readonly activity?: boolean
  /** The value is a key: backups that are not encrypted leave it out. */
  readonly backup?: 'encrypted'
}

/**
 * `O` without any option that `Known` does not have, which is refused with a sentence. TypeScript checks object literals for unknown
 * properties only where it does not infer their type, and a misspelt `readable` would make a field public.
 */
export type Exactly<O, Known> = O & {
  readonly [K in Exclude<keyof O, keyof Known>]: Mistake<`there is no option '${K & string}' here`>
}

/** The names of all options of a type, so that they are known at run time too; the compiler keeps the list complete. */
export type OptionNames<O> = Readonly<Record<keyof O, true>>

/** What fields of all kinds have. */
export interface FieldBase {
  readonly options: FieldOptions
  /** Options that this kind of field has. Any other stops the start. */
  readonly optionNames: Readonly<Record<string, true>>
}
