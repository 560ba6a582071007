// Opens the database and puts the store's parts together.

import { nobody } from '../model/caller.ts'
import type { EventMembers } from '../model/event.ts'
import { equals } from '../model/query.ts'
import type { Registry } from '../model/registry.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { Actor, Transaction } from '../model/transaction.ts'
import { openDatabase } from './databases.ts'
import type { DatabaseLimits } from './driver.ts'
import { applyPlan, migrate } from './migrate/apply.ts'
import { planMigration } from './migrate/plan.ts'
import { createEventLog, prepareEventTables } from './outbox/event-log.ts'
import type { Publisher } from './outbox/publish.ts'
import { explainQuery } from './sql/explain.ts'
import { addLinks, removeLinks } from './sql/links.ts'
import { createReader, readOne } from './sql/read.ts'
import { findReferrer, refusedRemoval } from './sql/refusals.ts'
import { removeRecords, removeSome } from './sql/remove.ts'
import { type SqlSession, Statements } from './sql/statements.ts'
import { ensureRecord, insertRecord, insertRecords, updateRecord, writesInOne } from './sql/write.ts'
import type { Store } from './store.ts'
import { TableSizeCache } from './table-sizes.ts'

interface StoreOptions extends DatabaseLimits {
  /** `postgres://…`, or for SQLite the path of a file or `:memory:`. */
  readonly url: string
  readonly registry: Registry
  /** Which members accompany change events; none when left out. */
  readonly eventMembers?: EventMembers
  /** The present moment, for transactions that do not say when they happen. */
  readonly clock?: () => Date
}

export const createStore = async (options: StoreOptions): Promise<Store> => {
  const { url, registry, eventMembers, clock = () => new Date(), ...limits } = options
  const nobodyNow = (): Actor => ({ caller: nobody, sender: null, now: clock() })
  const driver = await openDatabase(url, limits)
  const { dialect } = driver
  const statements = new Statements(dialect)
  const sizes = new TableSizeCache(driver)
  const shared: SqlSession = { statements, connection: driver, sizes }
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
  const transaction: Store['transaction'] = (work, by = nobodyNow()) =>
    publishing(publisher =>
      driver.transaction(connection => work(createTransaction({ statements, connection, publisher }, registry, by))),
    )
  return {
    ...createReader(shared),
    resource: which => registry.resource(which),
    published: name => registry.published(name),
    database: dialect.name,
    isEmbedded: driver.isEmbedded,
    transaction,
    exclusively: (work, by = nobodyNow()) =>
      publishing(publisher =>
        driver.transaction(
          async connection => {
            await dialect.schema.lockMigrations(connection)
            return work(createTransaction({ statements, connection, publisher }, registry, by))
          },
          { isUnlimited: true },
        ),
      ),
    single: {
      insert: (resource, pk, values, options) =>
        writesInOne(shared, { resource, pk, values })
          ? publishing(publisher => insertRecord({ ...shared, publisher }, { resource, pk, values, options }))
          : transaction(tx => tx.insert(resource, pk, values, options)),
    },
    plan: version => planMigration(driver, registry, version),
    events: createEventLog({ driver, members: name => members(registry.resource(name)) }, wakes),
    apply: async plan => {
      await prepareEventTables(driver)
      await applyPlan(driver, plan)
    },
    migrate: async version => {
      await prepareEventTables(driver)
      return migrate(driver, registry, version)
    },
    instance: driver.instance,
    isRunning: driver.isRunning,
    eraseRemoved: () => driver.eraseRemoved(),
    sizes: () => sizes.get(),
    explain: (resource, query) => explainQuery(shared, resource, query),
    generation: driver.generation,
    get statements() {
      return driver.statements
    },
    endSlowReads: driver.endSlowReads,
    ping: () => driver.ping(),
    close: () => driver.close(),
  }
}

const createTransaction = (session: SqlSession, registry: Registry, by: Actor): Transaction => ({
  ...createReader(session),
  by,
  resource: which => registry.resource(which),
  published: name => registry.published(name),
  lock: (resource, pk, options) => readOne(session, { resource, pk, lock: true }, options),
  insert: (resource, pk, values, options) => insertRecord(session, { resource, pk, values, options }),
  insertAll: (resource, records) => insertRecords(session, resource, records),
  ensure: (resource, pk, values) => ensureRecord(session, { resource, pk, values }),
  update: (resource, pk, values, options) => updateRecord(session, { resource, pk, values, options }),
  isReferenced: async (resource, pk) =>
    (await findReferrer(session, { resource, pk, resources: registry.resources })) !== null,
  remove: async (resource, pk) => {
    try {
      return (
        (await removeRecords(session, { resource, which: equals(resource.pk, pk), resources: registry.resources })) > 0
      )
    } catch (error) {
      throw await refusedRemoval(session, { resource, pk, resources: registry.resources }, error)
    }
  },
  removeWhere: async (resource, filter, limit) => {
    try {
      const removal = { resource, which: filter, resources: registry.resources }
      return await (limit === undefined ? removeRecords(session, removal) : removeSome(session, removal, limit))
    } catch (error) {
      throw await refusedRemoval(session, { resource, pk: null, resources: registry.resources }, error)
    }
  },
  link: (resource, pk, member, targets) => addLinks(session, { relation: relationOf(resource, member), pk }, targets),
  unlink: (resource, pk, member, targets) =>
    removeLinks(session, { relation: relationOf(resource, member), pk }, targets),
})

const relationOf = (resource: Resource, name: string): Member => {
  const member = resource.members.get(name)
  if (!member) throw new Error(`${resource.name} has no member '${name}'`)
  return member
}
