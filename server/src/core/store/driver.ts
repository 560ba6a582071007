// A database as the store's other files see it: SQL text in, rows out. One implementation for each dialect.

import type { Requester } from '../model/caller.ts'

export type Cell = string | number | boolean | null

/** What the maker of a read knows and its text does not say. */
export interface ReadHint {
  /** Where an index gives the order of the rows, it visits no more of them than these. */
  readonly walks?: number | undefined
  /** How many rows an offset skips. */
  readonly skips?: number | undefined
  /** On whose behalf; left out for reads that the service makes for itself. */
  readonly requester?: Requester | undefined
}

/** Rows are arrays in the order of the selected columns. Placeholders are `?` on SQLite and `$1` on PostgreSQL. */
export interface Connection {
  /** `quick`: so short that others of its kind may wait for it. */
  rows(sql: string, cells: readonly Cell[], quick?: boolean, hint?: ReadHint): Promise<readonly (readonly unknown[])[]>
  /** Several statements without parameters, for migrations. */
  script(sql: string): Promise<void>
}

export interface TransactionOptions {
  /** Its statements may take as long as they need, as those of migrations do. */
  readonly isUnlimited?: boolean
}

export interface Driver extends Connection {
  readonly dialect: 'sqlite' | 'postgres'
  /** Identifies this process among those that use the database. */
  readonly instance: string
  /** Is the process of this name still connected? */
  isRunning(instance: string): Promise<boolean>
  /** Writers take turns on SQLite; on PostgreSQL the work is tried again after a serialization failure or a deadlock. */
  transaction<T>(work: (connection: Connection) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Calls back when another process has something to tell on the channel, and whenever some of it may have been missed. */
  readonly listen?: (channel: string, wake: () => void) => Promise<() => Promise<void>>
  /** Stays the same until anybody commits anything; null where that cannot be told cheaply. */
  generation(): number | null
  /** About how many rows each table has. */
  tableSizes(): Promise<ReadonlyMap<string, number>>
  readonly statements: number
  /** Refuses slow reads from now on, and ends those that run within this many milliseconds. */
  endSlowReads(graceMs: number): void
  /** Throws when the database cannot be read, or is seen to take no writes. */
  ping(): Promise<void>
  close(): Promise<void>
}
