// Data migrations of modules.

import type { CodeContext, CodeContexts } from '../model/code-context.ts'
import type { TransactionRecords } from '../model/records.ts'
import type { Registry } from '../model/registry.ts'
import type { DataContext, Migration } from '../module.ts'
import { type PlainWhere, toCondition } from '../records/condition.ts'
import { fullVisibility } from '../records/context.ts'
import type { Store } from '../store/store.ts'
import { eachRecord, type MigrationTask } from './task.ts'

export interface MigratedDatabase {
  readonly store: Store
  readonly registry: Registry
  readonly codeContexts: CodeContexts
}

interface ModuleMigration {
  readonly migration: Migration
  readonly code: CodeContext
}

export const moduleTask = (
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
