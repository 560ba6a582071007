// A module with shops and invoices, whose rules look at the shop in the user record of the caller.

import { boolean, many, money, ref, text } from '../../src/core/model/fields.ts'
import { defineEndpoint } from '../../src/core/rest/endpoint.ts'
import { type AccessRules, defineModule, defineResource, extendResource, users } from '../../src/index.ts'

export const everyone: AccessRules = { read: 'caller.signedIn', write: "caller.has('ROLE_ADMIN')" }

export const shops = defineResource('shops', {
  about: 'Shops.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 100 }),
    region: text({ max: 40 }),
    isMain: boolean({ default: false }),
    limit: money(),
    invoices: many('invoices', { by: 'shop' }),
  },
  access: everyone,
})

export const people = extendResource(users, {
  fields: { shop: ref('shops') },
  rules: { isSelf: 'record.pk == caller.pk' },
  access: { read: 'isSelf || record.shop == caller.user.shop' },
})

export const fields = {
  what: text({ required: true, max: 100 }),
  shop: ref('shops', { required: true }),
  total: money({ required: true }),
  margin: text({ max: 20, readable: 'caller.user.shop.isMain' }),
}

export const invoices = defineResource('invoices', {
  about: 'Invoices.',
  label: 'what',
  fields,
  rules: {
    inRegion: 'record.shop.region == caller.user.shop.region',
    isCheap: 'record.total <= caller.user.shop.limit',
  },
  access: { read: 'sameShop || inRegion', create: 'sameShop()', update: 'sameShop && isCheap', delete: 'sameShop' },
})

/** Notes get the shop of their author, and the region of that shop. */
const notes = defineResource('shopNotes', {
  about: 'Notes of a shop.',
  fields: {
    what: text({ required: true, max: 100 }),
    shop: ref('shops', { required: true, default: 'caller.user.shop', fixed: true }),
    region: text({ max: 40, default: 'caller.user.shop.region' }),
  },
  access: { read: 'sameShop', create: 'sameShop' },
})

const closeDay = defineEndpoint({
  method: 'POST',
  path: '/api/rest/closing',
  id: 'closeDay',
  summary: 'Close the day',
  access: 'caller.user.shop.isMain',
  answers: { 204: 'Done.' },
  run: () => {},
})

export const trade = defineModule({
  name: 'trade',
  about: 'Shops and invoices.',
  rules: { sameShop: 'record.shop == caller.user.shop' },
  resources: [shops, invoices, notes],
  extensions: [people],
  endpoints: [closeDay],
})
