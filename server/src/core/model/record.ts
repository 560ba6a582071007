// Records as the store returns them and as it takes them.

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
