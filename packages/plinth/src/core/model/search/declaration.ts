// How a definition says which fields are searched by words.

import type { SearchLanguage } from './analysis.ts'

/** Fields by weight: a list from the most important one to the least, or a number for each. */
export type SearchWeights = readonly string[] | Readonly<Record<string, number>>

/** Fields, and how their words are compared. */
export interface SearchOptions {
  readonly fields: SearchWeights
  /** The language of the texts, by whose rules words are reduced to their stems: English unless given. */
  readonly language?: SearchLanguage
}

export type SearchDeclaration = readonly string[] | SearchOptions | Readonly<Record<string, number>>

const isOptions = (declared: SearchDeclaration): declared is SearchOptions =>
  !Array.isArray(declared) && 'fields' in declared && typeof declared.fields === 'object'

/** The names of the fields with their weights, and the language. */
export const readDeclaration = (
  declared: SearchDeclaration,
): { readonly weights: ReadonlyMap<string, number>; readonly language: SearchLanguage } => {
  const { fields, language = 'en' } = isOptions(declared) ? declared : { fields: declared }
  const entries: readonly (readonly [string, number])[] = Array.isArray(fields)
    ? fields.map((name: string, at) => [name, fields.length - at])
    : Object.entries(fields as Readonly<Record<string, number>>)
  return { weights: new Map(entries), language }
}
