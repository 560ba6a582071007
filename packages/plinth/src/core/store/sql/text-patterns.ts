// Texts: their case, the patterns that they are compared with, and trigrams, the runs of three characters by which an index finds texts
// that hold a part.

import type { Pattern } from '../../model/query.ts'

/** Text as the companion column holds it, and as searches that ignore all case see it. Greek has two small sigmas. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')

/** Case-sensitive, or without regard to the case of ASCII letters, or of all letters. */
export type Matching = 'exact' | 'ascii' | 'unicode'

export const matchingOf = (pattern: Pattern, ignoreCase: boolean): Matching => {
  if (!ignoreCase) return 'exact'
  return pattern.every(isAscii) ? 'ascii' : 'unicode'
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** The text form of LIKE: `%`, `_` and the escape itself are literal inside the pieces. */
export const likePattern = (pattern: Pattern): string =>
  pattern.map(piece => piece.replace(/[\\%_]/g, '\\$&')).join('%')

/** A few of them are enough to narrow a search. */
const maxTrigrams = 20

/** Runs of three characters in the pieces of a pattern, in order; if there are too many, evenly spaced ones. Short pieces have none. */
export const trigramsOf = (pattern: Pattern, matching: Matching): readonly string[] => {
  const trigrams = new Set<string>()
  for (const piece of pattern) {
    const characters = [...(matching === 'unicode' ? fold(piece) : lowerAscii(piece))]
    for (let at = 0; at + 3 <= characters.length; at++) trigrams.add(characters.slice(at, at + 3).join(''))
  }
  const step = Math.ceil(trigrams.size / maxTrigrams)
  return [...trigrams].filter((_, at) => at % step === 0)
}

/**
 * A pattern that every text matches which matches the given one: runs of three characters with anything between them. The last run
 * of a piece is longer where characters are left, since they may be the ones that differ.
 */
export const patternOfTrigrams = (pattern: Pattern): Pattern =>
  pattern.flatMap(piece => {
    const { runs, rest } = inThrees(piece)
    return runs.length === 0 ? [piece] : [...runs.slice(0, -1), runs.slice(-1).join('') + rest]
  })

const inThrees = (text: string): { readonly runs: readonly string[]; readonly rest: string } => {
  const characters = [...text]
  const count = Math.floor(characters.length / 3)
  const runs = Array.from({ length: count }, (_, at) => characters.slice(3 * at, 3 * at + 3).join(''))
  return { runs, rest: characters.slice(3 * count).join('') }
}

export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
