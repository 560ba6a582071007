// Settings as modules declare them: groups of fields below a common name, of the same types as the fields of resources.

import type { SettingFault, SettingFields, SettingGroup, SettingsOf, SettingValues } from '../model/settings.ts'
import type { ValueField } from '../model/value-field.ts'
import type { ConfigFault, Source } from './sources.ts'

/**
 * Declares settings below a name such as `app.library`. `config.get(group)` gives their values, typed.
 *
 * @example
 * export const librarySettings = defineSettings('app.library', {
 *   loanDays: integer({ default: 14, min: 1, about: 'Days until a loan is due.' }),
 * })
 */
export const defineSettings = <const Name extends string, F extends SettingFields>(
  name: Name,
  fields: F,
  check?: (values: SettingsOf<F>, all: SettingValues) => readonly SettingFault<keyof F & string>[],
): SettingGroup<F, Name> => {
  const group: SettingGroup<F, Name> = {
    name,
    fields,
    ...(check && { check: (all: SettingValues) => check(all.get(group), all) }),
  }
  return group
}

type GivenValue<F> = F extends ValueField<unknown, infer Input> ? NonNullable<Input> : never

type FreePart<Name extends string> = Name extends `${string}<${infer Part}>${infer Rest}`
  ? Part | FreePart<Rest>
  : never

/** The values given for one set of names in a group with free parts. */
export interface NamedSettings<F extends SettingFields, Name extends string> {
  /** The free parts of the name. Those from the environment are lower case: compare them without regard to case. */
  readonly parts: Readonly<Record<FreePart<Name> | FreePart<keyof F & string>, string>>
  readonly values: { readonly [K in keyof F]?: GivenValue<F[K]> }
  /** An error in one of the values, or in one that is missing. */
  faultAt(field: keyof F & string, message: string): ConfigFault
}

/** The values given for one set of names in this group. */
export type NamedSettingsOf<G> = G extends SettingGroup<infer F, infer Name> ? NamedSettings<F, Name> : never

/** A setting with its value as text, without secrets. */
export interface SettingValue {
  readonly name: string
  readonly text: string
  readonly source: Source
  readonly where: string
  readonly isSecret: boolean
}

/** The settings of a service, read from all sources and checked. */
export interface Config extends SettingValues {
  /** The values of a group with free parts, for each set of names. */
  named<F extends SettingFields, Name extends string>(group: SettingGroup<F, Name>): readonly NamedSettings<F, Name>[]
  /** Every setting and where its value comes from, without secrets. */
  all(): readonly SettingValue[]
  /** Texts that must not appear anywhere: the values of secret settings, and their secret parts. */
  readonly secrets: readonly string[]
  /** What was ignored, for a person to look at. */
  readonly warnings: readonly string[]
}

export const isNamed = (fullName: string): boolean => fullName.includes('<')

export const isSecretSetting = (field: ValueField): boolean => field.options.writeOnly === true
