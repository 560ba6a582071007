// The history of records: which resources keep one, what of a record it holds, and what an entry is.

import { keepFieldsThat } from './keep-fields.ts'
import type { StoredRecord } from './record.ts'
import type { Resource } from './resource.ts'

export type RecordedChange = 'created' | 'updated' | 'deleted' | 'restored'

/** One change of a record. */
export interface RecordedEntry {
  /** The number of the entry; later changes have greater ones. */
  readonly entry: string
  readonly time: string
  readonly change: RecordedChange
  /** The version of the record after the change; at a deletion, the last one. */
  readonly version: number
  /** The pk of the user; null for the service itself and for anonymous callers. */
  readonly by: string | null
  readonly address: string | null
  readonly requestId: string | null
  /** The record before the change, as far as the history holds it. Null when there was none, or when it is hidden. */
  readonly before: StoredRecord | null
  readonly isHidden: boolean
}

/** The entries of a record to read, newest first. */
export interface HistorySelection {
  readonly pk: string
  /** The entry than which all entries read are older. */
  readonly olderThan?: string | undefined
  readonly limit: number
}

/** What the history holds: columns and embedded links. Secrets are in no history, and use of a record is no change of it. */
export const historyFields = keepFieldsThat(({ definition }) => {
  if (definition.options.writeOnly || definition.options.activity) return false
  if (definition.role === 'value') return !definition.transient && !definition.issued
  return definition.role === 'one' || (definition.role === 'links' && definition.embed)
})

/** Does a write of these fields change anything that the history holds? */
export const changesHistory = (resource: Resource, names: Iterable<string>): boolean => {
  const fields = historyFields(resource)
  for (const name of names) if (fields.some(field => field.name === name)) return true
  return false
}
