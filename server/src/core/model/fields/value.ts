// What field types have in common.

import type { FieldOptions, ValueField, ValueType } from '../field.ts'

type Present<T, O> = O extends { readonly required: true } ? T : O extends { readonly default: unknown } ? T : T | null

/** A field of this type. `O` is the type of the options as they were written: it tells whether a value is always there. */
export const value = <T, O>(
  type: ValueType<T>,
  options: FieldOptions<T>,
  optionNames: Readonly<Record<string, true>>,
): ValueField<Present<T, O>> => ({
  role: 'value',
  type: type as ValueType,
  options,
  optionNames,
})

/** A value that the service derives from other fields of the same record at each write; stored, so it can be searched. */
export const computed = <T>(
  of: ValueField<T>,
  compute: (values: Readonly<Record<string, unknown>>) => T,
): ValueField<T> => ({
  ...of,
  compute,
  options: { ...of.options, serverOwned: true },
})

/** What callers can send and nobody can read: the hooks make something of it, and it is not stored. */
export const input = <T>(of: ValueField<T>, prepare?: (value: T) => Promise<unknown>): ValueField<T> => ({
  ...of,
  transient: true,
  ...(prepare && { prepare: prepare as (value: unknown) => Promise<unknown> }),
  options: { ...of.options, writeOnly: true },
})

/** What the service makes at creation and shows in that answer alone: the hook gives the value, and it is not stored. */
export const issued = <T>(of: ValueField<T>): ValueField<T> => ({
  ...of,
  transient: true,
  issued: true,
  options: { ...of.options, serverOwned: true, writeOnly: true },
})
