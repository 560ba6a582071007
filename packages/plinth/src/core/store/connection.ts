// A connection to a database: SQL text in, rows out.

import type { Requester } from '../model/caller.ts'
import type { StatementFacts } from './statement-facts.ts'

/** A value that a text can show. */
export type ReadableCell = string | number | boolean | null

export type Cell = ReadableCell | Uint8Array

/** What the maker of a read knows and its text does not say. */
export interface ReadHint {
  /** The most rows that it visits, where an index gives their order. */
  readonly walks?: number | undefined
  /** How many rows an offset skips. */
  readonly skips?: number | undefined
  /** A statement of the application, of which nothing is known: it runs where it holds up no others. */
  readonly isOwn?: boolean
  /** The facts of its statement; absent where the statement does little, whatever the tables hold. */
  readonly facts?: StatementFacts | undefined
  /** The user on whose behalf it reads; absent for reads that the service makes for itself. */
  readonly requester?: Requester | undefined
  /** Nothing follows the statement in its transaction, which may be committed together with it. */
  readonly isLast?: boolean | undefined
}

/** The cells of a row, in the order of the selected columns. */
export type ResultRow = readonly unknown[]

export type ResultRows = readonly ResultRow[]

export interface Connection {
  /** `quick`: so short that others of its kind may wait for it. */
  rows(sql: string, cells: readonly Cell[], quick?: boolean, hint?: ReadHint): Promise<ResultRows>
  /** Runs several statements without parameters, for migrations. */
  script(sql: string): Promise<void>
}

/** A connection within a transaction. */
export interface TransactionConnection extends Connection {
  /** Runs the work in a savepoint. When it fails, what it wrote is undone, and the transaction can go on. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** How long the work has used anything but the database so far, in milliseconds. */
  waitedMs(): number
}

export interface TransactionOptions {
  /** Lifts the time limit of its statements, as migrations need it. */
  readonly isUnlimited?: boolean
  /** How long it may wait for anything but the database, in milliseconds; 0 for as long as it needs. That of the database unless given. */
  readonly timeout?: number
  /**
   * It writes very many records: no other transaction shares its commit, and what the commit takes is done beside the event loop. It may
   * wait as often as it likes.
   */
  readonly isLong?: boolean
  /** Names what runs in it at the moment, for messages. */
  readonly describe?: () => string
  /** Is called when its time is over, with whether other transactions had to wait for it. */
  readonly onLate?: (isAwaited: boolean) => void
}

/** A connection that can begin transactions. */
export interface TransactionalConnection extends Connection {
  /** The work may run again, where the database asks for it. */
  transaction<T>(work: (connection: TransactionConnection) => Promise<T>, options?: TransactionOptions): Promise<T>
}
