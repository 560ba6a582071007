// The store: records in a database, behind one interface.

import { anonymous } from '../model/caller.ts'
import type { EventLog, EventMembers } from '../model/event.ts'
import { equals, type Query } from '../model/query.ts'
import type { StoredRecord, Values } from '../model/record.ts'
import type { Registry } from '../model/registry.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { Actor, Reader, ReadOptions, TableSizes, Transaction } from '../model/transaction.ts'
import { keepsTrash } from '../model/trash.ts'
import { openDatabase, readInstallation } from './databases.ts'
import type { Connection, Database, DatabaseLimits, DatabaseUse, Driver, TransactionOptions } from './driver.ts'
import { eraseTraces, findTraces } from './erase.ts'
import { historyTableOf } from './history/columns.ts'
import { pruneHistory } from './history/read-history.ts'
import { createRecorder } from './history/record-change.ts'
import { type LoadOptions, loadSnapshot } from './load-snapshot.ts'
import { dropUnknown } from './migrate/drop.ts'
import { applyPlan, type MigrationPlan, migrate, planMigration } from './migrate/plan.ts'
import { createEventLog, type Publisher, prepareEventTables, WriteWatchers } from './outbox/event-log.ts'
import { type DatabaseSnapshot, readSnapshot } from './snapshot.ts'
import { linkTableOf, recordTableOf } from './sql/columns.ts'
import { type ExplainedStatement, explainQuery } from './sql/explain.ts'
import { PagePositions } from './sql/page.ts'
import { createReader, readOne } from './sql/read.ts'
import { findReferrer, refusedRemoval } from './sql/refusals.ts'
import { removeRecords, removeSome } from './sql/remove.ts'
import { type SqlSession, Statements } from './sql/statements.ts'
import { ensureRecord, insertRecord, insertRecords, updateRecord, WriteCounts, writesInOne } from './sql/write.ts'
import { trashTableOf } from './trash/columns.ts'
import { moveToTrash } from './trash/move-to-trash.ts'
import { purgeDeletion, purgeOld } from './trash/purge.ts'
import { findDeletion, restoreFromTrash } from './trash/restore.ts'

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
  transaction<T>(work: (tx: Transaction) => Promise<T>, by?: Actor): Promise<T>
  /** A transaction under the lock of migrations: of several instances that start at once, one runs it at a time. */
  exclusively<T>(work: (tx: Transaction, script: ScriptRunner) => Promise<T>, by?: Actor): Promise<T>
  /** A write that is one statement and needs no transaction around it. */
  readonly single: {
    insert(resource: Resource, pk: string, values: Values, options?: SingleOptions): Promise<StoredRecord>
  }
  /** What was changed, in order. */
  readonly events: EventLog
  /** What would bring the database to the model. With a version, a database of a newer one is refused. */
  plan(version?: string): Promise<MigrationPlan>
  apply(plan: MigrationPlan): Promise<void>
  /** Drops a table, or a column such as `books.oldTitle`, that the model does not have. Problem `not_found` for any other. */
  drop(name: string): Promise<void>
  /** About how many rows each table of the database has. */
  tableRows(): Promise<ReadonlyMap<string, number>>
  /** Plans and applies in one, safe against other instances that start at the same time. Records the version. */
  migrate(version: string): Promise<MigrationPlan>
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
  /** Stays the same until any process commits; null where the database does not say so cheaply. */
  generation(): number | null
  /** About how many rows the tables have. At once but for the first time. */
  sizes(): TableSizes | Promise<TableSizes>
  /** The statements of a search and the plans of the database for them; nothing is run. */
  explain(resource: Resource, query: Query): Promise<readonly ExplainedStatement[]>
  /** How many statements were sent so far; tests hold it against what a request may cost. */
  readonly statements: number
  /** Calls `wake` after each commit here that created or changed records of the resource. Returns a function that ends this. */
  onWrite(resource: Resource, wake: () => void): () => void
  /** Refuses slow reads from now on, and ends those that run within this many milliseconds. */
  endSlowReads(graceMs: number): void
  /** Throws when the database cannot be read, or is seen to take no writes. */
  ping(): Promise<void>
  close(): Promise<void>
}

// Opens the database and puts the parts together.

interface StoreOptions extends DatabaseLimits {
  /** `postgres://…`, or for SQLite the path of a file or `:memory:`. */
  readonly url: string
  readonly registry: Registry
  /** Which members accompany change events; none when left out. */
  readonly eventMembers?: EventMembers
  /** The present moment, for transactions that do not say when they happen. */
  readonly clock?: () => Date
  /** Those of `databases.ts` unless given. */
  readonly databases?: readonly Database[]
}

export const createStore = async (options: StoreOptions): Promise<Store> => {
  const { url, registry, eventMembers, clock = () => new Date(), databases, ...limits } = options
  const anonymousNow = (): Actor => ({ caller: anonymous, sender: null, now: clock() })
  const driver = await openDatabase(url, limits, databases)
  const { dialect } = driver
  const statements = new Statements(dialect)
  const sizes = new TableSizeCache(driver)
  const positions = new PagePositions()
  const watchers = new WriteWatchers()
  const shared: SqlSession = { statements, connection: driver, sizes, positions, isRemote: !driver.isEmbedded }
  const members = (holder: Resource) => eventMembers?.get(holder) ?? []
  const wakes = new Set<() => void>()
  /** Runs a write, and wakes those that wait for changes once it is committed. */
  const publishing = async <T>(write: (publisher: Publisher) => Promise<T>): Promise<T> => {
    let hasNews = false
    const onPublish = () => {
      hasNews = true
    }
    const value = await write({ members, onPublish })
    if (hasNews) for (const wake of wakes) wake()
    return value
  }
  const noted = async <T>(writing: Promise<T>, writes: () => WriteCounts): Promise<T> => {
    const value = await writing.finally(() => positions.noteWrites(writes()))
    watchers.noteWrites(writes())
    return value
  }
  const transact: Transact = (work, by, options) =>
    publishing(publisher => {
      let writes = new WriteCounts()
      const writing = driver.transaction(connection => {
        writes = new WriteCounts()
        const session = { statements, connection, publisher, recorder: createRecorder(by, clock) }
        return work(createTransaction({ session, registry, by, writes }), connection)
      }, options)
      return noted(writing, () => writes)
    })
  const transaction: Store['transaction'] = (work, by = anonymousNow()) => transact(work, by)
  return {
    ...createReader(shared),
    resource: which => registry.resource(which),
    published: name => registry.published(name),
    database: dialect.name,
    isEmbedded: driver.isEmbedded,
    transaction,
    exclusively: (work, by = anonymousNow()) =>
      transact(
        async (tx, connection) => {
          await dialect.schema.lockMigrations(connection)
          return work(tx, sql => connection.script(sql))
        },
        by,
        { isUnlimited: true },
      ),
    single: {
      insert: (resource, pk, values, options) => {
        const { by = anonymousNow() } = options ?? {}
        if (!writesInOne(shared, { resource, pk, values }))
          return transaction(tx => tx.insert(resource, pk, values, options), by)
        const recorder = createRecorder(by, clock)
        const writes = new WriteCounts()
        writes.note(resource)
        return publishing(publisher => {
          const writing = insertRecord({ ...shared, publisher, recorder }, { resource, pk, values, options })
          return noted(writing, () => writes)
        })
      },
    },
    plan: version => planMigration(driver, registry, version),
    events: createEventLog({ driver, members: name => members(registry.resource(name)) }, wakes),
    apply: async plan => {
      await prepareEventTables(driver)
      await applyPlan(driver, plan)
    },
    drop: name => dropUnknown(driver, registry, name),
    tableRows: () => driver.tableSizes(),
    migrate: async version => {
      await prepareEventTables(driver)
      return migrate(driver, registry, version)
    },
    snapshot: work => driver.snapshot(async connection => work(await readSnapshot(connection, dialect, registry))),
    load: (snapshot, options) => loadSnapshot(driver, registry, { ...options, snapshot }),
    installation: () => readInstallation(driver),
    instance: driver.instance,
    isRunning: driver.isRunning,
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
    onWrite: (resource, wake) => watchers.add(resource, wake),
    endSlowReads: driver.endSlowReads,
    ping: () => driver.ping(),
    close: () => driver.close(),
  }
}

type Transact = <T>(
  work: (tx: Transaction, connection: Connection) => Promise<T>,
  by: Actor,
  options?: TransactionOptions,
) => Promise<T>

interface TransactionParts {
  readonly session: SqlSession
  readonly registry: Registry
  readonly by: Actor
  readonly writes: WriteCounts
}

const createTransaction = ({ session, registry, by, writes }: TransactionParts): Transaction => {
  return {
    ...createReader(session),
    by,
    writes: resource => writes.count(resource),
    resource: which => registry.resource(which),
    published: name => registry.published(name),
    lock: (resource, pk, { shared = false, ...options } = {}) =>
      readOne(session, { resource, pk, lock: shared ? 'shared' : 'exclusive' }, options),
    insert: (resource, pk, values, options) => {
      writes.note(resource)
      return insertRecord(session, { resource, pk, values, options })
    },
    insertAll: (resource, records) => {
      writes.note(resource)
      return insertRecords(session, resource, records)
    },
    ensure: (resource, pk, values) => {
      writes.note(resource)
      return ensureRecord(session, { resource, pk, values })
    },
    update: (resource, pk, values, options) => {
      writes.note(resource)
      return updateRecord(session, { resource, pk, values, options })
    },
    isReferenced: async (resource, pk) =>
      (await findReferrer(session, { resource, pk, resources: registry.resources })) !== null,
    remove: async (resource, pk, options) => {
      writes.cascades += 1
      try {
        const isKept = keepsTrash(resource.holder ?? resource) && !options?.permanently
        if (isKept && !(await moveToTrash(session, { resource, pk, resources: registry.resources }))) return false
        return (
          (await removeRecords(session, { resource, which: equals(resource.pk, pk), resources: registry.resources })) >
          0
        )
      } catch (error) {
        throw await refusedRemoval(session, { resource, pk, resources: registry.resources }, error)
      }
    },
    restore: (resource, pk) => {
      writes.cascades += 1
      return restoreFromTrash(session, { resource, pk, resources: registry.resources })
    },
    purge: async (resource, pk) => {
      const deletion = await findDeletion(session, { resource, pk, resources: registry.resources })
      if (deletion) await purgeDeletion(session, deletion)
      return deletion !== null
    },
    eraseTraces: (resource, pk) => {
      const { statements, connection } = session
      return eraseTraces({ connection, dialect: statements.dialect, resources: registry.resources }, resource, pk)
    },
    removeWhere: async (resource, filter, limit) => {
      writes.cascades += 1
      try {
        const removal = { resource, which: filter, resources: registry.resources }
        return await (limit === undefined ? removeRecords(session, removal) : removeSome(session, removal, limit))
      } catch (error) {
        throw await refusedRemoval(session, { resource, pk: null, resources: registry.resources }, error)
      }
    },
  }
}

// The sizes of all tables, measured when they are first needed and again after a minute of use.

const keptFor = 60_000

export class TableSizeCache {
  readonly #driver: Driver
  #known: TableSizes | null = null
  #measuredAt = 0
  #measuring: Promise<TableSizes> | null = null

  constructor(driver: Driver) {
    this.#driver = driver
  }

  /** At once when they were ever measured: old sizes serve while new ones are on their way. */
  get(): TableSizes | Promise<TableSizes> {
    if (performance.now() - this.#measuredAt < keptFor && this.#known) return this.#known
    this.#measuring ??= this.#measure()
    return this.#known ?? this.#measuring
  }

  /** Without measuring; null before the first time. */
  get known(): TableSizes | null {
    return this.#known
  }

  async #measure(): Promise<TableSizes> {
    try {
      const rows = await this.#driver.tableSizes()
      this.#known = {
        records: resource => rows.get(recordTableOf(resource)) ?? 0,
        history: resource => rows.get(historyTableOf(resource)) ?? 0,
        trash: resource => rows.get(trashTableOf(resource.holder ?? resource)) ?? 0,
        pairs: links => rows.get(linkTableOf(links)) ?? 0,
      }
    } catch (error) {
      // The sizes of before are good enough: the database will say itself that it does not answer.
      if (!this.#known) throw error
    } finally {
      this.#measuredAt = performance.now()
      this.#measuring = null
    }
    return this.#known
  }
}
