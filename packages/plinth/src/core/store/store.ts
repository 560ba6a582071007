// The store: records in a database, behind one interface. `create-store.ts` puts its parts together.

import type { Aggregation } from '../model/aggregation.ts'
import type { EventLog } from '../model/event.ts'
import type { Query } from '../model/query.ts'
import type { StoredRecord, Values } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import type { Actor, FollowingRecords, Reader, ReadOptions, TableSizes, Transaction } from '../model/transaction.ts'
import type { TransactionOptions } from './connection.ts'
import type { DatabaseUse, TransactionWait } from './driver.ts'
import type { LoadOptions } from './load-snapshot.ts'
import type { BuildOptions } from './migrate/build-indexes.ts'
import type { MigrationPlan, StartingModel } from './migrate/plan.ts'
import type { SearchFinding } from './search/check.ts'
import type { DatabaseSnapshot } from './snapshot.ts'
import type { ExplainedStatement } from './sql/explain.ts'

interface SingleOptions extends ReadOptions {
  readonly by?: Actor
}

interface SingleInsertOptions extends SingleOptions {
  readonly following?: readonly FollowingRecords[]
}

/** Runs statements without parameters in the transaction. */
export type ScriptRunner = (sql: string) => Promise<void>

export interface Store extends Reader {
  /** The name of the database, for people to read: nothing depends on it. */
  readonly database: string
  /** Runs inside this process, on files of this machine: a statement takes no journey, and no other machine sees the data. */
  readonly isEmbedded: boolean
  /** All or nothing. The work may run again when the database asks for it, so it must have no effect outside. */
  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    by?: Actor,
    options?: Pick<TransactionOptions, 'isLong'>,
  ): Promise<T>
  /** A transaction under the lock of migrations: of several instances that start at once, one runs it at a time. */
  exclusively<T>(work: (tx: Transaction, script: ScriptRunner) => Promise<T>): Promise<T>
  /** A write that is one statement and needs no transaction around it. */
  readonly single: {
    insert(resource: Resource, pk: string, values: Values, options?: SingleInsertOptions): Promise<StoredRecord>
    /**
     * Is null when the record is gone or of another version, and where one statement is not enough. Absent where none
     * ever is.
     */
    readonly update?: (
      resource: Resource,
      pk: string,
      values: Values,
      options: SingleOptions & { readonly version: number },
    ) => Promise<StoredRecord | null>
  }
  /** What was changed, in order. */
  readonly events: EventLog
  /** What would bring the database to the model. With a version, a database of a newer one is refused. */
  plan(version?: string, options?: Pick<StartingModel, 'contracts'>): Promise<MigrationPlan>
  apply(plan: MigrationPlan): Promise<void>
  /** Drops a table, or a column such as `books.oldTitle`, that the model does not have. Problem `not_found` for any other. */
  drop(name: string): Promise<void>
  /** Returns the number of rows of each table of the database, about. */
  tableRows(): Promise<ReadonlyMap<string, number>>
  /**
   * Plans and applies in one, safe against other instances that start at the same time. Records the version. Of the indexes that
   * are built while others write, only unique ones are there afterwards.
   */
  migrate(version: string, options?: Pick<StartingModel, 'contracts'>): Promise<MigrationPlan>
  /** Builds the indexes that `migrate` has left, while others write. Returns the statements. */
  buildIndexes(options: BuildOptions): Promise<readonly string[]>
  /** Builds the indexes of words that are not built yet, batch by batch while others write. Returns the names of the resources. */
  buildSearch(signal: AbortSignal): Promise<readonly string[]>
  /** Puts what was written lately where searches find it fastest, and frees the room of what is gone, a little at a time. */
  packSearch(signal: AbortSignal): Promise<void>
  /**
   * Brings records up to date whose index has words of changed related records, and which the write itself has left. Answers whether
   * nothing is left to do: transactions under way may still change something.
   */
  refreshSearch(signal: AbortSignal): Promise<boolean>
  /** Compares the indexes of words with all records. */
  checkSearch(): Promise<readonly SearchFinding[]>
  /** Builds all indexes of words again. */
  repairSearch(): Promise<void>
  /** All records as they are at one moment, for as long as the work takes. Writers do not wait for it. */
  snapshot<T>(work: (snapshot: DatabaseSnapshot) => Promise<T>): Promise<T>
  /** Fills the database with a snapshot, compares it record by record, and migrates it to the model: all or nothing. */
  load(snapshot: DatabaseSnapshot, options: LoadOptions): Promise<void>
  /** Problem `conflict` for work that must be alone while a service runs, and the other way round. What it returns releases it. */
  claim(use: DatabaseUse): () => void
  /** What the database itself finds wrong with its files and indexes, in words. */
  findDamages(): Promise<readonly string[]>
  /** Deletes a bounded number of entries of the history from before a moment; answers how many. */
  pruneHistory(resource: Resource, before: string): Promise<number>
  /** Deletes a bounded number of records from the trash that were deleted before a moment; answers how many rows. */
  purgeTrash(before: string): Promise<number>
  /** The pks of all records, present, deleted or in the history, whose field has or had this value. */
  findTraces(field: ResourceField, value: string): Promise<readonly string[]>
  /** Work on the files of the database that makes reads faster, in small steps, until the signal is aborted. */
  tidy(signal: AbortSignal): Promise<void>
  /** Leaves nothing of removed records in the files of the database. */
  eraseRemoved(): Promise<void>
  /** Identifies this database among others: eight hexadecimal digits, made when they are first asked for. */
  installation(): Promise<string>
  /** Identifies this process among those that use the database. */
  readonly instance: string
  /** Is the process of this name still there? On SQLite only one counts: the one that asks. */
  isRunning(instance: string): Promise<boolean>
  /** How far the clock of the database is ahead of the clock of this machine, in milliseconds. */
  clockOffset(): Promise<number>
  /** Stays the same until any process commits; null where the database does not say so cheaply. */
  generation(): number | null
  /** Returns the number of rows of the tables, about. At once but for the first time. */
  sizes(): TableSizes | Promise<TableSizes>
  /** The statements of a search and the plans of the database for them; nothing is run. */
  explain(resource: Resource, query: Query): Promise<readonly ExplainedStatement[]>
  /** The same of an aggregation. */
  explainGroups(resource: Resource, aggregation: Aggregation): Promise<readonly ExplainedStatement[]>
  /** How many statements were sent so far; tests hold it against what a request may cost. */
  readonly statements: number
  /** How many reads took so long that they ran where they hold up no others. */
  readonly slowReads: number
  /** Adds fields to all later events of the resource that this process writes. */
  announce(resource: Resource, fields: readonly ResourceField[]): void
  /** Calls `wake` after each commit here that created or changed records of the resource. Returns a function that ends this. */
  onWrite(resource: Resource, wake: () => void): () => void
  /** Refuses slow reads from now on, and ends those that run within this many milliseconds. */
  endSlowReads(graceMs: number): void
  /** What other transactions wait for at the moment; null when they can begin. */
  readonly wait: TransactionWait | null
  /** Throws when the database cannot be read, or is seen to take no writes. */
  ping(): Promise<void>
  close(): Promise<void>
}
