// Which index narrows a search with wildcards before each text is compared with the pattern.

import { hasTextIndexes } from '../model/indexes.ts'
import type { Comparison, Pattern } from '../model/query.ts'
import { type Matching, matchingOf } from './dialect.ts'

type LikeComparison = Extract<Comparison, { readonly pattern: Pattern }>

/** `prefix`: the texts that begin like the pattern, in capital or small letters of ASCII. */
export type TextIndex = 'prefix'

export const textIndexOf = ({ op, path, pattern, ignoreCase }: LikeComparison): TextIndex | null => {
  if (op !== 'like' || !hasTextIndexes(path.member)) return null
  const matching: Matching = matchingOf(pattern, ignoreCase)
  return matching === 'ascii' && pattern[0] ? 'prefix' : null
}

/**
 * From where to where the texts lie that begin like this, in an order that ignores the case of ASCII letters. The second bound is
 * not part of the range, and may be too large: the pattern decides.
 */
export const prefixRange = ([prefix = '']: Pattern): readonly [string, string] => {
  const lower = prefix.toLowerCase()
  const last = lower.charCodeAt(lower.length - 1)
  return [lower, lower.slice(0, -1) + String.fromCharCode(last + 1).toLowerCase()]
}
