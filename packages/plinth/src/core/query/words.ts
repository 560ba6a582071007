// `search`: the words that records are to have.

import { type FaultReason, fault } from '../fault.ts'
import type { Resource } from '../model/resource.ts'
import type { SearchLanguage } from '../model/search/analysis.ts'
import { readableOf } from '../model/search/readable.ts'
import { searchIndexOf } from '../model/search/search-index.ts'
import { maxSearchLength, maxSearchWords, readSearchText } from '../model/search/search-text.ts'
import type { WordSearch } from '../model/search/word-search.ts'
import type { Visibility } from '../model/views.ts'
import type { Fault } from '../problem.ts'
import { type Parameters, single } from './parameters.ts'
import { badParameter, badValue, note, refuse } from './query-faults.ts'
import type { QueryScope } from './scope.ts'

export const searchParameter = 'search'
export const matchesParameter = '_matches'

/** Reads the parameter; null where nothing is searched for. */
export const readWords = (parameters: Parameters, resource: Resource, scope: QueryScope): WordSearch | null => {
  const sent = single(parameters, searchParameter, scope.faults)
  // An empty search field of a form is no search.
  if (!sent?.trim()) return null
  const wrong = faultOf(resource, sent)
  if (!wrong) return toWords(resource, sent, scope.visibility)
  note(scope.faults, wrong)
  return null
}

export const readShowsMatches = (parameters: Parameters, { faults }: QueryScope): boolean => {
  const sent = single(parameters, matchesParameter, faults)
  if (sent !== undefined && sent !== 'true' && sent !== 'false')
    note(faults, badParameter(matchesParameter, sent, fault('choice', { choices: ['true', 'false'] })))
  return sent === 'true'
}

/** The same of a text in code. */
export const toWordSearch = (resource: Resource, sent: string, visibility: Visibility): WordSearch => {
  const wrong = faultOf(resource, sent)
  if (wrong) refuse([wrong])
  return toWords(resource, sent, visibility)
}

const faultOf = (resource: Resource, sent: string): Fault | null => {
  const toFault = (reason: FaultReason): Fault => ({
    parameter: searchParameter,
    ...badValue(sent, reason, `'search' ${reason.message}.`),
  })
  if (sent.length > maxSearchLength) return toFault(fault('max_length', { max: maxSearchLength }))
  const { words, excluded } = readSearchText(sent, languageOf(resource))
  return words.length + excluded.length > maxSearchWords ? toFault(fault('max_words', { max: maxSearchWords })) : null
}

const languageOf = (resource: Resource): SearchLanguage => searchIndexOf(resource)?.language ?? 'none'

/** The fields that are searched are those that the caller may read. */
const toWords = (resource: Resource, sent: string, visibility: Visibility): WordSearch => {
  const parts = new Set(readableOf(resource, visibility).map(({ part }) => part))
  return { text: readSearchText(sent, languageOf(resource)), parts: [...parts], forgiving: false }
}
