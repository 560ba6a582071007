import { defineResource, integer, money, type Row, ref, text } from 'plinth'
import { atCounter, catalogueAccess } from './access.ts'
import { barcodePattern } from './barcodes.ts'
import { mustBeSound } from './film-inventory-entries.ts'
import { currencySetting } from './settings.ts'

export const clients = defineResource('clients', {
  title: { de: 'Kunden' },
  singularTitle: { de: 'Kunde' },
  about: { en: 'Customers of the store.', de: 'Kunden des Ladens.' },
  stamps: 'people',
  showsId: true,
  history: true,
  trash: true,
  fields: {
    user: ref('users', { required: true, unique: true, fixed: true, title: { de: 'Person' } }),
    bonusPoints: integer({ default: 0, min: 0, title: { de: 'Bonuspunkte' } }),
    cardBarcode: text({
      max: 40,
      unique: true,
      pattern: barcodePattern,
      readable: atCounter,
      title: { en: 'Card', de: 'Karte' },
    }),
    balance: money({
      currency: currencySetting,
      default: 0,
      serverOwned: true,
      readable: atCounter,
      about: { en: 'The debt of the customer.', de: 'Die Schulden des Kunden.' },
      title: { de: 'Saldo' },
    }),
  },
  hooks: {
    beforeCreate: ({ values }) => mustBeSound('cardBarcode', values.cardBarcode),
    beforeUpdate: ({ values }) => mustBeSound('cardBarcode', values.cardBarcode),
  },
  access: catalogueAccess,
})

export type Client = Row<typeof clients>
