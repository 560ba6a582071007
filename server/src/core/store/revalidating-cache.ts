// Rows that nearly every request begins with. One that was read before is kept, and only asked for is whether it is still
// the same: once for all requests that arrive together or while the database answers, and never before they have arrived. So
// a change takes effect on the next request, on every instance. Labels of other records are not for this: they may change
// while the row's version stays.

import { LRUCache } from 'lru-cache'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Store } from './store.ts'

export interface RevalidatingCache<T> {
  /** As it is now. */
  read(pk: string): Promise<T | null>
  /** As it was, at once; null when nothing is kept, or when to ask is as quick. */
  peek(pk: string): CachedValue<T> | null
}

interface CachedValue<T> {
  readonly value: T
  /** Is it still so? */
  isStillValid(): Promise<boolean>
}

const capacity = 10_000

interface CachedRow<T> {
  readonly pk: string
  readonly version: number
  readonly value: T
  /** Of the store, when the row was last seen to be the same. */
  generation: number | null
}

interface RevalidationBatch<T> {
  readonly kept: Set<CachedRow<T>>
  readonly changed: Promise<ReadonlySet<string>>
}

/** `toValue` is what a row means to its reader, worked out once for each version of it. */
export const createRevalidatingCache = <T>(
  store: Store,
  resource: Resource,
  toValue: (row: StoredRecord) => T,
): RevalidatingCache<T> => {
  const known = new LRUCache<string, CachedRow<T>>({ max: capacity })
  // Where every question is a journey to another process, all of this turn of the event loop goes along.
  const isFar = !store.isEmbedded
  const allArrived = isFar ? setImmediate : process.nextTick
  let gathering: RevalidationBatch<T> | null = null
  let answering: Promise<unknown> = Promise.resolve()

  /** Open until all that arrived together has come this far, and until those before it are answered. */
  const gather = (before: Promise<unknown>): RevalidationBatch<T> => {
    const kept = new Set<CachedRow<T>>()
    const ask = async (): Promise<ReadonlySet<string>> => {
      await new Promise<void>(resolve => allArrived(resolve))
      await before
      gathering = null
      // First: what is committed after this is seen at the next look, if not now.
      const generation = store.generation()
      const unsure = [...kept].filter(one => generation === null || one.generation !== generation)
      if (unsure.length === 0) return none
      const changed = await store.changed(resource, unsure)
      for (const one of unsure) {
        if (!changed.has(one.pk)) one.generation = generation
        else if (known.peek(one.pk) === one) known.delete(one.pk)
      }
      return changed
    }
    const changed = ask()
    answering = changed.catch(() => {})
    return { kept, changed }
  }

  const changedWith = (kept: CachedRow<T>): Promise<ReadonlySet<string>> => {
    gathering ??= gather(answering)
    gathering.kept.add(kept)
    return gathering.changed
  }

  const readAnew = async (pk: string): Promise<T | null> => {
    const generation = store.generation()
    const row = await store.get(resource, pk)
    if (!row) {
      known.delete(pk)
      return null
    }
    const value = toValue(row)
    known.set(pk, { pk, version: row.version, value, generation })
    return value
  }

  // To be read anew once in a while is cheaper than to keep account of every use: hence `peek`.
  return {
    read: async pk => {
      const kept = known.peek(pk)
      return !kept || (await changedWith(kept)).has(pk) ? readAnew(pk) : kept.value
    },
    peek: pk => {
      const kept = isFar ? known.peek(pk) : undefined
      return kept ? { value: kept.value, isStillValid: async () => !(await changedWith(kept)).has(pk) } : null
    },
  }
}

const none: ReadonlySet<string> = new Set()
