// Records as the store returns them and as it takes them.

import { isDeepStrictEqual } from 'node:util'

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

/** The order of a map's names does not count: a database may keep them in its own. */
export const sameValue = (left: unknown, right: unknown): boolean =>
  left === right || (typeof left === 'object' && typeof right === 'object' && isDeepStrictEqual(left, right))
