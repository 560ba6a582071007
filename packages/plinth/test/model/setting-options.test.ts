// Options of fields that are settings: each service has the fields that its settings make.

import {
  computed,
  defineApp,
  defineEndpoint,
  defineModule,
  defineResource,
  defineSettings,
  defineShape,
  extendResource,
  integer,
  list,
  money,
  object,
  optional,
  type Row,
  setting,
  text,
} from 'plinth'
import { decimalsOf } from 'plinth/module'
import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { modulesFor } from '../../src/app/define-app.ts'
import { loadConfig } from '../../src/config.ts'

const shopSettings = defineSettings('app.shop', {
  currency: text({ default: 'EUR', about: 'The currency of all amounts.' }),
  maxItems: integer({ default: 2, about: 'How many items an offer has at most.' }),
})

const currency = setting(shopSettings, 'currency')

const goods = defineResource('goods', {
  about: 'What is for sale.',
  fields: {
    price: money({ required: true, currency }),
    currency: text({ default: currency, serverOwned: true }),
    label: computed(text({ default: currency }), ({ price }: { readonly price: number }) => `${price}`),
  },
  access: { read: 'true', write: 'true' },
})

const rebates = extendResource(goods, { fields: { rebate: money({ currency, default: 1 }) } })

const offer = defineShape('Offer', {
  items: list(object({ cost: money({ required: true, currency }) }, { required: true }), {
    required: true,
    maxItems: setting(shopSettings, 'maxItems'),
  }),
  total: optional(money({ currency })),
})

const add = defineEndpoint({
  method: 'POST',
  path: '/api/rest/offers',
  id: 'addOffer',
  summary: 'Add up an offer',
  access: 'true',
  body: { offer: object(offer, { required: true }) },
  check: ({ offer: sent }, { settings }) =>
    sent?.items.length === 0 ? [{ code: 'empty', message: settings(shopSettings).currency }] : [],
  answers: { 200: offer },
  run: ({ body }) => ({
    items: body.offer.items,
    total: body.offer.items.reduce((sum, { cost }) => sum + cost, 0),
  }),
})

const shop = defineModule({
  name: 'shop',
  about: 'A shop.',
  settings: [shopSettings],
  resources: [goods],
  extensions: [rebates],
  endpoints: [add],
})

const json = { Accept: 'application/json' }

test('the types of fields do not depend on the setting', () => {
  expectTypeOf<Row<typeof goods>['price']>().toEqualTypeOf<number>()
  expectTypeOf<Row<typeof goods>['currency']>().toEqualTypeOf<string>()
  expectTypeOf<Row<typeof rebates>['rebate']>().toEqualTypeOf<number>()
  expect(['EUR', 'JPY', 'KWD'].map(decimalsOf)).toEqual([2, 0, 3])
  // @ts-expect-error: no such setting
  expect(setting(shopSettings, 'curency').usual).toBeNull()
})

describe.each([
  { code: 'EUR', price: 12.5, minor: 1250, rebate: 1 },
  { code: 'KWD', price: 12.525, minor: 12_525, rebate: 1 },
  { code: 'JPY', price: 12, minor: 12, rebate: 1 },
])('with $code', ({ code, price, minor, rebate }) => {
  let service: TestService
  beforeAll(async () => {
    service = await startPlinth({ modules: [shop], settings: { 'app.shop.currency': code, 'app.shop.maxItems': '3' } })
  })
  afterAll(() => service.stop())

  test('amounts have the decimal places of the currency, and a default is the setting', async () => {
    const made = await service.anonymous.post('/api/rest/goods', { price }, json)
    expect(made.body).toMatchObject({ price, currency: code, rebate, label: String(minor) })
    expect((await service.records.get(goods, made.body.pk)).price).toBe(minor)
    expect((await service.anonymous.post('/api/rest/goods', { price: 1.0001 }, json)).status).toBe(400)
  })

  test('bodies and answers of endpoints do, too, and lists have the limit of the setting', async () => {
    const items = [{ cost: price }, { cost: price }, { cost: price }]
    const added = await service.anonymous.post('/api/rest/offers', { offer: { items } }, json)
    expect(added.body).toEqual({ items, total: (minor * 3) / 10 ** decimalsOf(code) })
    const tooMany = await service.anonymous.post('/api/rest/offers', { offer: { items: [...items, ...items] } }, json)
    expect(tooMany.body.errors).toMatchObject([{ pointer: '/offer/items', code: 'max_entries', params: { max: 3 } }])
    const empty = await service.anonymous.post('/api/rest/offers', { offer: { items: [] } }, json)
    expect(empty.body.errors).toMatchObject([{ message: code }])
  })
})

test('a setting of a group that no module lists stops the start', () => {
  const app = defineApp({
    name: 'Shop',
    modules: [defineModule({ name: 'shop', about: 'A shop.', resources: [goods] })],
  })
  expect(() => modulesFor(app, loadConfig(app, { env: {}, cwd: '/' }))).toThrow(
    "No module declares the settings app.shop: add them to its 'settings'.",
  )
})
