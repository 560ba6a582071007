import { defineResource, type Hooks, integer, money, type Row, ref, text, variantOf } from 'plinth'
import { atCounter, catalogueAccess } from './access.ts'
import { barcodePattern } from './barcodes.ts'
import { mustBeSound } from './film-inventory-entries.ts'

const hooks: Hooks = {
  on: ['create', 'update'],
  before: ({ values }) => mustBeSound('cardBarcode', values.cardBarcode),
}

const defineClients = (scale: number) =>
  defineResource('clients', {
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
        scale,
        default: 0,
        serverOwned: true,
        readable: atCounter,
        about: { en: 'The debt of the customer.', de: 'Die Schulden des Kunden.' },
        title: { de: 'Saldo' },
      }),
    },
    hooks,
    access: catalogueAccess,
  })

/** In cents. Code asks for records by it, whatever the currency of the store. */
export const clients = defineClients(2)

export const createClients = (scale: number) => variantOf(clients, defineClients(scale))

export type Client = Row<typeof clients>
