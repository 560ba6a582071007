// Settings from all sources made into one typed, checked object; every fault is told at once.

import { resolve } from 'node:path'
import type { Kind } from './kinds.ts'
import { type Match, matchName, nearestName } from './names.ts'
import {
  type ConfigFault,
  fromEnvironment,
  fromOverrides,
  type Given,
  type Overrides,
  readConfigFile,
  type Source,
  usualFiles,
} from './sources.ts'

export interface Setting<T = unknown> {
  readonly is: Kind<T>
  readonly default: NoInfer<T>
  readonly meaning: string
  /** Never shown in full, neither in messages nor by `all()`. */
  readonly secret?: boolean
}

/** A setting whose name has free parts. It may have many values, so it has no default. */
export type NamedSetting<T = unknown> = Omit<Setting<T>, 'default'>

export const setting = <T>(one: Setting<T>): Setting<T> => one
export const named = <T>(one: NamedSetting<T>): NamedSetting<T> => one

export type Table = Readonly<Record<string, Setting | NamedSetting>>

type PlainName<T extends Table> = { [N in keyof T]: T[N] extends Setting ? N : never }[keyof T] & string
type PatternName<T extends Table> = Exclude<keyof T, PlainName<T>> & string
type ValueOf<S> = S extends { readonly is: Kind<infer V> } ? V : never
type PartOf<N extends string> = N extends `${string}<${infer Part}>${infer Rest}` ? Part | PartOf<Rest> : never

export interface NamedValue<Part extends string, V> {
  readonly name: string
  /** From the environment these are lower case: compare them without regard to case. */
  readonly parts: Readonly<Record<Part, string>>
  readonly value: V
  readonly where: string
}

export interface ShownSetting {
  readonly name: string
  /** The value as text, without secrets. */
  readonly shown: string
  readonly source: Source
  readonly where: string
  readonly secret: boolean
}

export interface ConfigOf<T extends Table> {
  get<N extends PlainName<T>>(name: N): ValueOf<T[N]>
  /** Every value given for a name with free parts, such as `app.access.<resource>.<operation>`. */
  named<N extends PatternName<T>>(pattern: N): readonly NamedValue<PartOf<N>, ValueOf<T[N]>>[]
  /** Every setting and where its value comes from, fit to be shown. */
  all(): readonly ShownSetting[]
  /** Every text that must not be seen anywhere: the values of secret settings, and their secret parts. */
  readonly secrets: readonly string[]
  /** What was ignored, for a person to look at. */
  readonly warnings: readonly string[]
}

export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[]
  constructor(faults: readonly ConfigFault[]) {
    const lines = faults.map(({ name, where, message }) => `  - ${name ? `${name} (${where})` : where}: ${message}`)
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
    super([`The configuration has ${count}:`, ...lines].join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

export interface ConfigSources {
  readonly overrides?: Overrides
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Instead of the application.yml, .yaml or .properties of the working folder. */
  readonly file?: string
}

/** Checks that concern several settings: each fault names the one to change. */
export type CrossCheck<T extends Table> = (config: ConfigOf<T>) => readonly { name: PlainName<T>; message: string }[]

interface Chosen extends Match {
  readonly value: unknown
  readonly source: Source
  readonly where: string
}

const isOurs = (name: string): boolean => /^(app|server)(\.|$)/.test(name)

const didYouMean = (table: Table, name: string): string => {
  const nearest = nearestName(Object.keys(table), name)
  return nearest ? `; did you mean ${nearest}?` : ''
}

/** YAML with all names of a group commented out leaves the group's name with nothing behind it. */
const isEmptyGroup = (table: Table, { name, raw }: Given): boolean =>
  raw === '' && Object.keys(table).some(entry => entry.startsWith(`${name}.`))

const quoted = (raw: Given['raw']): string => (raw === true ? 'no value' : `'${String(raw)}'`)

const choose = (table: Table, given: Given): Chosen | ConfigFault | undefined => {
  const { name, where, raw, source } = given
  const match = matchName(Object.keys(table), name)
  const setting = match && table[match.entry]
  if (!match || !setting) {
    // The value may be a secret under a mistyped name, so it is not repeated.
    if (isEmptyGroup(table, given)) return undefined
    return { name, where, message: `there is no such setting${didYouMean(table, name)}` }
  }
  const value = setting.is.read(raw)
  if (value !== undefined) return { ...match, value, source, where }
  const got = setting.secret ? '' : `, got ${quoted(raw)}`
  return { name, where, message: `expected ${setting.is.expects}${got}` }
}

const gather = (table: Table, { env = process.env, cwd = process.cwd(), file, overrides = {} }: ConfigSources) => {
  const [path, ...unread] = file === undefined ? usualFiles(cwd) : [resolve(cwd, file)]
  const fromFile = path === undefined ? { given: [], faults: [] } : readConfigFile(path)
  const variables = fromEnvironment(Object.keys(table), env)
  const foreign = fromFile.given.filter(({ name }) => !isOurs(name))
  return {
    faults: fromFile.faults,
    given: [...fromFile.given.filter(({ name }) => isOurs(name)), ...variables.given, ...fromOverrides(overrides)],
    warnings: [
      ...unread.map(other => `${other} is not read, since ${path} is there`),
      ...foreign.map(({ name, where }) => `${name} (${where}) is ignored: settings start with app. or server.`),
      ...variables.unknown.map(variable => {
        const like = didYouMean(table, variable.toLowerCase().replaceAll('_', '.'))
        return `${variable} (environment) is ignored: there is no such setting${like}`
      }),
    ],
  }
}

const show = (setting: NamedSetting, value: unknown): string => {
  if (setting.secret && value !== '') return setting.is.mask?.(value) ?? '******'
  return String(value)
}

const secretsIn = (setting: NamedSetting, value: unknown): readonly string[] => {
  if (!setting.secret) return []
  if (setting.is.secretsIn) return setting.is.secretsIn(value)
  return (Array.isArray(value) ? value : [value]).map(String).filter(text => text !== '')
}

const createConfig = <T extends Table>(
  table: T,
  chosen: ReadonlyMap<string, Chosen>,
  warnings: readonly string[],
): ConfigOf<T> => {
  const values: Chosen[] = Object.entries(table).flatMap(([entry, setting]): Chosen[] => {
    const given = [...chosen.values()].filter(one => one.entry === entry)
    if (given.length > 0 || !('default' in setting)) return given
    return [{ entry, name: entry, parts: {}, value: setting.default, source: 'default', where: 'default' }]
  })
  const byName = new Map(values.map(one => [one.name, one.value]))
  const shown = values.map(({ entry, name, value, source, where }): ShownSetting => {
    const setting = table[entry] as NamedSetting
    return { name, shown: show(setting, value), source, where, secret: setting.secret ?? false }
  })
  return {
    get: <N extends PlainName<T>>(name: N) => byName.get(name) as ValueOf<T[N]>,
    named: <N extends PatternName<T>>(pattern: N) =>
      values.filter(({ entry }) => entry === pattern) as readonly NamedValue<PartOf<N>, ValueOf<T[N]>>[],
    all: () => shown,
    secrets: values.flatMap(({ entry, value }) => secretsIn(table[entry] as NamedSetting, value)),
    warnings,
  }
}

export const load = <T extends Table>(table: T, sources: ConfigSources, check: CrossCheck<T>): ConfigOf<T> => {
  const { given, faults: early, warnings } = gather(table, sources)
  const faults = [...early]
  const chosen = new Map<string, Chosen>()
  for (const one of given) {
    const result = choose(table, one)
    if (!result) continue
    if ('message' in result) {
      faults.push(result)
      continue
    }
    // A variable does not tell the case of a free part; the file may have.
    const key = result.name.toLowerCase()
    const spelling = result.source === 'environment' ? chosen.get(key) : undefined
    chosen.set(key, spelling ? { ...result, name: spelling.name, parts: spelling.parts } : result)
  }
  const config = createConfig(table, chosen, warnings)
  for (const { name, message } of check(config)) {
    faults.push({ name, where: chosen.get(name.toLowerCase())?.where ?? 'default', message })
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}
