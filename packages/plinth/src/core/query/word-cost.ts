// What it costs to find the records that have the words of a search.

import type { FoundSearch } from '../model/search/found-words.ts'

/** Entries lie together in blocks: many of them take as long as one row. */
export const entryWork = 0.05

/** The most records that can have all words, or any of them where they are to be like a record. */
export const mostMatches = (search: FoundSearch): number => {
  const { words, isEmpty, left, similarTo } = search
  if (isEmpty) return 0
  return Math.min(left, ...(similarTo === undefined ? words.map(({ visits }) => visits) : [entriesVisited(search)]))
}

/** All entries of all words are read. */
export const entriesVisited = ({ words, isEmpty }: FoundSearch): number =>
  isEmpty ? 0 : words.reduce((sum, { visits }) => sum + visits, 0)
