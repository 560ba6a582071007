// The store as the rest of the service sees it.

import type { EventLog } from '../model/event.ts'
import type { Query } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { Actor, Reader, TableSizes, Transaction } from '../model/transaction.ts'
import type { MigrationPlan } from './migrate/plan.ts'
import type { ExplainedStatement } from './sql/explain.ts'

export interface Store extends Reader {
  /** The name of the database, for people to read: nothing depends on it. */
  readonly database: string
  /** Runs inside this process, on files of this machine: a statement takes no journey, and no other machine sees the data. */
  readonly isEmbedded: boolean
  /** All or nothing. The work may run again when the database asks for it, so it must have no effect outside. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, by?: Actor): Promise<T>
  /** A transaction under the lock of migrations: of several instances that start at once, one runs it at a time. */
  exclusively<T>(work: (tx: Transaction) => Promise<T>, by?: Actor): Promise<T>
  /** A write that is one statement and needs no transaction around it. */
  readonly single: Pick<Transaction, 'insert'>
  /** What was changed, in order. */
  readonly events: EventLog
  /** What would bring the database to the model. With a version, a database of a newer one is refused. */
  plan(version?: string): Promise<MigrationPlan>
  apply(plan: MigrationPlan): Promise<void>
  /** Plans and applies in one, safe against other instances that start at the same time. Records the version. */
  migrate(version: string): Promise<MigrationPlan>
  /** Leaves nothing of removed records in the files of the database. */
  eraseRemoved(): Promise<void>
  /** Identifies this process among those that use the database. */
  readonly instance: string
  /** Is the process of this name still there? On SQLite only one counts: the one that asks. */
  isRunning(instance: string): Promise<boolean>
  /** Stays the same until any process commits; null where the database does not say so cheaply. */
  generation(): number | null
  /** About how many rows the tables have. At once but for the first time. */
  sizes(): TableSizes | Promise<TableSizes>
  /** The statements of a search and the plans of the database for them; nothing is run. */
  explain(resource: Resource, query: Query): Promise<readonly ExplainedStatement[]>
  /** How many statements were sent so far; tests hold it against what a request may cost. */
  readonly statements: number
  /** Refuses slow reads from now on, and ends those that run within this many milliseconds. */
  endSlowReads(graceMs: number): void
  /** Throws when the database cannot be read, or is seen to take no writes. */
  ping(): Promise<void>
  close(): Promise<void>
}
