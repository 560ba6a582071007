// The history of records: which resources keep one, what of a record it holds, and what an entry is.

import type { StoredRecord } from './record.ts'
import type { Member, Resource } from './resource.ts'

export type RecordedChange = 'created' | 'updated' | 'deleted' | 'restored'

/** One change of a record. */
export interface RecordedEntry {
  /** Later changes have greater ones. */
  readonly entry: string
  readonly time: string
  readonly change: RecordedChange
  /** That of the record after the change; at a deletion, the last one. */
  readonly version: number
  /** The pk of the user; null for the service itself and for anonymous callers. */
  readonly by: string | null
  readonly address: string | null
  readonly requestId: string | null
  /** The record before the change, as far as the history holds it. Null when there was none, or when it is hidden. */
  readonly before: StoredRecord | null
  readonly isHidden: boolean
}

/** Which entries of a record to read, newest first. */
export interface HistorySelection {
  readonly pk: string
  /** Only entries older than this one. */
  readonly olderThan?: string | undefined
  readonly limit: number
}

export const keepsHistory = ({ definition }: Resource): boolean => definition.history === true

const known = new WeakMap<Resource, readonly Member[]>()

/** What the history holds: columns and embedded links. Secrets are in no history, and use of a record is no change of it. */
export const historyMembers = (resource: Resource): readonly Member[] => {
  let members = known.get(resource)
  if (!members) {
    members = [...resource.members.values()].filter(isRecorded)
    known.set(resource, members)
  }
  return members
}

const isRecorded = ({ field }: Member): boolean => {
  if (field.options.writeOnly || field.options.activity) return false
  if (field.role === 'value') return !field.transient && !field.issued
  return field.role === 'one' || (field.role === 'links' && field.embed)
}

/** Does a write of these fields change anything that the history holds? */
export const changesHistory = (resource: Resource, names: Iterable<string>): boolean => {
  const members = historyMembers(resource)
  for (const name of names) if (members.some(member => member.name === name)) return true
  return false
}
