// Data that modules start with: each seed runs once in the life of a database.

import { assigned, defineResource } from './model/define.ts'
import { timestamp } from './model/fields.ts'
import type { Module } from './module.ts'
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
      await seed.run(tx, now)
      await tx.insert(known, seed.name, { sown: now.toISOString() })
      return true
    })
    if (isNew) applied.push(seed.name)
  }
  return applied
}
