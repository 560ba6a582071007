// Rows that nearly every request begins with. One that was read before is kept, and only asked for is whether it is still
// the same: once for all requests that arrive together or while the database answers, and never before they have arrived. So
// a change takes effect on the next request, on every instance. Labels of other records are not for this: they may change while the row's version stays.

import { LRUCache } from 'lru-cache'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Store } from './store.ts'

export type ReadKnown<T> = (pk: string) => Promise<T | null>

const kept = 10_000

interface Known<T> {
  readonly version: number
  readonly value: T
  /** Of the store, when the row was last seen to be the same. */
  generation: number | null
}

interface Asked {
  readonly generation: number | null
  readonly versions: ReadonlyMap<string, number>
}

interface Batch {
  readonly pks: Set<string>
  readonly asked: Promise<Asked>
}

const nothing: ReadonlyMap<string, number> = new Map()

/** `toValue` is what a row means to its reader, worked out once for each version of it. */
export const createKnownRows = <T>(
  store: Store,
  resource: Resource,
  toValue: (row: StoredRecord) => T,
): ReadKnown<T> => {
  const known = new LRUCache<string, Known<T>>({ max: kept })
  let gathering: Batch | null = null
  let answering: Promise<unknown> = Promise.resolve()
  const isCurrent = (entry: Known<T> | undefined, generation: number | null): boolean =>
    generation !== null && entry?.generation === generation

  /** Open until all that arrived together has come this far, and until those before it are answered. */
  const gather = (before: Promise<unknown>): Batch => {
    const pks = new Set<string>()
    const ask = async (): Promise<Asked> => {
      await new Promise<void>(resolve => process.nextTick(resolve))
      await before
      gathering = null
      // First: what is committed after this is seen at the next look, if not now.
      const generation = store.generation()
      const unsure = [...pks].filter(pk => !isCurrent(known.get(pk), generation))
      return { generation, versions: unsure.length === 0 ? nothing : await store.versions(resource, unsure) }
    }
    const asked = ask()
    answering = asked.catch(() => {})
    return { pks, asked }
  }

  return async pk => {
    gathering ??= gather(answering)
    gathering.pks.add(pk)
    const { generation, versions } = await gathering.asked
    const before = known.get(pk)
    if (before && isCurrent(before, generation)) return before.value
    const version = versions.get(pk)
    if (before && before.version === version) {
      before.generation = generation
      return before.value
    }
    const row = version === undefined ? null : await store.get(resource, pk)
    if (!row) {
      known.delete(pk)
      return null
    }
    const value = toValue(row)
    known.set(pk, { version: row.version, value, generation })
    return value
  }
}
