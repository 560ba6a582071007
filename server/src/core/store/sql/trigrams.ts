// Runs of three characters, by which an index finds the texts that hold a part.

import type { Pattern } from '../../model/query.ts'
import type { Matching } from './dialect.ts'
import { fold } from './names.ts'

/** More of them narrow a search no further. */
const maxTrigrams = 20

/** All runs of three characters in the pieces of a pattern; empty where every piece is shorter. */
export const trigramsOf = (pattern: Pattern, matching: Matching): readonly string[] => {
  const trigrams = new Set<string>()
  for (const piece of pattern) {
    const characters = [...(matching === 'unicode' ? fold(piece) : lowerAscii(piece))]
    for (let at = 0; at + 3 <= characters.length; at++) trigrams.add(characters.slice(at, at + 3).join(''))
  }
  return [...trigrams].slice(0, maxTrigrams)
}

export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
