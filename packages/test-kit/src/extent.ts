// How much a test run covers. `npm test` takes samples of what repeats itself: kills, random runs, screens × themes, features ×
// databases. `npm run test:all` runs the full product.

import { describe, test } from 'vitest'

export const runsAll = process.env.TEST_ALL === 'true'

export const extent = <T>(sample: T, whole: T): T => (runsAll ? whole : sample)

/** A test that only `npm run test:all` runs: it shows at length what a shorter test shows in part. */
export const testAll = test.runIf(runsAll)

/** Tests with a set-up of their own, such as a service, that only `npm run test:all` needs. */
export const describeAll = describe.runIf(runsAll)

/** One of the options in `npm test`, another one for the next item; all of them in `npm run test:all`. */
export const inTurn = <Option>(options: readonly Option[], at: number): readonly Option[] =>
  runsAll ? options : options.filter((_, turn) => turn === at % options.length)

/** Every third of many that are alike in `npm test`, all of them in `npm run test:all`. */
export const everyThird = <const Item>(items: readonly Item[]): readonly Item[] =>
  runsAll ? items : items.filter((_, at) => at % 3 === 0)

/**
 * Items × options. In `npm test` the options take turns, so every item is tested with one option and every option with a share of
 * the items; `npm run test:all` tests every item with every option.
 */
export const alternate = <Item, Option>(
  items: readonly Item[],
  options: readonly Option[],
): readonly (readonly [Option, Item])[] =>
  items.flatMap((item, at) => inTurn(options, at).map(option => [option, item] as const))

/**
 * Of the operations that many resources have, `npm test` takes every sixth one. The kinds begin at different resources, so that each
 * resource is tested with some of its operations. Operations of few resources are all taken.
 */
export const inSample = <Operation extends { readonly path: string; readonly method?: string }>(
  all: readonly Operation[],
): readonly Operation[] => {
  if (runsAll) return all
  const kinds = new Map<string, Operation[]>()
  for (const one of all) {
    const kind = `${one.method ?? ''} ${one.path.replace(/^\/api\/rest\/\w+/, '')}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), one])
  }
  const taken = new Set(
    [...kinds.values()].flatMap((some, kind) => some.filter((_, at) => some.length < 6 || (at + kind) % 6 === 0)),
  )
  return all.filter(one => taken.has(one))
}
