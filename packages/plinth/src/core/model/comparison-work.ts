// What it takes to compare a value, once its row is there. One unit is about one simple row that a database visits, or a microsecond.
// The price of a query and the place where it runs both depend on it.

import type { Comparison } from './query.ts'

export const comparisonWeights = {
  plain: 0.05,
  /** The work of a pattern that is compared in its own case. */
  pattern: 0.2,
  /** The work of a pattern without regard to the case of ASCII letters. */
  anyCase: 0.3,
  /** The work to normalise a text and fold the case of all letters, before it is compared with patterns. */
  fold: 2,
  /** Entries of a list. */
  list: 1.5,
} as const

/** The work of a comparison without folding the text, which is done once for all comparisons with it. */
export const comparisonWork = (comparison: Comparison): number => {
  const { definition } = comparison.path.field
  const { plain, pattern, anyCase, list } = comparisonWeights
  if (definition.role === 'value' && definition.type.column === 'json') return list
  if (comparison.op !== 'like' && comparison.op !== 'unlike') return plain
  return comparison.ignoreCase && !foldsText(comparison) ? anyCase : pattern
}

/** Says whether the text is normalised and folded first, as is every text beyond ASCII. */
export const foldsText = (comparison: Comparison): boolean =>
  'pattern' in comparison && comparison.ignoreCase && !comparison.pattern.every(piece => /^\p{ASCII}*$/u.test(piece))
