// Words that stand one after the other.

import { type Block, postingsOf } from './postings.ts'

/** Do the words stand in this order somewhere? Each is given by its places, in rising order. */
export const standsIn = (places: readonly (readonly number[])[]): boolean => {
  const [first = [], ...others] = places
  const sets = others.map(one => new Set(one))
  return first.some(place => sets.every((set, at) => set.has(place + at + 1)))
}

/** Of documents that have all words, those in which they stand in a row. */
export const phraseDocuments = (words: readonly (readonly Block[])[], docs: Uint32Array): Uint32Array => {
  const wanted = new Set(docs)
  const places = words.map(blocks => placesOf(blocks, wanted))
  return docs.filter(doc => standsIn(places.map(one => one.get(doc) ?? [])))
}

/** The places of a word in these documents. */
const placesOf = (blocks: readonly Block[], wanted: ReadonlySet<number>): ReadonlyMap<number, readonly number[]> =>
  new Map(
    blocks.flatMap(block => postingsOf(block).flatMap(({ doc, places }) => (wanted.has(doc) ? [[doc, places]] : []))),
  )
