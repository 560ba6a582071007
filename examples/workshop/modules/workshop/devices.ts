import { choice, defineResource, many, ref, text } from 'plinth'
import { customers } from './customers.ts'
import { inShop, shops } from './shops.ts'

export const devices = defineResource('devices', {
  title: { de: 'Geräte' },
  singularTitle: { de: 'Gerät' },
  about: { en: 'Devices of customers.', de: 'Geräte der Kunden.' },
  label: 'name',
  search: ['name', 'serialNumber'],
  fields: {
    shop: ref(shops, { required: true, fixed: true, title: { de: 'Filiale' } }),
    owner: ref(customers, { required: true, title: { en: 'Customer', de: 'Kunde' } }),
    name: text({ required: true, max: 200, about: 'Maker and model.' }),
    kind: choice(['phone', 'laptop', 'bicycle', 'other'], { required: true, title: { de: 'Art' } }),
    serialNumber: text({ max: 100, title: { de: 'Seriennummer' } }),
    tickets: many('tickets', { by: 'device', title: { de: 'Aufträge' } }),
  },
  uniqueTogether: [['shop', 'serialNumber']],
  access: inShop,
})
