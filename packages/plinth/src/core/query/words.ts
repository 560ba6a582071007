// `search`: the words that records are to have.

import { fault } from '../fault.ts'
import type { Resource } from '../model/resource.ts'
import { searchIndexOf } from '../model/search/search-index.ts'
import { maxSearchLength, maxSearchWords, readSearchText } from '../model/search/search-text.ts'
import type { WordSearch } from '../model/search/word-search.ts'
import { type Parameters, single } from './parameters.ts'
import { badValue, note } from './query-faults.ts'
import type { QueryScope } from './scope.ts'

export const searchParameter = 'search'

/** The fields of the resource that the caller may search by words are those that the caller may read. */
export const readWords = (parameters: Parameters, resource: Resource, scope: QueryScope): WordSearch | null => {
  const index = searchIndexOf(resource)
  if (!index) return null
  const sent = single(parameters, searchParameter, scope.faults)
  // An empty search field of a form is no search.
  if (!sent?.trim()) return null
  const length = fault('max_length', { max: maxSearchLength })
  if (sent.length > maxSearchLength) {
    note(scope.faults, { parameter: searchParameter, ...badValue(sent, length, `'search' ${length.message}.`) })
    return null
  }
  const text = readSearchText(sent, index.language)
  if (text.words.length + text.excluded.length > maxSearchWords) {
    const reason = fault('max_words', { max: maxSearchWords })
    note(scope.faults, { parameter: searchParameter, ...badValue(sent, reason, `'search' ${reason.message}.`) })
    return null
  }
  const { fields } = scope.visibility.view(resource)
  const parts = new Set(index.fields.filter(({ field }) => fields.has(field.name)).map(({ part }) => part))
  return { text, parts: [...parts], forgiving: false }
}
