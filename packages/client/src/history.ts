// The changes of a record, as the service tells them.

import type { CallOptions } from './conditions.ts'

/** One change of a record. */
export interface RecordVersion {
  /** The version after the change. */
  readonly version: number
  readonly change: 'created' | 'updated' | 'deleted' | 'restored'
  readonly time: string
  /** The user who made it; null for the service itself. */
  readonly by: { readonly pk: string; readonly username: string | null } | null
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
}

export interface HistoryOptions extends CallOptions {
  /** Changes per page. */
  readonly limit?: number
  /** The cursor of another page: the page that follows it. */
  readonly after?: string | null
}
