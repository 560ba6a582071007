// A search by words as the store runs it: the entries of the index that stand for each word, and what they count for.

import { integer } from '../fields.ts'
import type { Resource, ResourceField } from '../resource.ts'

/** An entry of the index that stands for a word of a search. */
export interface FoundEntry {
  readonly entry: string
  /** Is it the word itself, and not one like it? */
  readonly isExact: boolean
}

export interface FoundWord {
  readonly entries: readonly FoundEntry[]
  /** How many entries of records are visited for it, about. */
  readonly visits: number
}

/** Entries in a row: one of them for each part of the index that the caller may read. */
export type FoundPhrase = readonly (readonly string[])[]

export interface FoundSearch {
  /** The rarest first. Records have all of them, or enough of them where they are to be like another one. */
  readonly words: readonly FoundWord[]
  readonly phrases: readonly FoundPhrase[]
  /** What records must not have: entries any of which is enough, or phrases. */
  readonly excluded: readonly FoundPhrase[]
  /** The record that others are to be like; absent for words that a caller has sent. */
  readonly similarTo?: string
  /** Nothing can match: a word stands in no record. */
  readonly isEmpty: boolean
  /** How many records the other conditions leave, about: of fewer than match, it is quicker to begin with these. */
  readonly left: number
}

/** A record that matches, and how well. */
export interface RankedRecord {
  readonly pk: string
  readonly score: number
}

/** The records that a statement is about. */
export interface FoundRows {
  /** Numbers of documents with scores. */
  readonly numbered: readonly (readonly [doc: number, score: number])[]
  readonly named: readonly RankedRecord[]
  /** It is about all other records, which have no score. */
  readonly isExcluding: boolean
}

/** The records that have the words of a search, with a score. */
export interface RecordsFound {
  readonly kind: 'found'
  readonly search: FoundSearch
  /** Which these are, once the store has looked them up. */
  readonly rows?: FoundRows
}

/** The name of the score of a record among those found. */
export const scoreName = '_score'

const fields = new WeakMap<Resource, ResourceField>()

/** The score as a field of the records found, by which they are sorted: in millionths. */
export const scoreOf = (owner: Resource): ResourceField => {
  const known = fields.get(owner)
  if (known) return known
  const definition = integer({ required: true })
  const field: ResourceField = { name: scoreName, definition, owner, target: null, inverseOf: null, back: null }
  fields.set(owner, field)
  return field
}

/** Do the best matches come first, or last? */
export const isByScore = ([first]: readonly { readonly path: { readonly field: ResourceField } }[]): boolean =>
  first !== undefined && first.path.field === fields.get(first.path.field.owner)

/** How much the number of times that a word occurs counts, and how much the length of a document (BM25). */
export const [saturation, lengthShare] = [1.2, 0.75]

/** The weight of a word by the number of records that have it (BM25). */
export const rarityOf = (withWord: number, all: number): number =>
  Math.log(1 + (Math.max(all, withWord) - withWord + 0.5) / (withWord + 0.5))
