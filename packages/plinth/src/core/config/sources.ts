// Where settings come from: a file, the environment, the command line. Each source becomes a list of names and texts.

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, extname, resolve } from 'node:path'
import { Pair, parseLines } from 'dot-properties'
import type { Node } from 'yaml'
import { errorCode } from '../problem.ts'
import type { SettingNames } from './names.ts'

/** A value as a source gives it: text, a list of texts (YAML), or true for an option named without a value. */
export type RawValue = string | readonly string[] | true

export type Source = 'default' | 'application' | 'file' | 'environment' | 'command line'

/** An error in a source. `name` is empty when it concerns the source as a whole. */
export interface ConfigFault {
  readonly name: string
  readonly where: string
  readonly message: string
}

export interface RawSetting {
  readonly name: string
  readonly raw: RawValue
  readonly source: Source
  /** The exact place, for messages: `application.yml, line 3`. */
  readonly where: string
}

export interface Reading {
  readonly settings: readonly RawSetting[]
  readonly faults: readonly ConfigFault[]
}

/** The files of the usual names that are there; the first is the one to read. */
export const usualFiles = (cwd: string): string[] =>
  ['application.yml', 'application.yaml', 'application.properties']
    .map(name => resolve(cwd, name))
    .filter(path => existsSync(path))

/** Finds the line of an offset, counted from 1. */
const createLineOf = (text: string): ((offset: number) => number) => {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index)
  return offset => {
    let [first, last] = [0, ends.length]
    while (first < last) {
      const middle = (first + last) >> 1
      if ((ends[middle] ?? 0) < offset) first = middle + 1
      else last = middle
    }
    return first + 1
  }
}

const readProperties = (text: string, file: string): Reading => {
  const lineOf = createLineOf(text)
  const pairs = parseLines(text, true).filter(node => node instanceof Pair)
  const settings = pairs.map(({ key, value, range }): RawSetting => {
    return { name: key, raw: value, source: 'file', where: `${file}, line ${lineOf(range?.[0] ?? 0)}` }
  })
  return { settings: settings, faults: [] }
}

/** Loads YAML when there is such a file: it takes longer than everything else here. */
const loadYaml = (): typeof import('yaml') => createRequire(import.meta.url)('yaml')

interface Leaf {
  readonly name: string
  readonly node: Node | null
}

const leavesOf = (node: unknown, path: readonly string[]): Leaf[] => {
  const { isMap, isScalar } = loadYaml()
  if (!isMap<Node, Node | null>(node)) return [{ name: path.join('.'), node: node as Node | null }]
  return node.items.flatMap(({ key, value }) => {
    if (isScalar(key)) return leavesOf(value, [...path, String(key.value)])
    return [{ name: [...path, '?'].join('.'), node: key }]
  })
}

const toRaw = (node: Node | null): RawValue | undefined => {
  const { isScalar, isSeq } = loadYaml()
  if (isScalar(node)) return String(node.value)
  if (!isSeq(node)) return undefined
  const items = node.items.map(item => (isScalar(item) ? String(item.value) : undefined))
  return items.every(item => item !== undefined) ? items : undefined
}

const readYaml = (text: string, file: string): Reading => {
  const lineOf = createLineOf(text)
  const at = (offset: number | undefined) => `${file}, line ${lineOf(offset ?? 0)}`
  // With the failsafe schema all scalars stay text: a password of digits keeps its leading zero. The parser's pretty
  // messages quote the source, which may hold secrets.
  const { isMap, parseDocument } = loadYaml()
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: false })
  const faults = document.errors.map(({ message, pos }): ConfigFault => ({ name: '', where: at(pos[0]), message }))
  if (faults.length > 0 || document.contents === null) return { settings: [], faults }
  if (!isMap(document.contents)) {
    return { settings: [], faults: [{ name: '', where: file, message: 'expected keys with values' }] }
  }
  const settings: RawSetting[] = []
  for (const { name, node } of leavesOf(document.contents, [])) {
    const raw = toRaw(node)
    const where = at(node?.range?.[0])
    if (raw === undefined) faults.push({ name, where, message: 'expected a string, a list of strings or nested keys' })
    else settings.push({ name, raw, source: 'file', where })
  }
  return { settings: settings, faults }
}

const readers: Readonly<Record<string, (text: string, file: string) => Reading>> = {
  '.yml': readYaml,
  '.yaml': readYaml,
  '.properties': readProperties,
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'no permission to read the file',
}

const readText = (path: string): string | { readonly problem: string } => {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const code = errorCode(error) || 'unknown'
    return { problem: unreadable[code] ?? `the file cannot be read (${code})` }
  }
}

const repeated = (settings: readonly RawSetting[]): ConfigFault[] => {
  const names = new Set<string>()
  return settings
    .filter(({ name }) => names.size === names.add(name).size)
    .map(({ name, where }) => ({ name, where, message: 'is set twice in this file' }))
}

export const readConfigFile = (path: string): Reading => {
  const file = basename(path)
  const fault = (message: string): Reading => ({ settings: [], faults: [{ name: '', where: path, message }] })
  const reader = readers[extname(path).toLowerCase()]
  if (!reader) return fault('a configuration file must end in .yml, .yaml or .properties')
  const text = readText(path)
  if (typeof text !== 'string') return fault(text.problem)
  const { settings, faults } = reader(text, file)
  return { settings: settings, faults: [...faults, ...repeated(settings)] }
}

/** Values of settings as code gives them, by their full names. */
export type SettingsInCode = Readonly<Record<string, boolean | number | string | readonly string[]>>

const appFile = 'plinth.config.ts'

/** What the application has instead of the defaults of Plinth. */
export const fromApplication = (settings: SettingsInCode): RawSetting[] =>
  Object.entries(settings).map(([name, value]) => ({
    name,
    raw: typeof value === 'object' ? value : String(value),
    source: 'application',
    where: appFile,
  }))

/** Names and texts that stand above every other source. */
export type Overrides = Readonly<Record<string, RawValue>>

export const fromOverrides = (overrides: Overrides): RawSetting[] =>
  Object.entries(overrides).map(([name, raw]) => ({ name, raw, source: 'command line', where: 'command line' }))

/** Variables with our prefixes that are no setting are returned apart: other software uses such names too. */
export const fromEnvironment = (
  names: SettingNames,
  env: Readonly<Record<string, string | undefined>>,
): { readonly settings: readonly RawSetting[]; readonly unknown: readonly string[] } => {
  const settings: RawSetting[] = []
  const unknown: string[] = []
  for (const [variable, raw] of Object.entries(env)) {
    if (raw === undefined || !/^(app|server)_/i.test(variable)) continue
    const match = names.ofVariable(variable)
    if (match) settings.push({ name: match.name, raw, source: 'environment', where: `environment, ${variable}` })
    else unknown.push(variable)
  }
  return { settings: settings, unknown }
}

/**
 * Takes `--app.x=value` and `--app.x value` out of the arguments and leaves the rest. A flag takes the next argument
 * only when that is true or false, so that `--app.demo start` means what it says.
 */
export const takeSettings = (
  args: readonly string[],
  isFlag: (name: string) => boolean,
): { readonly overrides: Overrides; readonly rest: readonly string[] } => {
  const overrides: Record<string, RawValue> = {}
  const rest: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const [, name, value] = /^--((?:app|server)\.[^=]*)(?:=(.*))?$/s.exec(arg) ?? []
    const next = args[index + 1]
    if (name === undefined) rest.push(arg)
    else if (value !== undefined) overrides[name] = value
    else if (next === undefined || (isFlag(name) ? !/^(true|false)$/i.test(next) : next.startsWith('--')))
      overrides[name] = true
    else {
      overrides[name] = next
      index++
    }
  }
  return { overrides, rest }
}

/** Is the process a script of a package.json, such as `npm start`? */
export const isRunByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined
