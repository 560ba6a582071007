// Data that modules start with: each seed runs once in the life of a database.

import { assigned, defineResource } from './model/define.ts'
import { timestamp } from './model/fields.ts'
import type { Module } from './module.ts'
import type { Store } from './store/store.ts'

export const appliedSeeds = defineResource('appliedSeeds', {
  about: 'Which seeds have been sown.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { sown: timestamp({ required: true }) },
  access: {},
})

export interface Sowing {
  readonly demo: boolean
  readonly clock: () => Date
}

export const sow = async (store: Store, modules: readonly Module[], { demo, clock }: Sowing): Promise<void> => {
  for (const seed of modules.flatMap(module => module.seeds ?? [])) {
    if (seed.demo && !demo) continue
    await store.transaction(async tx => {
      const sown = tx.resource(appliedSeeds.name)
      if (await tx.get(sown, seed.name)) return
      const now = clock()
      // First of all, so that of several instances that start together one sows and the others find it done.
      await tx.insert(sown, seed.name, { sown: now.toISOString() })
      await seed.run(tx, now)
    })
  }
}
