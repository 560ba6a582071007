// What it costs to find the records that have the words of a search.

import type { FoundSearch } from '../model/search/found-words.ts'

/** The most records that can have all words. `left`: those that the other conditions leave. */
export const matchesOf = ({ words, isEmpty }: FoundSearch, left: number): number =>
  isEmpty ? 0 : Math.min(left, ...words.map(({ visits }) => visits))

/** Is it less work to look for the words in the records that a filter leaves than the other way round? */
export const beginsWithRecords = ({ words }: FoundSearch, left: number): boolean =>
  left * (1 + words.length) < (words[0]?.visits ?? 0) * (1 + words.length / 2)

/** Entries of the index: all of the rarest word, and of each other one those of the same records. */
export const entriesVisited = (found: FoundSearch, left: number): number => {
  const { words, isEmpty } = found
  const [first, ...others] = words
  // Several entries of one word are put together before they are compared.
  const together = others.filter(({ entries }) => entries.length > 1).reduce((sum, { visits }) => sum + visits, 0)
  const begun = found.beginsWithRecords ? left : (first?.visits ?? left)
  return isEmpty ? 0 : begun * Math.max(1, words.length) + together
}
