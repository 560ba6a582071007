// A database as the store's other files see it. Each database implements it in a folder of its own.

import type { Connection, TransactionalConnection } from './connection.ts'
import type { SchemaDialect } from './migrate/schema-dialect.ts'
import type { OutboxDialect } from './outbox/outbox-dialect.ts'
import type { Dialect } from './sql/dialect.ts'

/** All that a database says differently: in statements, about tables, and about the outbox. */
export interface DatabaseDialect extends Dialect {
  readonly schema: SchemaDialect
  readonly outbox: OutboxDialect
}

/** A kind of database that the store can use; `databases.ts` lists them. */
export interface Database {
  readonly name: string
  /** Is this an address of such a database? */
  accepts(url: string): boolean
  /** Rejects when the database does not answer. */
  open(url: string, limits?: DatabaseLimits): Promise<Driver>
  /** What an error of the database means; null for an error of another kind. */
  diagnose(error: Error, url: string): DatabaseTrouble | null
}

/** Why a database cannot be used, for the person who operates it. It holds no password. */
export interface DatabaseTrouble {
  readonly explanation: string
  readonly remedy: string
  /** Records may be lost: a backup is needed. */
  readonly isDamage?: boolean
}

export interface DatabaseLimits {
  /** Connections in all, where there are several. */
  readonly poolSize?: number | undefined
  /** How long a search may take, in milliseconds. */
  readonly queryTimeout?: number | undefined
  /** How long a write waits for its turn or its connection, and how long each of its statements may take, in milliseconds. */
  readonly writeTimeout?: number | undefined
  /** How long a transaction may wait for anything but the database, in milliseconds. */
  readonly transactionTimeout?: number | undefined
  /** The data are those of a test: commits need not wait for the disk. */
  readonly isDisposable?: boolean | undefined
}

/** What keeps a transaction from ending. */
export interface TransactionWait {
  /** How long the transaction has waited for something other than the database, in milliseconds. */
  readonly ms: number
  /** What runs in it, such as a hook. */
  readonly cause: string
}

export interface CommonValue {
  readonly table: string
  readonly column: string
  /** The value as text; null is the absence of a value. */
  readonly value: string | null
  /** The share of all rows of the table, from 0 to 1. */
  readonly share: number
}

export type DatabaseUse = 'service' | 'alone'

export interface Driver extends TransactionalConnection {
  readonly dialect: DatabaseDialect
  /** Runs inside this process, on files of this machine: a statement takes no journey, and no other machine sees the data. */
  readonly isEmbedded: boolean
  /** Identifies this process among those that use the database. */
  readonly instance: string
  /** Is the process of this name still connected? */
  isRunning(instance: string): Promise<boolean>
  /**
   * A connection of its own for the work, outside of transactions and without limits. The signal ends the statement under way.
   * Absent where indexes are built within transactions.
   */
  readonly session?: <T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal) => Promise<T>
  /** Reads of one moment, for as long as the work takes. Writers do not wait for it. */
  snapshot<T>(work: (connection: Pick<Connection, 'rows'>) => Promise<T>): Promise<T>
  /**
   * Keeps services and what must not meet them apart: `service` is for each running service, `alone` for work that no service may
   * see. Problem `conflict` while the other is held. What it returns releases it; so does the end of the process. Absent where the
   * database itself keeps them apart.
   */
  readonly claim?: (use: DatabaseUse) => () => void
  /** Calls back when another process publishes on the channel, and whenever a message may have been missed. */
  readonly listen?: (channel: string, wake: () => void) => Promise<() => Promise<void>>
  /** How far the clock of the database is ahead of the clock of this machine, in milliseconds. */
  clockOffset(): Promise<number>
  /** Stays the same until any process commits; null where the database does not say so cheaply. */
  generation(): number | null
  /** Returns the number of rows of each table, about. */
  tableSizes(): Promise<ReadonlyMap<string, number>>
  /** Values that many rows have, of columns that an index begins with. */
  commonValues(): Promise<readonly CommonValue[]>
  /** What the database itself finds wrong with its files and indexes, in words. */
  findDamages(): Promise<readonly string[]>
  /** Work on its own files that makes reads faster, in small steps. Absent where the database does it by itself. */
  readonly tidy?: (signal: AbortSignal) => Promise<void>
  /** Leaves nothing of removed records in the files of the database. */
  eraseRemoved(): Promise<void>
  readonly statements: number
  /** How many reads ran where they hold up no others. */
  readonly slowReads: number
  /** Refuses slow reads from now on, and ends those that run within this many milliseconds. */
  endSlowReads(graceMs: number): void
  /** What other transactions wait for at the moment; null when they can begin. */
  readonly wait: TransactionWait | null
  /** Throws when the database cannot be read, or is seen to take no writes. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** How long a transaction may wait for anything but the database unless something else is set. */
export const defaultTransactionTimeout = 20_000
