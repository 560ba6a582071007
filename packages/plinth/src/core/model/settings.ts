// The types of settings as modules declare them: what code reads, whatever sources the values come from.

import type { ResolveSetting, Setting } from './setting.ts'
import type { ValueField } from './value-field.ts'

export type SettingFields = Readonly<Record<string, ValueField>>

/**
 * The settings below one name, such as `app.mail`. A part of the name may be free, as in `app.nodes.<name>`: such a group has as
 * many sets of values as names are given, and no defaults.
 */
export interface SettingGroup<F extends SettingFields = SettingFields, Name extends string = string> {
  readonly name: Name
  readonly fields: F
  /** What is wrong with the values together, in a group without free parts. */
  readonly check?: (values: SettingValues) => readonly SettingFault[]
}

export interface SettingFault<Field extends string = string> {
  readonly field: Field
  readonly message: string
}

/** The values of a group. What has neither a value nor a default is null. */
export type SettingsOf<F extends SettingFields> = { readonly [K in keyof F]: ReadValue<F[K]> }

/** What is only written in records, such as a password, is read here. */
type ReadValue<F> =
  F extends ValueField<infer Read, infer Input> ? ([Read] extends [never] ? NonNullable<Input> : Read) : never

/** The values of a group without free parts. */
export type ReadSettings = <F extends SettingFields>(group: SettingGroup<F>) => SettingsOf<F>

/** The values of all groups. */
export interface SettingValues {
  /** The values of a group without free parts. */
  readonly get: ReadSettings
  /** `NODE_ENV=production`. */
  readonly isProduction: boolean
}

/**
 * A setting in place of a value that options of fields take: the currency of an amount, the default of a field, the most entries of a list.
 *
 * @example
 * money({ currency: setting(shopSettings, 'currency') })
 */
export const setting = <F extends SettingFields, const Name extends keyof F & string>(
  group: SettingGroup<F>,
  field: Name,
): Setting<SettingsOf<F>[Name]> => ({
  kind: 'setting',
  group,
  field,
  usual: (group.fields[field]?.options.default ?? null) as SettingsOf<F>[Name],
})

/** Returns a resolver for the settings of one service. */
export const createResolver =
  (settings: ReadSettings): ResolveSetting =>
  <T>({ group, field }: Setting<T>) =>
    settings(group as SettingGroup)[field] as T
