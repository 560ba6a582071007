// Names of settings: finding the one that a source means, also where a part of the name is free, as in
// `app.access.<resource>.<operation>`.

import { nearestName } from '../nearest-name.ts'

export interface Match {
  /** The name in the table. */
  readonly entry: string
  /** The name meant, with the free parts filled in. */
  readonly name: string
  readonly parts: Readonly<Record<string, string>>
}

const freePart = /<(\w+)>/g

const matchWith = (
  entries: readonly string[],
  toPattern: (entry: string) => RegExp,
  name: string,
): Match | undefined => {
  for (const entry of entries) {
    const found = toPattern(entry).exec(name)
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

const exactly = (entry: string): RegExp =>
  new RegExp(`^${entry.replaceAll('.', '\\.').replaceAll(freePart, '([^.]+)')}$`)

const asVariable = (entry: string): RegExp =>
  new RegExp(`^${entry.toLowerCase().replaceAll('.', '_').replaceAll(freePart, '(.+)')}$`)

export const matchName = (entries: readonly string[], name: string): Match | undefined =>
  matchWith(entries, exactly, name)

/** `APP_API_MAXPAGESIZE` is app.api.maxPageSize. What the free parts looked like before is not known: they become lower case. */
export const matchVariable = (entries: readonly string[], variable: string): Match | undefined =>
  matchWith(entries, asVariable, variable.toLowerCase())

/** The entry with its free parts taken from the given name, so that only the fixed parts are compared. */
const filledFrom = (entry: string, name: string): string => {
  const given = name.split('.')
  const segments = entry.split('.')
  return segments.map((segment, index) => (segment.startsWith('<') ? (given[index] ?? segment) : segment)).join('.')
}

/** The setting that a misspelt name most likely means. */
export const nearestSetting = (entries: readonly string[], name: string): string | undefined => {
  const filled = entries.map(entry => filledFrom(entry, name))
  const nearest = nearestName(filled, name)
  return nearest === undefined ? undefined : entries[filled.indexOf(nearest)]
}
