// The currency that the books are kept in. Amounts are integers of its minor unit: under another currency they would silently
// mean something else, so the service does not start with one.

import { assigned, defineResource } from '../../core/model/define.ts'
import { text } from '../../core/model/fields.ts'
import type { Seed } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'

export const rentalBooks = defineResource('rentalBooks', {
  about: 'The currency of all amounts.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { currency: text({ required: true, max: 3 }) },
  access: {},
})

export const booksSeed = (currency: string): Seed => ({
  name: 'rental.books',
  run: async records => {
    await records.create(rentalBooks, { pk: 'currency', currency })
  },
})

export const mustKeepCurrency = async ({ records }: Platform, currency: string): Promise<void> => {
  const known = await records.first(rentalBooks, { pk: 'currency' })
  if (!known || known.currency === currency) return
  throw new Problem('conflict', `The books are kept in ${known.currency}; app.rental.currency cannot be ${currency}.`)
}
