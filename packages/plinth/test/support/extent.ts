// How much a test run covers. `npm test` takes samples of what repeats itself: kills, random runs, screens × themes, features ×
// databases. `npm run test:all` runs the full product.

import { test } from 'vitest'

export const runsAll = process.env.TEST_ALL === 'true'

export const extent = <T>(sample: T, whole: T): T => (runsAll ? whole : sample)

/** A test that only `npm run test:all` runs: it shows at length what a shorter test shows in part. */
export const testAll = test.runIf(runsAll)

/**
 * Items × options. In `npm test` the options take turns, so every item is tested with one option and every option with a share of
 * the items; `npm run test:all` tests every item with every option.
 */
export const alternate = <Item, Option>(
  items: readonly Item[],
  options: readonly Option[],
): readonly (readonly [Option, Item])[] =>
  items.flatMap((item, at) =>
    options.filter((_, turn) => runsAll || turn === at % options.length).map(option => [option, item] as const),
  )
