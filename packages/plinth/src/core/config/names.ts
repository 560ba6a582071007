// Names of settings: finding the one that a source means, also where a part of the name is free, as in
// `app.access.<resource>.<operation>`.

import { nearestName } from '../nearest-name.ts'

export interface NameMatch {
  /** The name in the table. */
  readonly entry: string
  /** The name meant, with the free parts filled in. */
  readonly name: string
  readonly parts: Readonly<Record<string, string>>
}

export interface SettingNames {
  find(name: string): NameMatch | undefined
  /** `APP_API_MAXPAGESIZE` is app.api.maxPageSize. What the free parts looked like before is not known: they become lower case. */
  ofVariable(variable: string): NameMatch | undefined
  /** Do the names of settings begin with it? */
  isGroup(name: string): boolean
  /** The setting that a misspelt name most likely means. It is compared with every setting. */
  nearest(name: string): string | undefined
}

const freePart = /<(\w+)>/g

const isFree = (entry: string): boolean => entry.includes('<')

/** Names without free parts are looked up; only the others are tried one after the other. */
export const createSettingNames = (entries: readonly string[]): SettingNames => {
  const toVariable = (entry: string): string => entry.toLowerCase().replaceAll('.', '_')
  const fixed = entries.filter(entry => !isFree(entry))
  const byName = new Map(fixed.map(entry => [entry, entry]))
  const byVariable = new Map(fixed.toReversed().map(entry => [toVariable(entry), entry]))
  const free = entries.filter(isFree)
  const patterns = free.map(entry => ({ entry, pattern: toPattern(entry.replaceAll('.', '\\.'), '([^.]+)') }))
  const variablePatterns = free.map(entry => ({ entry, pattern: toPattern(toVariable(entry), '(.+)') }))
  const groups = new Set(entries.flatMap(groupsOf))
  return {
    find: name => matchFixed(byName.get(name)) ?? matchFree(patterns, name),
    ofVariable: variable => {
      const name = variable.toLowerCase()
      return matchFixed(byVariable.get(name)) ?? matchFree(variablePatterns, name)
    },
    isGroup: name => groups.has(name),
    nearest: name => nearestOf(entries, name),
  }
}

const groupsOf = (entry: string): string[] => {
  const segments = entry.split('.')
  return segments.slice(0, -1).map((_, at) => segments.slice(0, at + 1).join('.'))
}

const toPattern = (text: string, part: string): RegExp => new RegExp(`^${text.replaceAll(freePart, part)}$`)

const matchFixed = (entry: string | undefined): NameMatch | undefined =>
  entry === undefined ? undefined : { entry, name: entry, parts: {} }

interface FreeName {
  readonly entry: string
  readonly pattern: RegExp
}

const matchFree = (patterns: readonly FreeName[], name: string): NameMatch | undefined => {
  for (const { entry, pattern } of patterns) {
    const found = pattern.exec(name)
    if (!found) continue
    const parts: Record<string, string> = {}
    let filled = entry
    for (const [index, [whole, part = '']] of [...entry.matchAll(freePart)].entries()) {
      const text = found[index + 1] ?? ''
      parts[part] = text
      filled = filled.replace(whole, () => text)
    }
    return { entry, name: filled, parts }
  }
  return undefined
}

/** The entry with its free parts taken from the given name, so that only the fixed parts are compared. */
const filledFrom = (entry: string, name: string): string => {
  const parts = name.split('.')
  const segments = entry.split('.')
  return segments.map((segment, index) => (segment.startsWith('<') ? (parts[index] ?? segment) : segment)).join('.')
}

const nearestOf = (entries: readonly string[], name: string): string | undefined => {
  const filled = entries.map(entry => filledFrom(entry, name))
  const nearest = nearestName(filled, name)
  return nearest === undefined ? undefined : entries[filled.indexOf(nearest)]
}
