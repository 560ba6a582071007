// Data that modules start with: each seed runs once in the life of a database.

import { assigned, defineResource } from './model/define.ts'
import { DefinitionError, type DefinitionFault } from './model/definition-error.ts'
import { timestamp } from './model/fields.ts'
import type { Values } from './model/record.ts'
import type { Resource } from './model/resource.ts'
import type { Transaction } from './model/transaction.ts'
import type { Module, Seed } from './module.ts'
import { Problem } from './problem.ts'
import type { Store } from './store/store.ts'

export const appliedSeeds = defineResource('appliedSeeds', {
  about: 'Seeds that were applied.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { sown: timestamp({ required: true }) },
  access: {},
})

export interface SeedOptions {
  readonly demo: boolean
  readonly clock: () => Date
}

/** Gives the names of those that were applied now. */
export const applySeeds = async (
  store: Store,
  modules: readonly Module[],
  { demo, clock }: SeedOptions,
): Promise<readonly string[]> => {
  const applied: string[] = []
  for (const seed of modules.flatMap(module => module.seeds ?? [])) {
    if (seed.demo && !demo) continue
    // Under the lock, so that of several instances that start at once one applies the seed and the others find it done.
    const isNew = await store.exclusively(async tx => {
      const known = tx.resource(appliedSeeds.name)
      if (await tx.get(known, seed.name)) return false
      const now = clock()
      await run(seed, tx, now)
      await tx.insert(known, seed.name, { sown: now.toISOString() })
      return true
    })
    if (isNew) applied.push(seed.name)
  }
  return applied
}

/** A seed that cannot be applied is a mistake of a developer: the error names the seed, the resource and the field. */
const run = async (seed: Seed, tx: Transaction, now: Date): Promise<void> => {
  try {
    await seed.run(naming(tx), now)
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
    throw new DefinitionError(error.faults.map(fault => ({ ...fault, seed: seed.name })))
  }
}

/** The transaction, with every missing field of a new record named. The database would name one column, or none. */
const naming = (tx: Transaction): Transaction => ({
  ...tx,
  insert: (resource, pk, values, options) => write(resource, [values], () => tx.insert(resource, pk, values, options)),
  insertAll: (resource, records) =>
    write(
      resource,
      records.map(({ values }) => values),
      () => tx.insertAll(resource, records),
    ),
  ensure: (resource, pk, values) => write(resource, [values], () => tx.ensure(resource, pk, values)),
  update: (resource, pk, values, options) => write(resource, [], () => tx.update(resource, pk, values, options)),
})

const write = async <T>(resource: Resource, whole: readonly Values[], work: () => Promise<T>): Promise<T> => {
  const missing = whole.flatMap(values => missingFields(resource, values))
  if (missing.length > 0) throw new DefinitionError(missing)
  try {
    return await work()
  } catch (error) {
    const faults = error instanceof Problem ? (error.details.errors ?? []) : []
    if (faults.length === 0) throw error
    throw new DefinitionError(
      faults.map(({ member, message }) => ({ resource: resource.name, ...(member && { field: member }), message })),
    )
  }
}

const missingFields = (resource: Resource, values: Values): DefinitionFault[] => {
  const hint = 'a seed gives every value itself, also defaults, computed fields and dates'
  return [...resource.members.values()].flatMap(({ name, field }) => {
    const isColumn = field.role === 'one' || (field.role === 'value' && !field.transient)
    const isGiven = name === 'pk' || name === 'version' || (values[name] ?? null) !== null
    if (!isColumn || isGiven || !field.options.required) return []
    return [{ resource: resource.name, field: name, message: `is required; ${hint}` }]
  })
}
