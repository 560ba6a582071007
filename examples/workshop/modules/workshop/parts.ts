// Parts in stock, and those that were used for a ticket. To use some takes them from the stock, in the same transaction.

import { defineResource, integer, money, ref, setting, text } from 'plinth'
import { workshopProblem } from './problems.ts'
import { workshopSettings } from './settings.ts'
import { inShop, shops } from './shops.ts'
import { tickets } from './tickets.ts'

const price = { currency: setting(workshopSettings, 'currency'), min: 0 } as const

export const parts = defineResource('parts', {
  title: { de: 'Teile' },
  singularTitle: { de: 'Teil' },
  about: { en: 'Spare parts in stock.', de: 'Ersatzteile am Lager.' },
  label: 'name',
  fields: {
    shop: ref(shops, { required: true, fixed: true, title: { de: 'Filiale' } }),
    name: text({ required: true, max: 200, indexed: 'anywhere' }),
    price: money({ ...price, required: true, title: { de: 'Preis' } }),
    stock: integer({ required: true, min: 0, default: 0, title: { en: 'In stock', de: 'Bestand' } }),
  },
  access: inShop,
})

export const partUses = defineResource('partUses', {
  singular: 'partUse',
  title: { en: 'Used parts', de: 'Verwendete Teile' },
  singularTitle: { en: 'Used part', de: 'Verwendetes Teil' },
  about: { en: 'Parts that were used for a ticket.', de: 'Teile, die für einen Auftrag verwendet wurden.' },
  fields: {
    shop: ref(shops, { required: true, fixed: true, title: { de: 'Filiale' } }),
    ticket: ref(tickets, { required: true, fixed: true, onDelete: 'cascade', title: { de: 'Auftrag' } }),
    part: ref(parts, { required: true, fixed: true, title: { de: 'Teil' } }),
    count: integer({ required: true, fixed: true, min: 1, max: 1000, default: 1, title: { de: 'Anzahl' } }),
    price: money({ ...price, serverOwned: true, title: { de: 'Preis' } }),
  },
  access: inShop,
  hooks: {
    beforeCreate: async ({ values, records }) => {
      const part = await records.lock(parts, values.part)
      // A part that does not exist is refused by the reference itself.
      if (!part) return
      const { count = 1 } = values
      if (part.stock < count)
        throw workshopProblem('not_enough_parts', `There are ${part.stock} of “${part.name}” in stock.`)
      await records.increment(parts, part.pk, { stock: -count })
      values.price = part.price
    },
    afterDelete: async ({ before, records }) => {
      await records.asService.increment(parts, before.part.pk, { stock: before.count })
    },
  },
})
