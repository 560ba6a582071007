// Keeps indexes of words in order: what was written is packed soon afterwards, in the background.

import { repeat } from '../core/guarded.ts'
import type { Logger } from '../core/log/logger.ts'
import type { Registry } from '../core/model/registry.ts'
import { searchIndexOf } from '../core/model/search/search-index.ts'
import type { Store } from '../core/store/store.ts'

/** How often it looks whether something was written. */
const intervalMs = 1000

/** Returns what ends it. */
export const startSearchUpkeep = (
  { store, registry }: { readonly store: Store; readonly registry: Registry },
  log: Logger,
): (() => Promise<void>) => {
  const searched = registry.resources.filter(
    resource => resource.holder === resource && searchIndexOf(resource) !== null,
  )
  if (searched.length === 0) return async () => {}
  const ending = new AbortController()
  // What a process before this one has left is found at once.
  let isWritten = true
  const note = (): void => {
    isWritten = true
  }
  const stops = searched.map(resource => store.onWrite(resource, note))
  const { stop } = repeat(intervalMs, { name: 'search upkeep', log, startsNow: true }, async () => {
    if (!isWritten) return
    isWritten = false
    try {
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
