// Data migrations that the model itself asks for: resources that were renamed, and computed fields and sequences that are new.

import { numberFields } from '../model/number-fields.ts'
import type { TransactionRecords } from '../model/records.ts'
import type { Registry } from '../model/registry.ts'
import type { Module } from '../module.ts'
import { computedFields } from '../records/complete.ts'
import { numberRecords } from '../records/numbers.ts'
import { recompute } from '../records/write.ts'
import { eachRecord, type MigrationTask } from './task.ts'

export const renamingTasks = (registry: Registry, modules: readonly Module[]): readonly MigrationTask[] => {
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

/** The tasks that compute fields, of which new ones are empty in the records that exist. */
export const computingTasks = (registry: Registry): readonly MigrationTask[] =>
  registry.resources
    .filter(resource => resource.holder === resource && computedFields(resource).length > 0)
    .map(resource => ({
      name: `compute ${resource.name}.${computedFields(resource)
        .map(({ name }) => name)
        .join(', ')}`,
      step: (records, { position }) =>
        eachRecord(records.tx, { resource, filter: null, position }, record => recompute(records.tx, resource, record)),
    }))

/** Records that exist are numbered in the order of their creation. */
export const numberingTasks = (registry: Registry): readonly MigrationTask[] =>
  registry.resources
    .filter(resource => resource.holder === resource)
    .flatMap(resource =>
      numberFields(resource).map(({ name }) => ({
        name: `number ${resource.name}.${name}`,
        step: (records: TransactionRecords) => numberRecords(records.tx, resource, name),
      })),
    )
