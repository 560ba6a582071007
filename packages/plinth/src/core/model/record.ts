// Records as the store returns them and as it takes them.

import { isDeepStrictEqual } from 'node:util'

/** A related record in short: its pk and the text of its label field (null when it has none or the caller may not see it). */
export interface Link {
  readonly pk: string
  readonly label: string | null
}

/**
 * A record as read: value fields in stored form, to-one fields as Link or null, embedded link fields as Link[],
 * counts as numbers. Fields that the query did not ask for are absent.
 */
export interface StoredRecord {
  readonly pk: string
  readonly version: number
  readonly [field: string]: unknown
}

/** What to write: value fields in stored form, to-one fields as pk or null, link fields as lists of pks. */
export type Values = Record<string, unknown>

/** A to-one field as it was read. */
export const linkIn = (record: StoredRecord, field: string): Link | null => (record[field] ?? null) as Link | null

/** A link field as it was read; empty when it was not asked for. */
export const linksIn = (record: StoredRecord, field: string): readonly Link[] =>
  (record[field] ?? []) as readonly Link[]

/** The order of a map's names does not count: a database may keep them in its own. */
export const sameValue = (left: unknown, right: unknown): boolean =>
  left === right || (typeof left === 'object' && typeof right === 'object' && isDeepStrictEqual(left, right))
