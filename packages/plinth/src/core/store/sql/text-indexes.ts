// Which index narrows a search with wildcards before each text is compared with the pattern.

import { hasTextIndexes } from '../../model/indexes.ts'
import type { Comparison, Pattern } from '../../model/query.ts'
import type { DraftFacts } from '../statement-facts.ts'
import { columnTypeOf, recordTableOf, searchesEntries, textIndexName } from './columns.ts'
import type { Dialect } from './dialect.ts'
import { matchingOf, trigramsOf } from './text-patterns.ts'

type LikeComparison = Extract<Comparison, { readonly pattern: Pattern }>

/**
 * `anyCase`: the texts that begin like the pattern, in upper or lower case of ASCII. `trigrams`: those that have all runs of
 * three characters of the pattern. A beginning in its own case is a range of the plain index.
 */
export const textIndexOf = ({ op, path, pattern, ignoreCase }: LikeComparison): 'anyCase' | 'trigrams' | null => {
  if (op !== 'like' || !hasTextIndexes(path.field)) return null
  const matching = matchingOf(pattern, ignoreCase)
  if (pattern[0] && matching !== 'unicode') return ignoreCase ? 'anyCase' : null
  return trigramsOf(pattern, matching).length > 0 ? 'trigrams' : null
}

/**
 * Returns the range of exactly those texts that have a beginning in its own case; null where only the pattern can decide.
 * The last character must be one of ASCII: what follows another depends on the encoding of the database. Without regard to case
 * the pattern stays, since PostgreSQL then expects fewer matches and chooses the index for them.
 */
export const matchingRange = ({ op, path, pattern, ignoreCase }: LikeComparison): readonly [string, string] | null => {
  const [prefix, rest, ...others] = pattern
  if (op !== 'like' || ignoreCase || !prefix || rest !== '' || others.length > 0) return null
  if (columnTypeOf(path.field) !== 'text' || searchesEntries(path.field)) return null
  const last = prefix.charCodeAt(prefix.length - 1)
  return last < 0x7f ? [prefix, prefix.slice(0, -1) + String.fromCharCode(last + 1)] : null
}

/** The values that the condition on the index needs. */
export const textIndexCells = (comparison: LikeComparison, dialect: Dialect): readonly string[] => {
  const { pattern, ignoreCase } = comparison
  const index = textIndexOf(comparison)
  if (index === 'anyCase') return prefixRange(pattern)
  const cell = index && dialect.trigramCell(pattern, matchingOf(pattern, ignoreCase))
  return cell === null ? [] : [cell]
}

interface IndexedText {
  readonly expression: string
  /** The name of the table that has the text as a column; null for other texts. */
  readonly alias: string | null
  /** The slot of the first of the cells for the index. */
  readonly slot: number
}

/** A condition that an index serves and every match fulfils; null where there is none. */
export const textIndexSql = (
  { dialect, facts }: { readonly dialect: Dialect; readonly facts: DraftFacts },
  comparison: LikeComparison,
  { expression, alias, slot }: IndexedText,
): string | null => {
  const index = textIndexOf(comparison)
  if (index === null || textIndexCells(comparison, dialect).length === 0) return null
  const placeholder = dialect.placeholder(slot)
  if (index === 'anyCase') {
    const key = dialect.anyCase(expression)
    facts.limits(expression, 'range', { cells: [slot - 1, slot], anyCase: true })
    return `${key} >= ${placeholder} AND ${key} < ${dialect.placeholder(slot + 1)}`
  }
  const { owner, name } = comparison.path.field
  const trigrams = textIndexName(comparison.path.field, 'trigrams')
  if (alias !== null)
    facts.trigrams.push({ index: trigrams, table: recordTableOf(owner), column: name, cell: slot - 1 })
  return dialect.hasTrigrams({ expression, alias }, placeholder, trigrams)
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
