// The records that a transaction has locked as shared. They stay as they are until it ends, so each is read once, such as the parent of
// many records that an import creates.

import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { WriteCounts } from './write-counts.ts'

/** Long transactions may lock many. */
const maxKept = 1000

interface LockedRecord {
  readonly record: StoredRecord
  /** The writes of the transaction to its table so far. */
  readonly writes: number
}

export class SharedLocks {
  readonly #writes: WriteCounts
  readonly #kept = new Map<string, LockedRecord>()

  constructor(writes: WriteCounts) {
    this.#writes = writes
  }

  /** The record, locked earlier or now. Null when there is none: it may come, so nothing is kept. */
  async lock(resource: Resource, pk: string, lock: () => Promise<StoredRecord | null>): Promise<StoredRecord | null> {
    const key = `${resource.name} ${pk}`
    const known = this.#kept.get(key)
    const writes = this.#writes.ofTable(resource)
    if (known?.writes === writes) return known.record
    const record = await lock()
    if (this.#kept.size >= maxKept) this.#kept.clear()
    if (record) this.#kept.set(key, { record, writes })
    return record
  }

  /** Runs a part of the transaction. When it fails, the locks that it got are released. */
  async during<T>(part: Promise<T>): Promise<T> {
    try {
      return await part
    } catch (error) {
      this.#kept.clear()
      throw error
    }
  }
}
