import { defineResource, money, ref, sequence, setting, timestamp } from 'plinth'
import { workshopSettings } from './settings.ts'
import { shops } from './shops.ts'
import { tickets } from './tickets.ts'

const amount = { currency: setting(workshopSettings, 'currency'), serverOwned: true } as const

export const invoices = defineResource('invoices', {
  title: { de: 'Rechnungen' },
  singularTitle: { de: 'Rechnung' },
  about: {
    en: 'What customers have paid for. Made when a device is collected.',
    de: 'Was Kunden bezahlt haben; entsteht beim Abholen.',
  },
  label: 'number',
  createForm: false,
  fields: {
    shop: ref(shops, { serverOwned: true, required: true, title: { de: 'Filiale' } }),
    number: sequence({ per: 'shop', format: 'R{yyyy}-{00000}', title: { de: 'Nummer' } }),
    ticket: ref(tickets, { serverOwned: true, required: true, unique: true, title: { de: 'Auftrag' } }),
    paid: timestamp({ serverOwned: true, title: { de: 'Bezahlt' } }),
    net: money({ ...amount, title: { en: 'Net', de: 'Netto' } }),
    tax: money({ ...amount, title: { de: 'Umsatzsteuer' } }),
    total: money({ ...amount, title: { de: 'Gesamt' } }),
  },
  access: { read: 'sameShop' },
})
