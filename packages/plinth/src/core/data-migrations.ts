// Changes of data that exists, once in the life of a database: resources that were renamed, computed fields that are new, and the
// migrations of modules. They run after the tables are migrated and before seeds are applied. Every batch is a transaction under the
// lock of migrations, which also holds how far it has come: several instances may start at once, and a process that is killed loses
// nothing.

import type { CodeContext, CodeContexts } from './model/code-context.ts'
import { defineResource } from './model/define.ts'
import { text, timestamp } from './model/fields.ts'
import { assigned } from './model/identifier.ts'
import { everything, type Filter } from './model/query.ts'
import type { TransactionRecords } from './model/records.ts'
import type { Registry } from './model/registry.ts'
import type { Resource } from './model/resource.ts'
import { RunningCode } from './model/running-code.ts'
import type { Transaction } from './model/transaction.ts'
import type { DataContext, Migration, Module } from './module.ts'
import { hasComputedFields } from './records/complete.ts'
import { type PlainWhere, toCondition } from './records/condition.ts'
import { fullVisibility } from './records/context.ts'
import { recordsIn } from './records/records.ts'
import { recompute } from './records/write.ts'
import type { ScriptRunner, Store } from './store/store.ts'

export const appliedMigrations = defineResource('appliedMigrations', {
  about: 'Applied data migrations.',
  identifier: assigned(/^[ -~]+$/, 255),
  internal: true,
  stamps: 'none',
  fields: {
    /** Null while it is under way. */
    finished: timestamp(),
    /** The pk of the last record that is done. */
    position: text({ max: 255 }),
  },
  access: {},
})

interface MigrationTask {
  readonly name: string
  /** That of a module. */
  readonly definition?: object
  /** Does a part of the work, behind the position. Gives the next position; null when all is done. */
  readonly step: (records: TransactionRecords, at: MigrationPosition) => Promise<string | null>
}

interface MigrationPosition {
  readonly position: string
  readonly script: ScriptRunner
}

interface MigratedDatabase {
  readonly store: Store
  readonly registry: Registry
  readonly codeContexts: CodeContexts
}

export interface MigrationChoice {
  /** Also those that wait until no instance of an earlier version runs. */
  readonly contracts: boolean
}

/** The names of those that are still to be applied, in order. The tables must be migrated. */
export const pendingMigrations = async (
  database: MigratedDatabase,
  modules: readonly Module[],
  choice: MigrationChoice,
): Promise<readonly string[]> => (await pendingTasks(database, modules, choice)).map(({ name }) => name)

/** Gives the names of those that were applied now. */
export const applyMigrations = async (
  database: MigratedDatabase,
  modules: readonly Module[],
  choice: MigrationChoice,
): Promise<readonly string[]> => {
  const tasks = await pendingTasks(database, modules, choice)
  for (const task of tasks) while (!(await applyStep(database.store, task)));
  return tasks.map(({ name }) => name)
}

const pendingTasks = async (
  database: MigratedDatabase,
  modules: readonly Module[],
  { contracts }: MigrationChoice,
): Promise<readonly MigrationTask[]> => {
  const { store, registry, codeContexts } = database
  const chosen = modules.flatMap(({ name, migrations = [] }) =>
    migrations
      .filter(one => contracts || one.phase !== 'contract')
      .map(migration => ({ migration, code: codeContexts(name) })),
  )
  const all = [
    ...renamingTasks(registry, modules),
    ...computingTasks(registry),
    ...chosen.flatMap(one => moduleTask(database, one)),
  ]
  if (all.length === 0) return []
  const resource = store.resource(appliedMigrations)
  const { records } = await store.find(resource, everything(resource, null, all.length + 1000))
  const finished = new Set(records.filter(one => one.finished !== null).map(({ pk }) => pk))
  return all.filter(({ name }) => !finished.has(name))
}

/** True when the task is done, now or by another instance. */
const applyStep = (store: Store, { name, definition = {}, step }: MigrationTask): Promise<boolean> =>
  store.exclusively(async (tx, script) => {
    const records = recordsIn(tx)
    const state = await records.first(appliedMigrations, { where: { pk: name } })
    if (state?.finished) return true
    const code = new RunningCode(`migration ${name}`, definition)
    const next = await tx.activity.during(code, () => step(records, { position: state?.position ?? '', script }))
    const finished = next === null ? records.now.toISOString() : null
    await records.upsert(appliedMigrations, { pk: name, position: next ?? state?.position ?? null, finished })
    return next === null
  })

// What the model itself asks for

const renamingTasks = (registry: Registry, modules: readonly Module[]): readonly MigrationTask[] => {
  const concerned = modules.filter(({ onRename }) => onRename)
  return registry.resources.flatMap(({ name: to, definition: { renamedFrom: from } }) => {
    if (from === undefined || concerned.length === 0) return []
    const step = async (records: TransactionRecords): Promise<null> => {
      for (const { onRename } of concerned) await onRename?.(records, { from, to })
      return null
    }
    return [{ name: `rename ${from} to ${to}`, step }]
  })
}

/** New ones are empty in the records that exist. */
const computingTasks = (registry: Registry): readonly MigrationTask[] =>
  registry.resources
    .filter(resource => resource.holder === null && hasComputedFields(resource))
    .map(resource => ({
      name: `compute ${resource.name}.${computedNames(resource).join(', ')}`,
      step: (records, { position }) =>
        eachRecord(records.tx, { resource, filter: null, position }, record => recompute(records.tx, resource, record)),
    }))

const computedNames = ({ members }: Resource): readonly string[] =>
  [...members.values()].filter(({ field }) => field.role === 'value' && field.compute).map(({ name }) => name)

// Those of modules

interface ModuleMigration {
  readonly migration: Migration
  readonly code: CodeContext
}

const moduleTask = (
  { store, registry }: MigratedDatabase,
  { migration, code: { settings, log } }: ModuleMigration,
): readonly MigrationTask[] => {
  const { name, run, sql, each, where, change } = migration
  const named = { name, definition: migration }
  const toContext = (records: TransactionRecords): DataContext => ({ records, settings, log, now: records.now })
  if (run) return [{ ...named, step: async records => run(toContext(records)).then(() => null) }]
  if (sql) {
    const text = store.isEmbedded ? sql.sqlite : sql.postgres
    return [{ ...named, step: async (_, { script }) => script(text).then(() => null) }]
  }
  if (!each || !change) return []
  const resource = registry.resource(each)
  const filter = toCondition(resource, where as PlainWhere, fullVisibility)
  const step: MigrationTask['step'] = (records, { position }) =>
    eachRecord(records.tx, { resource, filter, position }, async record => {
      const changes = await change(record, toContext(records))
      if (changes) await records.update(each, record.pk, changes)
    })
  return [{ ...named, step }]
}

// Record by record, by pk

/** Others wait for the transaction of a batch. */
const batchSize = 200

interface RecordWalk {
  readonly resource: Resource
  readonly filter: Filter | null
  /** Behind this pk. */
  readonly position: string
}

const eachRecord = async (
  tx: Transaction,
  { resource, filter, position }: RecordWalk,
  work: (record: Awaited<ReturnType<Transaction['find']>>['records'][number]) => Promise<void>,
): Promise<string | null> => {
  const behind: Filter = { op: 'gt', path: { steps: [], member: resource.pk }, value: position }
  const both: Filter = filter ? { op: 'and', parts: [filter, behind] } : behind
  const { records } = await tx.find(resource, everything(resource, both, batchSize))
  for (const record of records) await work(record)
  return records.length < batchSize ? null : (records.at(-1)?.pk ?? null)
}
