// Opens the database and puts the parts of the store together.

import { isExecutionTimeout } from '../deadline.ts'
import { anonymous } from '../model/caller.ts'
import type { EventFields } from '../model/event-fields.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Registry } from '../model/registry.ts'
import { Activity, type MistakeListener } from '../model/running-code.ts'
import { Suspensions } from '../model/suspensions.ts'
import type { Actor, Transaction } from '../model/transaction.ts'
import type { TransactionConnection, TransactionOptions } from './connection.ts'
import { openDatabase } from './databases.ts'
import { type Database, type DatabaseLimits, defaultTransactionTimeout } from './driver.ts'
import { findTraces } from './erase.ts'
import { pruneHistory } from './history/read-history.ts'
import { createRecorder } from './history/recorder.ts'
import { readInstallation } from './installation.ts'
import { loadSnapshot } from './load-snapshot.ts'
import { applyPlan, migrate } from './migrate/apply.ts'
import { buildIndexes } from './migrate/build-indexes.ts'
import { dropUnknown } from './migrate/drop.ts'
import { planMigration } from './migrate/plan.ts'
import { createEventLog, prepareEventTables, WriteWatchers } from './outbox/event-log.ts'
import { ChangePublishing } from './outbox/publisher.ts'
import { buildSearch, prepareSearch } from './search/build.ts'
import { checkSearch, repairSearch } from './search/check.ts'
import { packSearch } from './search/pack.ts'
import { refreshSearches } from './search/refresh.ts'
import { changesSearch } from './search/write-entries.ts'
import { readSnapshot } from './snapshot.ts'
import { explainGroups, explainQuery } from './sql/explain.ts'
import { PagePositions } from './sql/page-positions.ts'
import { createPointReads } from './sql/point-reads.ts'
import { createReader } from './sql/read.ts'
import type { SqlSession } from './sql/session.ts'
import { Statements } from './sql/statements.ts'
import { insertRecord, updateRecord, writesInOne } from './sql/write.ts'
import type { Store } from './store.ts'
import { storedResources } from './stored-resources.ts'
import { TableSizeCache } from './table-sizes.ts'
import { createTransaction } from './transaction.ts'
import { purgeOld } from './trash/purge.ts'
import { WriteCounts } from './write-counts.ts'
import { type SingleWrite, type WriteAlone, WriteGroups } from './write-groups.ts'

interface StoreOptions extends DatabaseLimits {
  /** `postgres://…`, or for SQLite the path of a file or `:memory:`. */
  readonly url: string
  readonly registry: Registry
  /** The modules that the model is made of. */
  readonly modules?: readonly string[]
  /** Starts although a newer model has used the database. */
  readonly allowsOlder?: boolean
  /** The fields that accompany change events; none when left out. */
  readonly eventFields?: EventFields
  /** The present moment, for transactions that do not say when they happen. */
  readonly clock?: () => Date
  /** The databases to choose from; those of `databases.ts` by default. */
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
    eventFields,
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
  const resources = storedResources(registry)
  const sizes = new TableSizeCache(driver)
  const positions = new PagePositions()
  const watchers = new WriteWatchers()
  const shared: SqlSession = { statements, connection: driver, sizes, positions, isRemote: !driver.isEmbedded }
  const publishing = new ChangePublishing(dialect.outbox, eventFields)
  const noted = async <T>(writing: Promise<T>, writes: () => WriteCounts): Promise<T> => {
    const value = await writing.finally(() => positions.noteWrites(writes()))
    watchers.noteWrites(writes())
    return value
  }
  const transaction: Transact = (work, by = anonymousNow(), options) =>
    publishing.run(publisher => {
      let [writes, activity] = [new WriteCounts(), new Activity()]
      const watch = {
        describe: () => activity.describe(),
        onLate: (isAwaited: boolean) => activity.noteLate(isAwaited),
      }
      const run = async (connection: TransactionConnection) => {
        writes = new WriteCounts()
        activity = new Activity({ mistakes, suspensions, waitedMs: connection.waitedMs })
        const session = { statements, connection, publisher, recorder: createRecorder(by, clock) }
        const parts = { session, connection, registry, resources, by, writes, activity }
        const value = await work(createTransaction(parts), connection)
        await activity.settle()
        return value
      }
      const writing = driver.transaction(run, { ...watch, ...options })
      return noted(writing, () => writes)
    })
  /** One statement without a transaction around it. */
  const alone: WriteAlone = (by, resources, write) => {
    const writes = new WriteCounts()
    for (const resource of resources) writes.note(resource)
    const recorder = createRecorder(by, clock)
    return publishing.run(publisher => noted(write({ ...shared, publisher, recorder }), () => writes))
  }
  const reader = createReader(shared)
  // Within the process, statements take no journey that they could share.
  const groups =
    dialect.columnRows && !driver.isEmbedded
      ? new WriteGroups({
          ...{ alone, dialect, clock },
          insertInTransaction: ({ by, write }) => transaction(tx => insertIn(tx, write), by),
        })
      : null
  return {
    ...reader,
    ...(!driver.isEmbedded && { get: createPointReads(shared, reader.get) }),
    resource: registry.resource,
    published: registry.published,
    database: dialect.name,
    isEmbedded: driver.isEmbedded,
    transaction,
    exclusively: work =>
      transaction(
        async (tx, connection) => {
          await dialect.schema.lockMigrations(connection)
          return work(tx, sql => connection.script(sql))
        },
        undefined,
        // It has no second run that others would have to wait for.
        { isUnlimited: true, timeout: exclusiveTimeout, onLate: () => {} },
      ).catch(error => {
        // No request is behind it: the cause names the code that did not end.
        throw isExecutionTimeout(error) ? error.cause : error
      }),
    single: {
      insert: (resource, pk, values, options) => {
        const { by = anonymousNow(), following = [] } = options ?? {}
        const write = { resource, pk, values, options, following }
        const isOne = writesInOne(shared, write) && !resource.writesIndexes && (groups || following.length === 0)
        if (!isOne) return transaction(tx => insertIn(tx, write), by)
        return groups ? groups.insert({ write, by }) : alone(by, [resource], session => insertRecord(session, write))
      },
      ...(dialect.writesInWith && {
        update: async (resource, pk, values, { version, by = anonymousNow(), ...options }) => {
          const write = { resource, pk, values, options, version }
          const isOne = writesInOne(shared, write) && !(resource.writesIndexes && changesSearch(resource, values))
          if (!isOne) return null
          return groups ? groups.update({ write, by }) : alone(by, [resource], session => updateRecord(session, write))
        },
      }),
    },
    plan: (version, options) => planMigration(driver, registry, { version, modules, allowsOlder, ...options }),
    events: createEventLog({ driver, fields: name => publishing.fields(registry.resource(name)) }, publishing.wakes),
    apply: async plan => {
      await prepareEventTables(driver)
      await applyPlan(driver, plan)
      await prepareSearch(driver, registry)
    },
    drop: name => dropUnknown(driver, registry, name),
    tableRows: () => driver.tableSizes(),
    migrate: async (version, options) => {
      await prepareEventTables(driver)
      const plan = await migrate(driver, registry, { version, modules, allowsOlder, ...options })
      const searches = await prepareSearch(driver, registry)
      if (plan.builds?.some(({ isUnique }) => isUnique))
        await buildIndexes(driver, registry, { version, uniqueOnly: true })
      return { ...plan, searches }
    },
    buildIndexes: options => buildIndexes(driver, registry, options),
    buildSearch: signal => buildSearch(driver, registry, signal),
    refreshSearch: signal => refreshSearches(driver, registry, signal),
    packSearch: signal => packSearch(driver, registry, signal),
    checkSearch: () => checkSearch(driver, registry),
    repairSearch: () => repairSearch(driver, registry),
    snapshot: work => driver.snapshot(async connection => work(await readSnapshot(connection, dialect, registry))),
    load: (snapshot, options) => loadSnapshot(driver, registry, { ...options, snapshot }),
    installation: () => readInstallation(driver),
    instance: driver.instance,
    isRunning: driver.isRunning,
    clockOffset: driver.clockOffset,
    pruneHistory: (resource, before) => pruneHistory(driver, resource, before),
    findTraces: (field, value) =>
      findTraces({ connection: driver, dialect, resources: storedResources(registry) }, field, [value]),
    purgeTrash: before => purgeOld(driver, storedResources(registry), before),
    claim: use => driver.claim?.(use) ?? (() => {}),
    findDamages: () => driver.findDamages(),
    tidy: async signal => driver.tidy?.(signal),
    eraseRemoved: () => driver.eraseRemoved(),
    sizes: () => sizes.get(),
    explain: (resource, query) => explainQuery(shared, resource, query),
    explainGroups: (resource, aggregation) => explainGroups(shared, resource, aggregation),
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

/** Inserts a record, and the rows that follow from it. */
const insertIn = async (tx: Transaction, write: SingleWrite): Promise<StoredRecord> => {
  const { resource, pk, values, options, following = [] } = write
  const record = await tx.insert(resource, pk, values, options)
  for (const rows of following) await tx.insertAll(rows.resource, rows.records)
  return record
}

type Transact = <T>(
  work: (tx: Transaction, connection: TransactionConnection) => Promise<T>,
  by?: Actor,
  options?: TransactionOptions,
) => Promise<T>
