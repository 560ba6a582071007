// The index of a resource that is searched by words: its fields, and how their texts become entries.

import { sha256Of } from '../../digest.ts'
import type { Resource, ResourceField } from '../resource.ts'
import { analysisVersion, type SearchLanguage, stemOf, wordsOf } from './analysis.ts'
import { readDeclaration, type SearchDeclaration } from './declaration.ts'

export interface SearchedField {
  /** As it is declared, such as `title` or `author.name`. */
  readonly name: string
  readonly field: ResourceField
  /** The relation that leads to it; null for a field of the record itself. */
  readonly via: ResourceField | null
  readonly weight: number
  /**
   * Fields that everybody may read who may read the record share part 0. Each other one is a part of its own, so that it can be left out for a
   * caller who may not read it. So is each field of related records.
   */
  readonly part: number
}

export interface SearchIndex {
  readonly fields: readonly SearchedField[]
  /** The relations whose records are searched as well. */
  readonly relations: readonly ResourceField[]
  readonly language: SearchLanguage
  /** Tells whether what was built is of this declaration. */
  readonly signature: string
}

/** Changes with the tables of indexes and what they hold: others are built again. */
const layoutVersion = 2

const known = new WeakMap<Resource, SearchIndex | null>()

/** Returns null where records are not searched by words. */
export const searchIndexOf = (resource: Resource): SearchIndex | null => {
  const { search } = resource.definition
  if (!search) return null
  const before = known.get(resource)
  if (before !== undefined) return before
  const index = toIndex(resource, search)
  known.set(resource, index)
  return index
}

const toIndex = (resource: Resource, declared: SearchDeclaration): SearchIndex => {
  const { weights, language } = readDeclaration(declared)
  let parts = 0
  const fields = [...weights].flatMap(([name, weight]): readonly SearchedField[] => {
    const { via, field } = fieldAt(resource, name)
    if (!field) return []
    const { readable, writeOnly } = field.definition.options
    const isGuarded = via !== null || readable !== undefined || writeOnly === true
    if (isGuarded) parts += 1
    return [{ name, field, via, weight, part: isGuarded ? parts : 0 }]
  })
  const described = fields.map(({ name, via, weight, part }) => [
    name,
    weight,
    part,
    ...(via ? [via.target?.name] : []),
  ])
  const text = JSON.stringify([analysisVersion, layoutVersion, language, described])
  const relations = [...new Set(fields.flatMap(({ via }) => via ?? []))]
  return { fields, relations, language, signature: sha256Of(text).slice(0, 16) }
}

/** The field of a declared name, and the relation before the dot. */
export const fieldAt = (
  { fields }: Resource,
  name: string,
): { readonly via: ResourceField | null; readonly field: ResourceField | undefined } => {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) return { via: null, field: fields.get(name) }
  const via = fields.get(first) ?? null
  return { via, field: via?.target?.fields.get(rest.join('.')) }
}

/** A word of a part as the index has it: those of guarded fields begin with the number of their part. */
export const entryOf = (stem: string, part: number): string => (part === 0 ? stem : `${part} ${stem}`)

/**
 * The index has the beginning of a long record: so many characters of each text, words in all, and different ones. What a write takes has an
 * end, and so has what another write that waits for it takes.
 */
const [maxCharacters, maxWords, maxEntries] = [200_000, 20_000, 5000]

/** A word of a document: its weight, the number of words of its part, by their weights, and the places where it stands. */
export type IndexedEntry = readonly [entry: string, weight: number, length: number, ...places: readonly number[]]

export interface IndexedDocument {
  readonly entries: readonly IndexedEntry[]
  /** The number of its words, by their weights. */
  readonly length: number
}

interface CountedEntry {
  readonly part: number
  weight: number
  readonly places: number[]
}

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.flatMap(textsOf) : []
}

/** What the index has of a record, by the values of its fields, and by the texts of related records. */
export const indexedDocument = (
  { fields, language }: SearchIndex,
  texts: Readonly<Record<string, unknown>>,
): IndexedDocument => {
  const counted = new Map<string, CountedEntry>()
  const lengths = new Map<number, number>()
  let [left, place] = [maxWords, 0]
  for (const { name, weight, part } of fields)
    for (const text of textsOf(texts[name])) {
      if (left === 0 || counted.size >= maxEntries) break
      const words = wordsOf(text.slice(0, maxCharacters)).slice(0, left)
      left -= words.length
      lengths.set(part, (lengths.get(part) ?? 0) + weight * words.length)
      for (const word of words) {
        const entry = entryOf(stemOf(word, language), part)
        const known = counted.get(entry) ?? { part, weight: 0, places: [] }
        if (known.weight === 0 && counted.size >= maxEntries) break
        known.weight += weight
        known.places.push(place)
        counted.set(entry, known)
        place += 1
      }
      // No phrase goes from one text to the next.
      place += 1
    }
  const entries = [...counted].map(
    ([entry, { part, weight, places }]): IndexedEntry => [entry, weight, lengths.get(part) ?? 0, ...places],
  )
  return { entries, length: [...lengths.values()].reduce((sum, one) => sum + one, 0) }
}
