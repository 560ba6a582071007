// The records of a compound document, each once however many ways lead to it, with all the linkage that leads on.

import type { StoredRecord } from '../model/record.ts'
import type { Included, View } from '../model/view.ts'
import { isToMany } from './document.ts'

export interface CompoundEntry {
  readonly view: View
  readonly record: StoredRecord
  /** The pks at the other end of each to-many relation that was included, by relation. */
  readonly linkage: ReadonlyMap<string, readonly string[]>
}

interface OpenEntry extends CompoundEntry {
  readonly linkage: Map<string, readonly string[]>
  readonly seen: Set<Included>
}

export interface Compound {
  add(primary: {
    readonly view: View
    readonly records: readonly StoredRecord[]
    readonly included: readonly Included[]
  }): void
  primary(): CompoundEntry[]
  related(): CompoundEntry[]
}

export const createCompound = (): Compound => {
  const primary = new Map<string, OpenEntry>()
  const related = new Map<string, OpenEntry>()

  const addPrimary = (view: View, record: StoredRecord): void => {
    const key = keyOf(view, record)
    // A document holds a record once: as primary data when it is that, even if another batch led to it before.
    const entry = related.get(key) ?? openEntry(view, record)
    related.delete(key)
    primary.set(key, entry)
  }

  const entryOf = (view: View, record: StoredRecord): OpenEntry => {
    const key = keyOf(view, record)
    let entry = primary.get(key) ?? related.get(key)
    if (!entry) {
      entry = openEntry(view, record)
      related.set(key, entry)
    }
    return entry
  }

  const follow = (entry: OpenEntry, included: readonly Included[]): void => {
    for (const one of included) {
      if (entry.seen.has(one)) continue
      entry.seen.add(one)
      const records = one.byOwner.get(entry.record.pk) ?? []
      if (isToMany(one.relation))
        entry.linkage.set(
          one.relation.name,
          records.map(record => record.pk),
        )
      for (const record of records) follow(entryOf(one.view, record), one.deeper)
    }
  }

  return {
    add: ({ view, records, included }) => {
      for (const record of records) addPrimary(view, record)
      for (const record of records) follow(entryOf(view, record), included)
    },
    primary: () => [...primary.values()],
    related: () => [...related.values()],
  }
}

const keyOf = (view: View, record: StoredRecord): string => `${view.resource.name}/${record.pk}`

const openEntry = (view: View, record: StoredRecord): OpenEntry => ({
  view,
  record,
  linkage: new Map(),
  seen: new Set(),
})
