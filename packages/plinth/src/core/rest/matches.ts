// Why each record of a ranked page is where it is: how well it has the words, and how near it is.

import { distanceName, type RecordsNear } from '../model/near.ts'
import type { StoredRecord } from '../model/record.ts'
import type { RecordsFound } from '../model/search/found-words.ts'
import type { Match, View } from '../model/view.ts'
import { matchOf } from './word-search.ts'

interface Ranking {
  readonly words: RecordsFound | null
  readonly near: RecordsNear | null
}

/** Returns null where the records have no ranks. */
export const matcherOf = (view: View, { words, near }: Ranking): ((record: StoredRecord) => Match) | null => {
  const byWords = words && matchOf(view, words)
  if (!near) return byWords
  return record => {
    const distance = record[distanceName]
    return {
      ...(byWords ? byWords(record) : { pk: record.pk }),
      distance: typeof distance === 'number' ? distance : null,
    }
  }
}
