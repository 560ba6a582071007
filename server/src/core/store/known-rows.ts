// Rows that nearly every request begins with. One that was read before is kept, and only its version is asked for: once for
// all requests that arrive together, and never before they have arrived. So a change takes effect on the next request, on
// every instance. Labels of other records are not for this: they may change while the row's version stays.

import { LRUCache } from 'lru-cache'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Reader } from '../model/transaction.ts'

export type ReadKnown<T> = (pk: string) => Promise<T | null>

const kept = 10_000

interface Batch {
  readonly pks: Set<string>
  readonly versions: Promise<ReadonlyMap<string, number>>
}

interface Known<T> {
  readonly version: number | undefined
  readonly value: T
}

/** `toValue` is what a row means to its reader, worked out once for each version of it. */
export const createKnownRows = <T>(
  reader: Reader,
  resource: Resource,
  toValue: (row: StoredRecord) => T,
): ReadKnown<T> => {
  const known = new LRUCache<string, Known<T>>({ max: kept })
  let gathering: Batch | null = null
  /** Open until all that arrived together has come this far. */
  const gather = (): Batch => {
    const pks = new Set<string>()
    const versions = new Promise<void>(resolve => process.nextTick(resolve)).then(() => {
      gathering = null
      return reader.versions(resource, [...pks])
    })
    return { pks, versions }
  }
  return async pk => {
    gathering ??= gather()
    gathering.pks.add(pk)
    const version = (await gathering.versions).get(pk)
    const before = known.get(pk)
    if (before && before.version === version) return before.value
    const row = version === undefined ? null : await reader.get(resource, pk)
    if (!row) {
      known.delete(pk)
      return null
    }
    const value = toValue(row)
    known.set(pk, { version: row.version, value })
    return value
  }
}
