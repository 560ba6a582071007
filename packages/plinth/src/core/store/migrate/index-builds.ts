// Indexes of large tables, where the database can build them while others write. They are not part of the transaction of a
// migration: the service works without them, and a build that was cut off is done again.

import type { DatabaseDialect } from '../driver.ts'
import type { InspectedDatabase } from './row-checks.ts'
import type { MigrationStep } from './step.ts'
import { createIndexStep, dropUnneeded } from './steps.ts'
import type { TableIndex } from './table.ts'
import type { TableChange } from './table-change.ts'

export interface IndexBuild extends MigrationStep {
  /** The name of the index. */
  readonly name: string
  /** The service waits for it: records must be unique from the first request on. */
  readonly isUnique: boolean
}

/** What of a change is left for later, and the change without it. */
export const splitChange = async (
  change: TableChange,
  { connection, dialect }: InspectedDatabase,
): Promise<{ readonly change: TableChange; readonly builds: readonly IndexBuild[] }> => {
  const { concurrentIndexes: concurrent } = dialect.schema
  const { createdIndexes, invalidIndexes, table, found } = change
  if (!concurrent || createdIndexes.length + invalidIndexes.length === 0) return { change, builds: [] }
  const isLarge = await concurrent.isLarge(connection, found.name)
  const isInvalid = (index: TableIndex) => invalidIndexes.some(({ name }) => name === index.name)
  const later = createdIndexes.filter(index => isLarge || isInvalid(index))
  const isNeeded = (name: string) => table.indexes.some(index => index.name === name)
  const unneeded = invalidIndexes.filter(({ name }) => !isNeeded(name))
  return {
    change: { ...change, createdIndexes: createdIndexes.filter(index => !later.includes(index)) },
    builds: [
      ...unneeded.map(({ name }) => ({
        ...dropUnneeded(change, concurrent.drop(name)),
        ...{ name, isUnique: false },
      })),
      ...later.map(index => toBuild(change, index, dialect)),
    ],
  }
}

const toBuild = (change: TableChange, index: TableIndex, dialect: DatabaseDialect): IndexBuild => {
  const { why, sql, ...step } = createIndexStep(change, index, dialect)
  return {
    ...step,
    why,
    sql: dialect.schema.concurrentIndexes?.create(sql) ?? sql,
    effect: { kind: index.kind === 'trigrams' ? 'textBuild' : 'build', table: change.found.name },
    name: index.name,
    isUnique: index.unique,
  }
}
