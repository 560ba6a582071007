// What people search for, as a filter that the service understands.

import { containing, toFilter } from '@plinth/client'
import type { FieldWithWidget } from './widgets/widget.ts'

/** Conditions on single fields, by name: `a`, `a,b` or `from..to`. */
export type Conditions = Readonly<Record<string, string>>

export interface ListSearch {
  /** The text looked for in the name of the record, and in other texts that name it. */
  readonly quick: string
  /** The condition in the filter language. */
  readonly text: string
  readonly conditions: Conditions
}

/** Words beyond these would make the filter costly, and find nothing more. */
const maxWords = 8

/**
 * Splits a text into words, each of which is searched in one of several fields, such as a first and a last name. One
 * field gets the whole text.
 */
const wordsOf = (text: string, fields: readonly string[]): readonly object[] => {
  const words = fields.length === 1 ? [text] : text.split(/\s+/).slice(0, maxWords)
  return words
    .filter(word => word !== '')
    .map(word => ({ or: fields.map(field => ({ [field]: { ilike: containing(word) } })) }))
}

export interface Composed {
  readonly filter: string
  /** The place where the person's own text begins in it. */
  readonly textAt: number
}

/** All of it must hold. The person's own text comes first, so that the service's positions fit it. */
export const composeFilter = (
  search: ListSearch,
  fields: readonly FieldWithWidget[],
  quickSearch: readonly string[],
): Composed => {
  const conditions = quickSearch.length > 0 ? [...wordsOf(search.quick, quickSearch)] : []
  for (const field of fields) {
    const value = search.conditions[field.name]
    if (value && field.widget.search) conditions.push({ [field.name]: field.widget.search.toCondition(value, field) })
  }
  const chosen = conditions.flatMap(condition => toFilter(condition) ?? []).join(';')
  const text = search.text.trim()
  if (text === '') return { filter: chosen, textAt: 0 }
  return chosen === '' ? { filter: text, textAt: 0 } : { filter: `(${text});${chosen}`, textAt: 1 }
}
