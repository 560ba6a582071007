// Changes of data that exists, once in the life of a database: resources that were renamed, computed fields that are new, and the
// migrations of modules. They run after the tables are migrated and before seeds are applied. Every batch is a transaction under the
// lock of migrations, which also holds how far it has come: several instances may start at once, and a process that is killed loses
// nothing.

import { defineResource } from '../model/define.ts'
import { text, timestamp } from '../model/fields.ts'
import { assigned } from '../model/identifier.ts'
import { everything } from '../model/query.ts'
import { RunningCode } from '../model/running-code.ts'
import type { Module } from '../module.ts'
import { serviceRecordsIn } from '../records/records.ts'
import type { Store } from '../store/store.ts'
import { computingTasks, numberingTasks, renamingTasks } from './of-model.ts'
import { type MigratedDatabase, moduleTask } from './of-modules.ts'
import type { MigrationTask } from './task.ts'

export const appliedMigrations = defineResource('appliedMigrations', {
  about: 'Applied data migrations.',
  identifier: assigned(/^[ -~]+$/, 255),
  internal: true,
  stamps: 'none',
  fields: {
    /** Is null while it is under way. */
    finished: timestamp(),
    /** The pk of the last record that is done. */
    position: text({ max: 255 }),
  },
  access: {},
})

export interface MigrationChoice {
  /** Runs the migrations too that wait until no instance of an earlier version runs. */
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
    ...numberingTasks(registry),
    ...computingTasks(registry),
    ...chosen.flatMap(one => moduleTask(database, one)),
  ]
  if (all.length === 0) return []
  const resource = store.resource(appliedMigrations)
  const { records } = await store.find(resource, everything(resource, null, all.length + 1000))
  const finished = new Set(records.filter(one => one.finished !== null).map(({ pk }) => pk))
  return all.filter(({ name }) => !finished.has(name))
}

/** Returns true when the task is done, now or by another instance. */
const applyStep = (store: Store, { name, definition, step }: MigrationTask): Promise<boolean> =>
  store.exclusively(async (tx, script) => {
    const records = serviceRecordsIn(tx)
    const state = await records.first(appliedMigrations, { where: { pk: name } })
    if (state?.finished) return true
    const title = `migration ${name}`
    // What the model asks for is no code of the application, which would be warned of taking its time.
    const code = definition ? new RunningCode(title, definition) : { describe: () => title }
    const next = await tx.activity.during(code, () => step(records, { position: state?.position ?? '', script }))
    const finished = next === null ? records.now.toISOString() : null
    await records.upsert(appliedMigrations, { pk: name, position: next ?? state?.position ?? null, finished })
    return next === null
  })
