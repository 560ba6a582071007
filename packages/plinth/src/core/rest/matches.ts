// Why each record of a ranked page is where it is: how well it has the words, and how near it is.

import { distanceName, type RecordsNear } from '../model/near.ts'
import type { StoredRecord } from '../model/record.ts'
import type { RecordsFound } from '../model/search/found-words.ts'
import type { Match, View } from '../model/view.ts'
import type { Context } from './context.ts'
import { matchesFor } from './word-search.ts'

interface Ranking {
  readonly view: View
  readonly words: RecordsFound | null
  readonly near: RecordsNear | null
}

/** Returns null where the records have no ranks. */
export const matchesOf = async (
  context: Context,
  { view, words, near }: Ranking,
  records: readonly StoredRecord[],
): Promise<readonly Match[] | null> => {
  const byWords = words && (await matchesFor(context, { view, found: words, records }))
  if (!near) return byWords && records.map(byWords)
  return records.map(record => {
    const distance = record[distanceName]
    return {
      ...(byWords ? byWords(record) : { pk: record.pk }),
      distance: typeof distance === 'number' ? distance : null,
    }
  })
}
