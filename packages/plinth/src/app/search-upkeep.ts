// Keeps indexes of words in order: what was written is packed soon afterwards, in the background, and records follow the changes of others whose
// words they are found by.

import { repeat } from '../core/guarded.ts'
import type { Logger } from '../core/log/logger.ts'
import type { Registry } from '../core/model/registry.ts'
import type { Store } from '../core/store/store.ts'

/** How often it looks whether something was written. */
const intervalMs = 1000
/** The number of rounds after which it looks even if nothing was written. */
const roundsUnasked = 10

/** Returns what ends it. */
export const startSearchUpkeep = (
  { store, registry }: { readonly store: Store; readonly registry: Registry },
  log: Logger,
): (() => Promise<void>) => {
  const written = registry.resources.filter(resource => resource.holder === resource && resource.writesIndexes)
  if (written.length === 0) return async () => {}
  const ending = new AbortController()
  // What a process before this one has left is found at once.
  let isWritten = true
  const note = (): void => {
    isWritten = true
  }
  const stops = written.map(resource => store.onWrite(resource, note))
  const follows = written.some(({ searchedThrough }) => searchedThrough.length > 0)
  let round = 0
  const { stop } = repeat(intervalMs, { name: 'search upkeep', log, startsNow: true }, async () => {
    round += 1
    // A deletion that takes others along is no write of theirs.
    if (!isWritten && !(follows && round % roundsUnasked === 0)) return
    isWritten = false
    try {
      if (!(await store.refreshSearch(ending.signal))) isWritten = true
      await store.packSearch(ending.signal)
    } catch (error) {
      // The next round tries again.
      isWritten = true
      if (!ending.signal.aborted) throw error
    }
  })
  return () => {
    for (const one of stops) one()
    ending.abort()
    return stop()
  }
}
