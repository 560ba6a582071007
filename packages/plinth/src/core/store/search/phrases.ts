// Words that stand one after the other.

import type { Pause } from '../../pauses.ts'
import { intersection } from './document-sets.ts'
import type { PostingPieces } from './posting-pieces.ts'
import { postingsOf } from './postings.ts'

/** Do the words stand in this order somewhere? Each is given by its places, in rising order. */
export const standsIn = (places: readonly (readonly number[])[]): boolean => {
  const [first = [], ...others] = places
  const sets = others.map(one => new Set(one))
  return first.some(place => sets.every((set, at) => set.has(place + at + 1)))
}

/** The documents whose places are looked at together. */
const documentsAtOnce = 4000

interface PhraseSearch {
  readonly pieces: PostingPieces
  readonly pause: Pause
}

/** Of these documents, those in which the words stand in a row. */
export const phraseDocuments = async (
  search: PhraseSearch,
  entries: readonly string[],
  docs: Uint32Array,
): Promise<Uint32Array> => {
  const found: number[] = []
  for (let from = 0; from < docs.length; from += documentsAtOnce) {
    let left = docs.subarray(from, from + documentsAtOnce)
    const places: ReadonlyMap<number, readonly number[]>[] = []
    for (const entry of entries) {
      const those = await placesIn(search, entry, left)
      left = intersection(left, Uint32Array.from([...those.keys()].toSorted((one, other) => one - other)))
      places.push(those)
    }
    for (const doc of left) if (standsIn(places.map(one => one.get(doc) ?? []))) found.push(doc)
  }
  return Uint32Array.from(found)
}

/** The places of a word in those of the documents that have it. */
const placesIn = async (
  { pieces, pause }: PhraseSearch,
  entry: string,
  docs: Uint32Array,
): Promise<ReadonlyMap<number, readonly number[]>> => {
  const places = new Map<number, readonly number[]>()
  const [first, last] = [docs[0], docs.at(-1)]
  if (first === undefined || last === undefined) return places
  const wanted = new Set(docs)
  for await (const blocks of pieces.placesOf(entry, { first, last }))
    for (const block of blocks) {
      await pause()
      for (const posting of postingsOf(block)) if (wanted.has(posting.doc)) places.set(posting.doc, posting.places)
    }
  return places
}
