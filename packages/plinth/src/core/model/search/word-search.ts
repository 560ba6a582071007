// A search by words on its way to the store, which knows what its words stand for.

import type { Requester } from '../caller.ts'
import type { SearchedField } from './search-index.ts'
import type { SearchText } from './search-text.ts'

/** A search for records that are like another one, by the texts that the caller may read. */
export interface SimilarSearch {
  readonly pk: string
  readonly fields: readonly SearchedField[]
}

export interface WordSearch {
  readonly text: SearchText
  /** The parts of the index that the caller may read. */
  readonly parts: readonly number[]
  /** Also words that differ by one letter. */
  readonly forgiving: boolean
  /** The user on whose behalf it is; absent for searches that the service makes for itself. */
  readonly requester?: Requester | undefined
}
