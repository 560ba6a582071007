// A database as the store's other files see it: SQL text in, rows out. One implementation for each dialect.

export type Cell = string | number | boolean | null

/** What the maker of a read knows and its text does not say. */
export interface ReadHint {
  /** Where an index gives the order of the rows, it visits no more of them than these. */
  readonly walks?: number | undefined
  /** Aborted when the caller has left. Asked for only when the read may take long. */
  readonly signal?: (() => AbortSignal) | undefined
}

/** Rows are arrays in the order of the selected columns. Placeholders are `?` on SQLite and `$1` on PostgreSQL. */
export interface Connection {
  /** `quick`: so short that others of its kind may wait for it. */
  rows(sql: string, cells: readonly Cell[], quick?: boolean, hint?: ReadHint): Promise<readonly (readonly unknown[])[]>
  /** Several statements without parameters, for migrations. */
  script(sql: string): Promise<void>
}

export interface Driver extends Connection {
  readonly dialect: 'sqlite' | 'postgres'
  /** Identifies this process among those that use the database. */
  readonly instance: string
  /** Is the process of this name still connected? */
  isRunning(instance: string): Promise<boolean>
  /** Writers take turns on SQLite; on PostgreSQL the work is tried again after a serialization failure or a deadlock. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Calls back when another process has something to tell on the channel, and whenever some of it may have been missed. */
  readonly listen?: (channel: string, wake: () => void) => Promise<() => Promise<void>>
  /** Stays the same until anybody commits anything; null where that cannot be told cheaply. */
  generation(): number | null
  /** About how many rows each table has. */
  tableSizes(): Promise<ReadonlyMap<string, number>>
  readonly statements: number
  /** Throws when the database cannot be read, or is seen to take no writes. */
  ping(): Promise<void>
  close(): Promise<void>
}
