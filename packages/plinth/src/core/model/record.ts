// Records as the store returns them and as it takes them.

import { isDeepStrictEqual } from 'node:util'
import type { Change } from './define.ts'
import type { Member, Resource } from './resource.ts'

/** A related record in short: its pk and the text of its label member (null when it has none or the caller may not see it). */
export interface Link {
  readonly pk: string
  readonly label: string | null
}

/**
 * A record as read: value members in stored form, to-one members as Link or null, embedded link members as Link[],
 * counts as numbers. Members that the query did not ask for are absent.
 */
export interface StoredRecord {
  readonly pk: string
  readonly version: number
  readonly [member: string]: unknown
}

/** What to write: value members in stored form, to-one members as pk or null, link members as lists of pks. */
export type Values = Record<string, unknown>

/** A to-one member as it was read. */
export const linkIn = (record: StoredRecord, member: string): Link | null => (record[member] ?? null) as Link | null

/** A link member as it was read; empty when it was not asked for. */
export const linksIn = (record: StoredRecord, member: string): readonly Link[] =>
  (record[member] ?? []) as readonly Link[]

/** A member as it was read → as it would be written: links become pks, in order. */
export const storedValue = ({ name, field }: Member, record: StoredRecord): unknown => {
  if (field.role === 'one') return linkIn(record, name)?.pk ?? null
  return field.role === 'links' && record[name] ? linksIn(record, name).map(link => link.pk) : record[name]
}

/** The order of a map's names does not count: a database may keep them in its own. */
export const sameValue = (left: unknown, right: unknown): boolean =>
  left === right || (typeof left === 'object' && typeof right === 'object' && isDeepStrictEqual(left, right))

// The fields that say when a record was written, and by whom

export type WriteMoment = Pick<Change, 'caller' | 'now'>

/** For a record that is changed. */
export const changeStamps = ({ definition: { stamps } }: Resource, { caller, now }: WriteMoment): Values => ({
  ...(stamps !== 'none' && { lastModifiedDate: now.toISOString() }),
  ...(stamps === 'people' && { lastModifiedBy: caller.pk }),
})

/** For a new record. */
export const creationStamps = (resource: Resource, { caller, now }: WriteMoment): Values => ({
  ...(resource.definition.stamps !== 'none' && { createdDate: now.toISOString() }),
  ...(resource.definition.stamps === 'people' && { createdBy: caller.pk }),
  ...changeStamps(resource, { caller, now }),
})
