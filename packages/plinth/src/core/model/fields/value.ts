// What field types have in common.

import type { CommonOptions, FieldOptions, OptionNames, WrittenOptions } from '../field-options.ts'
import { changed, isSetting, madeOf } from '../setting.ts'
import type { ValueField, ValueType } from '../value-field.ts'

export const commonOptions: OptionNames<CommonOptions> = { title: true, about: true, readable: true, writable: true }

export const writtenOptions: OptionNames<WrittenOptions> = {
  ...commonOptions,
  required: true,
  serverOwned: true,
  fixed: true,
  writeOnly: true,
  renamedFrom: true,
}

export const fieldOptions: OptionNames<FieldOptions> = {
  ...writtenOptions,
  default: true,
  unique: true,
  indexed: true,
  activity: true,
  backup: true,
}

type Present<T, O> = O extends { readonly required: true }
  ? T
  : O extends { readonly default: FromCaller }
    ? T | null
    : O extends { readonly default: unknown }
      ? T
      : T | null

/** Anonymous callers have neither a pk nor a name. */
type FromCaller = 'caller.pk' | 'caller.username'

/** The type of the value in records as they are read: those that are only written are never read. */
type ReadAs<T, O> = O extends { readonly writeOnly: true } ? never : Present<T, O>

/** The type of the value in a new record. What has a default, or is set by the service, may be left out. */
type GivenAs<T, O> = O extends { readonly required: true }
  ? O extends { readonly default: unknown } | { readonly serverOwned: true }
    ? T | undefined
    : T
  : T | null | undefined

/** The type in JSON. What only some callers may read can be missing. */
type ShownAs<T, O> = ReadAs<T, O> | (O extends { readonly readable: string } ? undefined : never)

/** The type that callers send: none for what the service owns. */
type SentAs<T, O> = O extends { readonly serverOwned: true }
  ? never
  : O extends { readonly default: unknown }
    ? T | undefined
    : O extends { readonly required: true }
      ? T
      : T | null | undefined

/** A field of this type. `O` is the type of the options as they were written: it says whether a value is always there. `J` is the type in JSON. */
export const value = <T, O, Steps = unknown, J = T>(
  type: ValueType<T>,
  options: FieldOptions<T>,
  optionNames: Readonly<Record<string, true>>,
): ValueField<ReadAs<T, O>, GivenAs<T, O>, ShownAs<J, O>, SentAs<J, O>, unknown, Steps> => {
  const field = (all: FieldOptions) => ({ role: 'value', type: type as ValueType, options: all, optionNames }) as const
  const { default: usual } = options
  return isSetting(usual) ? madeOf(usual, one => field({ ...options, default: one })) : field(options)
}

interface ComputedOptions<Needs> {
  /** The fields that it is computed from; `compute` gets only these. */
  readonly from?: readonly (keyof Needs & string)[]
}

/**
 * A value that the service derives from other fields of the same record at each write; stored, so it can be searched. `compute`
 * names the fields that it needs with their types, and `defineResource` checks that the record has them:
 * `computed(text(), ({ title }: { readonly title: string }) => title.toLowerCase())`. With `from`, it is derived from these fields and
 * no others, so that a change of other fields is written without reading the record.
 *
 * @example computed(text(), ({ title }: { readonly title: string }) => title.toLowerCase(), { from: ['title'] })
 */
export const computed = <Read, Input, T extends Exclude<Input, undefined>, Output, Needs>(
  of: ValueField<Read, Input, Output>,
  compute: (values: Needs) => T,
  { from }: ComputedOptions<Needs> = {},
): ValueField<
  [Read] extends [never] ? never : T,
  never,
  [Read] extends [never] ? never : T | Extract<Output, undefined>,
  never,
  Needs
> => {
  const computeFrom = compute as (values: Readonly<Record<string, unknown>>) => T
  return changed(unread(of), field => ({
    ...field,
    compute: from ? values => computeFrom(partOf(values, from)) : computeFrom,
    ...(from && { computedFrom: from }),
    options: { ...field.options, serverOwned: true },
  }))
}

const partOf = (values: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, values[name]]))

/**
 * What callers can send but not read: the hooks make something of it, and it is not stored. Code that writes the
 * record gives what `prepare` makes.
 *
 * @example card: input(text({ max: 32 }), async number => ({ lastDigits: number.slice(-4) }))
 */
export function input<Input, Sent>(of: ValueField<unknown, Input, unknown, Sent>): ValueField<never, Input, never, Sent>
export function input<Input, Sent, Prepared>(
  of: ValueField<unknown, Input, unknown, Sent>,
  prepare: (value: NonNullable<Input>) => Promise<Prepared>,
): ValueField<never, Prepared | undefined, never, Sent>
export function input(
  of: ValueField,
  prepare?: (value: never) => Promise<unknown>,
): ValueField<never, never, never, never> {
  return changed(unread(of), field => ({
    ...field,
    transient: true,
    ...(prepare && { prepare: prepare as (value: unknown) => Promise<unknown> }),
    options: { ...field.options, writeOnly: true },
  }))
}

/**
 * What the service makes at creation and shows in that answer alone: the hook gives the value, and it is not stored.
 *
 * @example pickupCode: issued(text())
 */
export const issued = <Output = unknown>(
  of: ValueField<unknown, unknown, Output>,
): ValueField<never, never, Output | null | undefined, never> =>
  changed(unread(of), field => ({
    ...field,
    transient: true,
    issued: true,
    options: { ...field.options, serverOwned: true, writeOnly: true },
  }))

/** The same field, without the types of its values. */
const unread = ({
  read: _read,
  input: _input,
  output: _output,
  sent: _sent,
  needs: _needs,
  ...field
}: ValueField): Omit<ValueField, 'read' | 'input' | 'output' | 'sent' | 'needs'> => field
