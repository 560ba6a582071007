// Indexes that a migration has left for later are built in the background, from the start on until they are there.

import { repeat } from '../core/guarded.ts'
import type { Logger } from '../core/log/logger.ts'
import type { Store } from '../core/store/store.ts'

/** The pause after a failure, such as an outage of the database. */
const retryMs = 10_000

/** Returns what ends it; the statement under way is cancelled, and the next start begins it again. */
export const startIndexBuilds = (
  store: Store,
  { log, version }: { readonly log: Logger; readonly version: string },
): (() => Promise<void>) => {
  const ending = new AbortController()
  const { signal } = ending
  let isDone = false
  const build = async (): Promise<void> => {
    if (isDone) return
    try {
      const indexes = await store.buildIndexes({ version, signal })
      if (indexes.length > 0) log.info({ indexes }, 'indexes built')
      const resources = await store.buildSearch(signal)
      isDone = true
      if (resources.length > 0) log.info({ resources }, 'search indexes built')
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  const { stop } = repeat(retryMs, { name: 'building indexes', log, startsNow: true }, build)
  return () => {
    ending.abort()
    return stop()
  }
}
