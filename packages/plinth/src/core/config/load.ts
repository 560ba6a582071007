// Settings from all sources made into one checked object; all errors are reported together.

import { resolve } from 'node:path'
import { fault } from '../fault.ts'
import { fieldFaults } from '../model/check-field.ts'
import { DefinitionError } from '../model/definition-error.ts'
import type { SettingFields, SettingGroup, SettingsOf } from '../model/settings.ts'
import { ValueFault } from '../model/value-fault.ts'
import type { ValueField } from '../model/value-field.ts'
import { readSettingText, type SecretType, settingText } from './fields.ts'
import { createSettingNames, type NameMatch, type SettingNames } from './names.ts'
import { type Config, isNamed, isSecretSetting, type NamedSettings, type SettingValue } from './settings.ts'
import {
  type ConfigFault,
  fromApplication,
  fromEnvironment,
  fromOverrides,
  type Overrides,
  type RawSetting,
  readConfigFile,
  type SettingsInCode,
  type Source,
  usualFiles,
} from './sources.ts'

/** The most errors and notes of a kind that are listed one by one. */
const mostNamed = 20

/** The first ones as texts; the others are counted in one more. */
const listed = <T>(all: readonly T[], toText: (one: T) => string, toRest: (count: string) => string): string[] => {
  const texts = all.slice(0, mostNamed).map(toText)
  return all.length <= mostNamed ? texts : [...texts, toRest((all.length - mostNamed).toLocaleString('en'))]
}

/**
 * All errors in the settings. The command line prints its message without a stack.
 *
 * @example throw new ConfigError([{ name: 'app.gate.url', where: 'environment', message: 'does not answer' }])
 */
export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[]
  constructor(faults: readonly ConfigFault[]) {
    const lines = listed(
      faults,
      ({ name, where, message }) => `  - ${name ? `${name} (${where})` : where}: ${message}`,
      count => `  - and ${count} further errors`,
    )
    const count = faults.length === 1 ? 'an error' : `${faults.length} errors`
    super([`The configuration has ${count}:`, ...lines].join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

export interface ConfigSources {
  /** What the application has instead of the defaults. */
  readonly application?: SettingsInCode
  readonly overrides?: Overrides
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** The file in place of the application.yml, .yaml or .properties of the working folder. */
  readonly file?: string
}

/** The settings by full name, such as `app.mail.host` or `app.nodes.<name>.role`. */
type SettingTable = ReadonlyMap<string, ValueField>

interface ChosenValue extends NameMatch {
  readonly value: unknown
  readonly source: Source
  readonly where: string
}

/** Reads the application, the file, the environment and the overrides, in rising order; throws one ConfigError that names every error. */
export const loadSettings = (groups: readonly SettingGroup[], sources: ConfigSources): Config => {
  const table = tableOf(groups)
  const names = createSettingNames([...table.keys()])
  const choose = createChoose(table, names)
  const { settings, faults: early, warnings } = gather(names, sources)
  const faults = [...early]
  const chosen = new Map<string, ChosenValue>()
  for (const one of settings) {
    const result = choose(one)
    if (!result) continue
    if ('message' in result) {
      faults.push(result)
      continue
    }
    // The case of a free part is not known from a variable; the file may have it.
    const key = result.name.toLowerCase()
    const spelling = result.source === 'environment' ? chosen.get(key) : undefined
    chosen.set(key, spelling ? { ...result, name: spelling.name, parts: spelling.parts } : result)
  }
  const config = createConfig(groups, table, {
    chosen: [...chosen.values()],
    warnings,
    isProduction: isProduction(sources),
  })
  for (const group of groups)
    for (const { field, message } of group.check?.(config) ?? []) {
      const name = `${group.name}.${field}`
      faults.push({ name, where: chosen.get(name.toLowerCase())?.where ?? 'default', message })
    }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

/** All settings by their full names. Errors in their definitions are those of a developer. */
export const tableOf = (groups: readonly SettingGroup[]): SettingTable => {
  const table = new Map<string, ValueField>()
  const faults: { readonly message: string }[] = []
  for (const { name, fields } of groups)
    for (const [key, field] of Object.entries(fields)) {
      const setting = `${name}.${key}`
      if (table.has(setting)) faults.push({ message: `setting ${setting}: several groups declare it` })
      for (const message of fieldFaults(withoutEmptyDefault(field)))
        faults.push({ message: `setting ${setting}: ${message}` })
      table.set(setting, field)
    }
  if (faults.length > 0) throw new DefinitionError(faults)
  return table
}

/** An empty text says that nothing is given, so it need not fit the type. */
const withoutEmptyDefault = (field: ValueField): ValueField => {
  const { default: usual, ...options } = field.options
  return usual === '' ? { ...field, options } : field
}

const isOurs = (name: string): boolean => /^(app|server)(\.|$)/.test(name)

const didYouMean = (names: SettingNames, name: string): string => {
  const nearest = names.nearest(name)
  return nearest ? `; did you mean ${nearest}?` : ''
}

const gather = (
  names: SettingNames,
  { application = {}, env = process.env, cwd = process.cwd(), file, overrides = {} }: ConfigSources,
) => {
  const [path, ...unread] = file === undefined ? usualFiles(cwd) : [resolve(cwd, file)]
  const fromFile = path === undefined ? { settings: [], faults: [] } : readConfigFile(path)
  const variables = fromEnvironment(names, env)
  const foreign = fromFile.settings.filter(({ name }) => !isOurs(name))
  return {
    faults: fromFile.faults,
    settings: [
      ...fromApplication(application),
      ...fromFile.settings.filter(({ name }) => isOurs(name)),
      ...variables.settings,
      ...fromOverrides(overrides),
    ],
    warnings: [
      ...unread.map(other => `${other} is ignored because ${path} exists`),
      ...listed(
        foreign,
        ({ name, where }) => `${name} (${where}) is ignored: settings start with app. or server.`,
        count => `${count} further names are ignored: settings start with app. or server.`,
      ),
      ...listed(
        variables.unknown,
        variable => {
          const like = didYouMean(names, variable.toLowerCase().replaceAll('_', '.'))
          return `${variable} (environment) is ignored: there is no such setting${like}`
        },
        count => `${count} further variables are ignored: there are no such settings`,
      ),
    ],
  }
}

const quoted = (raw: RawSetting['raw']): string => (raw === true ? 'no value' : `'${String(raw)}'`)

/** Gives undefined for an empty group. */
const createChoose = (table: SettingTable, names: SettingNames) => {
  let unknown = 0
  return (setting: RawSetting): ChosenValue | ConfigFault | undefined => {
    const { name, where, raw, source } = setting
    const match = names.find(name)
    const field = match && table.get(match.entry)
    if (!match || !field) {
      // YAML with all names of a group commented out leaves the group's name with nothing behind it.
      if (raw === '' && names.isGroup(name)) return undefined
      unknown += 1
      // The value may be a secret under a misspelt name, so it is not repeated.
      const like = unknown <= mostNamed ? didYouMean(names, name) : ''
      return { name, where, message: `there is no such setting${like}` }
    }
    if (source === 'application' && isSecretSetting(field))
      return { name, where, message: 'is a secret: set it in the environment or in a file, not in code' }
    try {
      return { ...match, value: readValue(field, raw), source, where }
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      const got = isSecretSetting(field) ? '' : `, got ${quoted(raw)}`
      return { name, where, message: `${error.message}${got}` }
    }
  }
}

const readValue = ({ type, options }: ValueField, raw: RawSetting['raw']): unknown => {
  if (raw === true) return type.read(type.column === 'boolean' ? true : undefined)
  if (typeof raw !== 'string') return type.read(raw)
  if (raw.trim() !== '') return readSettingText(type, raw)
  if (options.default === '') return ''
  // `APP_NAME=` in an environment is a forgotten value rather than a chosen one.
  if (type.column === 'text') throw new ValueFault(fault('not_empty'))
  return readSettingText(type, raw)
}

const isProduction = ({ env = process.env }: ConfigSources): boolean => env.NODE_ENV === 'production'

interface ChosenValues extends Pick<Config, 'isProduction'> {
  readonly chosen: readonly ChosenValue[]
  readonly warnings: readonly string[]
}

const createConfig = (
  groups: readonly SettingGroup[],
  table: SettingTable,
  { chosen, warnings, isProduction }: ChosenValues,
): Config => {
  const byEntry = new Map<string, ChosenValue[]>()
  for (const one of chosen) {
    const others = byEntry.get(one.entry)
    if (others) others.push(one)
    else byEntry.set(one.entry, [one])
  }
  const values = [...table].flatMap(([entry, field]): ChosenValue[] => {
    const candidates = byEntry.get(entry) ?? []
    if (candidates.length > 0 || isNamed(entry)) return candidates
    return [
      { entry, name: entry, parts: {}, value: field.options.default ?? null, source: 'default', where: 'default' },
    ]
  })
  const fixed = new Map(groups.map(group => [group, fixedValues(group, values)]))
  return {
    get: <F extends SettingFields>(group: SettingGroup<F>) => {
      const found = fixed.get(group)
      if (!found) throw new Error(`No module declares the settings ${group.name}: add them to its 'settings'.`)
      return found as SettingsOf<F>
    },
    named: group => namedValues(group, values),
    all: () => values.flatMap(one => toSettingValue(table, one)),
    secrets: values.flatMap(({ entry, value }) => secretsIn(table.get(entry), value)),
    isProduction,
    warnings,
  }
}

const fixedValues = (
  { name, fields }: SettingGroup,
  values: readonly ChosenValue[],
): Readonly<Record<string, unknown>> => {
  const byName = new Map(values.map(one => [one.name, one.value]))
  return Object.fromEntries(Object.keys(fields).map(key => [key, byName.get(`${name}.${key}`) ?? null]))
}

const namedValues = <F extends SettingFields, Name extends string>(
  { name, fields }: SettingGroup<F, Name>,
  values: readonly ChosenValue[],
): readonly NamedSettings<F, Name>[] => {
  const sets = new Map<string, { parts: NameMatch['parts']; found: Map<string, ChosenValue> }>()
  for (const key of Object.keys(fields))
    for (const one of values.filter(({ entry }) => entry === `${name}.${key}`)) {
      const id = JSON.stringify(one.parts).toLowerCase()
      const set = sets.get(id) ?? { parts: one.parts, found: new Map() }
      // Variables have no case, so another source has the spelling.
      sets.set(id, one.source === 'environment' ? set : { ...set, parts: one.parts })
      set.found.set(key, one)
    }
  return [...sets.values()].map(({ parts, found }) => ({
    parts: parts as NamedSettings<F, Name>['parts'],
    values: Object.fromEntries([...found].map(([key, { value }]) => [key, value])) as NamedSettings<F, Name>['values'],
    faultAt: (field, message) => ({
      name: filled(`${name}.${field}`, parts),
      where: found.get(field)?.where ?? 'configuration',
      message,
    }),
  }))
}

const filled = (name: string, parts: NameMatch['parts']): string =>
  name.replace(/<(\w+)>/g, (whole, part: string) => parts[part] ?? whole)

const toSettingValue = (table: SettingTable, { entry, name, value, source, where }: ChosenValue): SettingValue[] => {
  const field = table.get(entry)
  return field ? [{ name, text: textOf(field, value), source, where, isSecret: isSecretSetting(field) }] : []
}

const textOf = (field: ValueField, value: unknown): string => {
  if (value === null) return ''
  if (!isSecretSetting(field) || value === '') return settingText(field.type, value)
  return hasSecretParts(field.type) ? field.type.mask(value) : '******'
}

const secretsIn = (field: ValueField | undefined, value: unknown): readonly string[] => {
  if (!field || !isSecretSetting(field) || value === null) return []
  if (hasSecretParts(field.type)) return field.type.secretsIn(value)
  return (Array.isArray(value) ? value : [value]).map(String).filter(text => text !== '')
}

const hasSecretParts = (type: ValueField['type']): type is SecretType => 'mask' in type
