// Data that modules start with: each seed runs once in the life of a database.

import type { CodeContexts } from './model/code-context.ts'
import { defineResource } from './model/define.ts'
import { DefinitionError, type DefinitionFault } from './model/definition-error.ts'
import { timestamp } from './model/fields.ts'
import { assigned } from './model/identifier.ts'
import type { Resource } from './model/resource.ts'
import { RunningCode } from './model/running-code.ts'
import type { Transaction } from './model/transaction.ts'
import type { DataContext, Module, Seed } from './module.ts'
import { Problem } from './problem.ts'
import { serviceRecordsIn } from './records/records.ts'
import type { Store } from './store/store.ts'

export const appliedSeeds = defineResource('appliedSeeds', {
  about: 'Applied seeds.',
  identifier: assigned(/^[ -~]+$/, 255),
  internal: true,
  stamps: 'none',
  fields: { sown: timestamp({ required: true }) },
  access: {},
})

interface SeededDatabase {
  readonly store: Store
  readonly codeContexts: CodeContexts
}

/** Gives the names of those that were applied now. */
export const applySeeds = async (
  { store, codeContexts }: SeededDatabase,
  modules: readonly Module[],
  { demo }: { readonly demo: boolean },
): Promise<readonly string[]> => {
  const applied: string[] = []
  const seeds = modules.flatMap(module => (module.seeds ?? []).map(seed => ({ module, seed })))
  for (const { module, seed } of seeds) {
    if (seed.demo && !demo) continue
    const code = new RunningCode(`seed ${seed.name}`, module)
    // Described by it, and no more: before the service answers no caller waits, so a slow seed is neither reported nor suspended.
    const described = { describe: () => code.describe() }
    // Under the lock, so that of several instances that start at once one applies the seed and the others find it done.
    const isNew = await store.exclusively(async tx => {
      const records = serviceRecordsIn(naming(tx))
      if (await records.first(appliedSeeds, { where: { pk: seed.name } })) return false
      const { settings, log } = codeContexts(module.name)
      await tx.activity.during(described, () => run(seed, { records, settings, log, now: records.now }))
      await records.create(appliedSeeds, { pk: seed.name, sown: records.now.toISOString() })
      return true
    })
    if (isNew) applied.push(seed.name)
  }
  return applied
}

/** A seed that cannot be applied is a mistake of a developer: the error names the seed, the resource and the field. */
const run = async (seed: Seed, context: DataContext): Promise<void> => {
  try {
    await seed.run(context)
  } catch (error) {
    const cause = error instanceof Problem ? error.cause : error
    if (!(cause instanceof DefinitionError)) throw error
    throw new DefinitionError(cause.faults.map(fault => ({ ...fault, seed: seed.name })))
  }
}

/** The transaction, with the resource of what the database refuses. Its problems name fields alone. */
const naming = (tx: Transaction): Transaction => ({
  ...tx,
  insert: (resource, pk, values, options) => write(resource, () => tx.insert(resource, pk, values, options)),
  insertAll: (resource, records) => write(resource, () => tx.insertAll(resource, records)),
  ensure: (resource, pk, values) => write(resource, () => tx.ensure(resource, pk, values)),
  update: (resource, pk, values, options) => write(resource, () => tx.update(resource, pk, values, options)),
})

const write = async <T>(resource: Resource, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const faults = error instanceof Problem ? (error.details.errors ?? []) : []
    if (faults.length === 0) throw error
    throw new DefinitionError(
      faults.map(
        ({ member: field, message }): DefinitionFault => ({
          resource: resource.name,
          ...(field && { field }),
          message,
        }),
      ),
    )
  }
}
