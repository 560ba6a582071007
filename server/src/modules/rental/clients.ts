import { defineResource, type Hooks, type Row } from '../../core/model/define.ts'
import { integer, money, ref, text } from '../../core/model/fields.ts'
import { atCounter, catalogueAccess } from './access.ts'
import { barcodePattern } from './barcodes.ts'
import { mustBeSound } from './film-inventory-entries.ts'

const hooks: Hooks = { before: ({ values }) => mustBeSound('cardBarcode', values.cardBarcode) }

export const defineClients = (scale: number) =>
  defineResource('clients', {
    about: 'Users as customers of the store.',
    stamps: 'people',
    showsId: true,
    fields: {
      user: ref('users', { required: true, unique: true, fixed: true }),
      bonusPoints: integer({ default: 0, min: 0 }),
      cardBarcode: text({ max: 40, unique: true, pattern: barcodePattern, readable: atCounter, title: 'Card' }),
      balance: money({ scale, default: 0, serverOwned: true, readable: atCounter, about: 'What the client owes.' }),
    },
    hooks,
    access: catalogueAccess,
  })

export type Client = Row<ReturnType<typeof defineClients>>
