// The store: records in a database, behind one interface.

import { isExecutionTimeout } from '../deadline.ts'
import { anonymous } from '../model/caller.ts'
import type { EventLog, EventMembers } from '../model/event.ts'
import type { Query } from '../model/query.ts'
import type { StoredRecord, Values } from '../model/record.ts'
import type { Registry } from '../model/registry.ts'
import type { Member, Resource } from '../model/resource.ts'
import { Activity, type MistakeListener } from '../model/running-code.ts'
import { Suspensions } from '../model/suspensions.ts'
import type { Actor, Reader, ReadOptions, TableSizes, Transaction } from '../model/transaction.ts'
import type { TransactionConnection, TransactionOptions } from './connection.ts'
import { openDatabase, readInstallation } from './databases.ts'
import {
  type Database,
  type DatabaseLimits,
  type DatabaseUse,
  defaultTransactionTimeout,
  type TransactionWait,
} from './driver.ts'
import { findTraces } from './erase.ts'
import { pruneHistory } from './history/read-history.ts'
import { createRecorder } from './history/recorder.ts'
import { type LoadOptions, loadSnapshot } from './load-snapshot.ts'
import { applyPlan, migrate } from './migrate/apply.ts'
import { type BuildOptions, buildIndexes } from './migrate/build-indexes.ts'
import { dropUnknown } from './migrate/drop.ts'
import { type MigrationPlan, planMigration, type StartingModel } from './migrate/plan.ts'
import { createEventLog, prepareEventTables, WriteWatchers } from './outbox/event-log.ts'
import { ChangePublishing } from './outbox/publisher.ts'
import { type DatabaseSnapshot, readSnapshot } from './snapshot.ts'
import { type ExplainedStatement, explainQuery } from './sql/explain.ts'
import { PagePositions } from './sql/page-positions.ts'
import { createReader } from './sql/read.ts'
import type { SqlSession } from './sql/session.ts'
import { Statements } from './sql/statements.ts'
import { insertRecord, writesInOne } from './sql/write.ts'
import { TableSizeCache } from './table-sizes.ts'
import { createTransaction } from './transaction.ts'
import { purgeOld } from './trash/purge.ts'
import { WriteCounts } from './write-counts.ts'

interface SingleOptions extends ReadOptions {
  readonly by?: Actor
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
    insert(resource: Resource, pk: string, values: Values, options?: SingleOptions): Promise<StoredRecord>
  }
  /** What was changed, in order. */
  readonly events: EventLog
  /** What would bring the database to the model. With a version, a database of a newer one is refused. */
  plan(version?: string, options?: Pick<StartingModel, 'contracts'>): Promise<MigrationPlan>
  apply(plan: MigrationPlan): Promise<void>
  /** Drops a table, or a column such as `books.oldTitle`, that the model does not have. Problem `not_found` for any other. */
  drop(name: string): Promise<void>
  /** About how many rows each table of the database has. */
  tableRows(): Promise<ReadonlyMap<string, number>>
  /**
   * Plans and applies in one, safe against other instances that start at the same time. Records the version. Of the indexes that
   * are built while others write, only unique ones are there afterwards.
   */
  migrate(version: string, options?: Pick<StartingModel, 'contracts'>): Promise<MigrationPlan>
  /** Builds the indexes that `migrate` has left, while others write. Returns the statements. */
  buildIndexes(options: BuildOptions): Promise<readonly string[]>
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
  /** The pks of all records, present, deleted or in the history, whose member has or had this value. */
  findTraces(member: Member, value: string): Promise<readonly string[]>
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
  /** About how many rows the tables have. At once but for the first time. */
  sizes(): TableSizes | Promise<TableSizes>
  /** The statements of a search and the plans of the database for them; nothing is run. */
  explain(resource: Resource, query: Query): Promise<readonly ExplainedStatement[]>
  /** How many statements were sent so far; tests hold it against what a request may cost. */
  readonly statements: number
  /** How many reads took so long that they ran where they hold up no others. */
  readonly slowReads: number
  /** From now on, events of the resource that this process writes also have these members. */
  announce(resource: Resource, members: readonly Member[]): void
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

// Opens the database and puts the parts together.

interface StoreOptions extends DatabaseLimits {
  /** `postgres://…`, or for SQLite the path of a file or `:memory:`. */
  readonly url: string
  readonly registry: Registry
  /** Those that the model is made of. */
  readonly modules?: readonly string[]
  /** Starts although a newer model has used the database. */
  readonly allowsOlder?: boolean
  /** Which members accompany change events; none when left out. */
  readonly eventMembers?: EventMembers
  /** The present moment, for transactions that do not say when they happen. */
  readonly clock?: () => Date
  /** Those of `databases.ts` unless given. */
  readonly databases?: readonly Database[]
  /** How long the work of `exclusively` may take without a statement, in milliseconds; unlimited unless given. */
  readonly exclusiveTimeout?: number
  /** Told of calls of records that nothing awaits, and of code that keeps others waiting. */
  readonly mistakes?: MistakeListener
}

export const createStore = async (options: StoreOptions): Promise<Store> => {
  const {
    url,
    registry,
    eventMembers,
    clock = () => new Date(),
    databases,
    mistakes,
    modules,
    allowsOlder,
    exclusiveTimeout = 0,
    ...limits
  } = options
  const anonymousNow = (): Actor => ({ caller: anonymous, sender: null, now: clock() })
  const driver = await openDatabase(url, limits, databases)
  const { dialect } = driver
  const { transactionTimeout = defaultTransactionTimeout } = limits
  const suspensions = new Suspensions(transactionTimeout, suspension => mistakes?.reportSuspension(suspension))
  const statements = new Statements(dialect)
  const sizes = new TableSizeCache(driver)
  const positions = new PagePositions()
  const watchers = new WriteWatchers()
  const shared: SqlSession = { statements, connection: driver, sizes, positions, isRemote: !driver.isEmbedded }
  const publishing = new ChangePublishing(dialect.outbox, eventMembers)
  const noted = async <T>(writing: Promise<T>, writes: () => WriteCounts): Promise<T> => {
    const value = await writing.finally(() => positions.noteWrites(writes()))
    watchers.noteWrites(writes())
    return value
  }
  const transact: Transact = (work, by, options) =>
    publishing.run(publisher => {
      let [writes, activity] = [new WriteCounts(), new Activity()]
      const watch = {
        describe: () => activity.describe(),
        onLate: (isAwaited: boolean) => activity.noteLate(isAwaited),
      }
      const run = async (connection: TransactionConnection) => {
        writes = new WriteCounts()
        activity = new Activity({ mistakes, suspensions })
        const session = { statements, connection, publisher, recorder: createRecorder(by, clock) }
        const value = await work(createTransaction({ session, connection, registry, by, writes, activity }), connection)
        await activity.settle()
        return value
      }
      const writing = driver.transaction(run, { ...watch, ...options })
      return noted(writing, () => writes)
    })
  const transaction: Store['transaction'] = (work, by = anonymousNow(), options) => transact(work, by, options)
  return {
    ...createReader(shared),
    resource: which => registry.resource(which),
    published: name => registry.published(name),
    database: dialect.name,
    isEmbedded: driver.isEmbedded,
    transaction,
    exclusively: work =>
      transact(
        async (tx, connection) => {
          await dialect.schema.lockMigrations(connection)
          return work(tx, sql => connection.script(sql))
        },
        anonymousNow(),
        // It has no second run that others would have to wait for.
        { isUnlimited: true, timeout: exclusiveTimeout, onLate: () => {} },
      ).catch(error => {
        // No request is behind it: the cause names the code that did not end.
        throw isExecutionTimeout(error) ? error.cause : error
      }),
    single: {
      insert: (resource, pk, values, options) => {
        const { by = anonymousNow() } = options ?? {}
        if (!writesInOne(shared, { resource, pk, values }))
          return transaction(tx => tx.insert(resource, pk, values, options), by)
        const recorder = createRecorder(by, clock)
        const writes = new WriteCounts()
        writes.note(resource)
        return publishing.run(publisher => {
          const writing = insertRecord({ ...shared, publisher, recorder }, { resource, pk, values, options })
          return noted(writing, () => writes)
        })
      },
    },
    plan: (version, options) => planMigration(driver, registry, { version, modules, allowsOlder, ...options }),
    events: createEventLog({ driver, members: name => publishing.members(registry.resource(name)) }, publishing.wakes),
    apply: async plan => {
      await prepareEventTables(driver)
      await applyPlan(driver, plan)
    },
    drop: name => dropUnknown(driver, registry, name),
    tableRows: () => driver.tableSizes(),
    migrate: async (version, options) => {
      await prepareEventTables(driver)
      const plan = await migrate(driver, registry, { version, modules, allowsOlder, ...options })
      if (plan.builds?.some(({ isUnique }) => isUnique))
        await buildIndexes(driver, registry, { version, uniqueOnly: true })
      return plan
    },
    buildIndexes: options => buildIndexes(driver, registry, options),
    snapshot: work => driver.snapshot(async connection => work(await readSnapshot(connection, dialect, registry))),
    load: (snapshot, options) => loadSnapshot(driver, registry, { ...options, snapshot }),
    installation: () => readInstallation(driver),
    instance: driver.instance,
    isRunning: driver.isRunning,
    clockOffset: driver.clockOffset,
    pruneHistory: (resource, before) => pruneHistory(driver, resource, before),
    findTraces: (member, value) =>
      findTraces({ connection: driver, dialect, resources: registry.resources }, member, [value]),
    purgeTrash: before => purgeOld(driver, registry.resources, before),
    claim: use => driver.claim?.(use) ?? (() => {}),
    findDamages: () => driver.findDamages(),
    tidy: async signal => driver.tidy?.(signal),
    eraseRemoved: () => driver.eraseRemoved(),
    sizes: () => sizes.get(),
    explain: (resource, query) => explainQuery(shared, resource, query),
    generation: driver.generation,
    get statements() {
      return driver.statements
    },
    get slowReads() {
      return driver.slowReads
    },
    announce: (resource, added) => {
      if (publishing.announce(resource, added)) statements.forget()
    },
    onWrite: (resource, wake) => watchers.add(resource, wake),
    endSlowReads: driver.endSlowReads,
    get wait() {
      return driver.wait
    },
    ping: () => driver.ping(),
    close: () => driver.close(),
  }
}

type Transact = <T>(
  work: (tx: Transaction, connection: TransactionConnection) => Promise<T>,
  by: Actor,
  options?: TransactionOptions,
) => Promise<T>
