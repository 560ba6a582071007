// What it costs to find the records that have the words of a search.

import type { FoundSearch } from '../model/search/found-words.ts'

/** Entries lie together in blocks: many of them take as long as one row. */
export const entryWork = 0.05

/** The most records that can have all words. */
export const mostMatches = ({ words, isEmpty, left }: FoundSearch): number =>
  isEmpty ? 0 : Math.min(left, ...words.map(({ visits }) => visits))

/** All entries of all words are read. */
export const entriesVisited = ({ words, isEmpty }: FoundSearch): number =>
  isEmpty ? 0 : words.reduce((sum, { visits }) => sum + visits, 0)
