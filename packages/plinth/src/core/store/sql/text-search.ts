// Which index narrows a search with wildcards before each text is compared with the pattern.

import { hasTextIndexes } from '../../model/indexes.ts'
import type { Comparison, Pattern } from '../../model/query.ts'
import { type Dialect, type Matching, matchingOf } from './dialect.ts'
import { fold, textIndexName } from './names.ts'

type LikeComparison = Extract<Comparison, { readonly pattern: Pattern }>

/**
 * `anyCase`: the texts that begin like the pattern, in capital or small letters of ASCII. `trigrams`: those that have all runs of
 * three characters of the pattern. A beginning in its own case is a range of the plain index.
 */
export const textIndexOf = ({ op, path, pattern, ignoreCase }: LikeComparison): 'anyCase' | 'trigrams' | null => {
  if (op !== 'like' || !hasTextIndexes(path.member)) return null
  const matching = matchingOf(pattern, ignoreCase)
  if (pattern[0] && matching !== 'unicode') return ignoreCase ? 'anyCase' : null
  return trigramsOf(pattern, matching).length > 0 ? 'trigrams' : null
}

/** The values that the condition on the index needs. */
export const textIndexCells = (comparison: LikeComparison, dialect: Dialect): readonly string[] => {
  const { pattern, ignoreCase } = comparison
  const index = textIndexOf(comparison)
  if (index === 'anyCase') return prefixRange(pattern)
  const cell = index && dialect.trigramCell(pattern, matchingOf(pattern, ignoreCase))
  return cell === null ? [] : [cell]
}

/** A condition that an index serves and every match fulfils; null where there is none. `placeholder` counts from 0. */
export const textIndexSql = (
  comparison: LikeComparison,
  expression: string,
  { dialect, placeholder }: { readonly dialect: Dialect; readonly placeholder: (at: number) => string },
): string | null => {
  const index = textIndexOf(comparison)
  if (index === null || textIndexCells(comparison, dialect).length === 0) return null
  if (index === 'trigrams')
    return dialect.hasTrigrams(expression, placeholder(0), textIndexName(comparison.path.member, 'trigrams'))
  const key = dialect.anyCase(expression)
  return `${key} >= ${placeholder(0)} AND ${key} < ${placeholder(1)}`
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

// Trigrams: runs of three characters, by which an index finds the texts that hold a part

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
