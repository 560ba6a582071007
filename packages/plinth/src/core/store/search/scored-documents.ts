// The documents that match a search, and how well.

import type { RankedRecord } from '../../model/search/found-words.ts'

/** Documents with a number, in rising order, and what they count for. */
export interface ScoredDocuments {
  readonly docs: Uint32Array
  readonly scores: Float64Array
}

/** All documents that match. */
export interface Matches extends ScoredDocuments {
  /** Documents without a number. */
  readonly fresh: readonly RankedRecord[]
  /** The records are all others: nothing but excluded words was searched for. */
  readonly isExcluding: boolean
}

export const noMatches: Matches = {
  ...{ docs: new Uint32Array(0), scores: new Float64Array(0) },
  ...{ fresh: [], isExcluding: false },
}
