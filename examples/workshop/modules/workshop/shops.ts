// Shops, and the users who work in them. Everything else belongs to one shop, and is seen there alone.

import { defineResource, email, extendResource, ref, text, users } from 'plinth'

export const shops = defineResource('shops', {
  title: { de: 'Filialen' },
  singularTitle: { de: 'Filiale' },
  about: { en: 'The shops of the workshop.', de: 'Die Filialen der Werkstatt.' },
  label: 'name',
  fields: {
    name: text({ required: true, max: 100, unique: 'ignoreCase' }),
    address: text({ max: 300, title: { de: 'Adresse' } }),
    email: email({ title: { en: 'E-mail', de: 'E-Mail' } }),
  },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_ADMIN')" },
})

/** A user sees the people of the same shop. */
export const staff = extendResource(users, {
  fields: { shop: ref(shops, { writable: "caller.has('ROLE_ADMIN')", title: { en: 'Shop', de: 'Filiale' } }) },
  access: { read: 'record.pk == caller.pk || record.shop == caller.user.shop' },
})

/** The rules of all resources of a shop. */
export const inShop = { read: 'sameShop', write: 'sameShop' } as const
