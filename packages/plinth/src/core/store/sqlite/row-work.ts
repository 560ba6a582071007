// What a statement takes for each row that it visits, by its text.

import { comparisonWeights } from '../../model/comparison-work.ts'
import { foldFunction } from './open.ts'

const { plain, pattern, anyCase, fold, list } = comparisonWeights

const weights: readonly (readonly [RegExp, number])[] = [
  [/\?\d+/g, plain],
  [/ GLOB /g, pattern],
  [/ LIKE /g, anyCase],
  [new RegExp(`${foldFunction}\\(`, 'g'), fold],
  [/json_each\((?!\?)/g, list],
]

/** Returns the work of a row, compared with one of which nothing is asked. */
export const rowWorkOf = (sql: string): number =>
  weights.reduce((sum, [text, weight]) => sum + weight * (sql.match(text)?.length ?? 0), 1)
