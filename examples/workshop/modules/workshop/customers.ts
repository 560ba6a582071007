import { defineResource, email, many, phone, ref, text } from 'plinth'
import { inShop, shops } from './shops.ts'

export const customers = defineResource('customers', {
  title: { de: 'Kunden' },
  singularTitle: { de: 'Kunde' },
  about: { en: 'Who brings devices.', de: 'Wer Geräte bringt.' },
  label: 'name',
  fields: {
    shop: ref(shops, { required: true, fixed: true, title: { de: 'Filiale' } }),
    name: text({ required: true, max: 200, indexed: 'anywhere' }),
    email: email({ title: { en: 'E-mail', de: 'E-Mail' } }),
    phone: phone({ title: { de: 'Telefon' } }),
    devices: many('devices', { by: 'owner', title: { de: 'Geräte' } }),
  },
  access: inShop,
})
