import { featureDatabases } from '@plinth/test-kit/databases'
import { copyOf, openStore, people, strategyOf, type TestStore, unknownPk } from '@plinth/test-kit/rental-store'
import type { Answer, DemoUser } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Who = DemoUser | 'anonymous'

interface RightsStore extends TestStore {
  /** A payment and the rental of the client. */
  readonly payment: string
  readonly rental: string
}

const everyone: readonly Who[] = ['anonymous', 'simple', 'client', 'operator', 'staff', 'admin']

/** Statuses in the order of `everyone`. */
const table: readonly (readonly [string, (store: RightsStore, who: Who) => Promise<Answer>, readonly number[]])[] = [
  ['read films', (store, who) => store.as(who).get('/api/rest/films?_ps=1'), [401, 200, 200, 200, 200, 200]],
  ['read clients', (store, who) => store.as(who).get('/api/rest/clients?_ps=1'), [401, 200, 200, 200, 200, 200]],
  ['read rentals', (store, who) => store.as(who).get('/api/rest/rentals?_ps=1'), [401, 200, 200, 200, 200, 200]],
  [
    'list overdue rentals',
    (store, who) => store.as(who).get('/api/rest/order/overdue'),
    [401, 200, 200, 200, 200, 200],
  ],
  [
    'make a category',
    (store, who) => store.as(who).post('/api/rest/filmCategories', { name: 'Noir' }),
    [401, 403, 403, 403, 201, 201],
  ],
  [
    'replace at the collection',
    (store, who) =>
      store.as(who).put('/api/rest/filmPricingStrategies', {
        pk: strategyOf('old'),
        name: 'Old',
        initialPrice: 30,
        daysFree: 5,
        dailyPrice: 30,
        bonusPoints: 1,
      }),
    [401, 403, 403, 403, 200, 200],
  ],
  [
    'calculate an order',
    (store, who) => store.as(who).get(`/api/rest/order/orders/${copyOf('Matrix 11')}`),
    [401, 403, 403, 403, 200, 200],
  ],
  ['submit an order', (store, who) => store.as(who).post('/api/rest/order/orders', {}), [401, 403, 403, 403, 400, 400]],
  [
    'submit by the short path',
    (store, who) => store.as(who).post('/api/rest/orders', {}),
    [401, 403, 403, 403, 400, 400],
  ],
  [
    'empty the drop box',
    (store, who) => store.as(who).post('/api/rest/order/returns', {}),
    [401, 403, 403, 403, 400, 400],
  ],
  [
    'void a payment',
    (store, who) => store.as(who).post(`/api/rest/order/payments/${unknownPk}/void`, { reason: 'no' }),
    [401, 403, 403, 403, 404, 404],
  ],
  [
    'waive a fee',
    (store, who) => store.as(who).post(`/api/rest/order/payments/${unknownPk}/waive`, { reason: 'no' }),
    [401, 403, 403, 403, 404, 404],
  ],
  [
    'settle a balance',
    (store, who) => store.as(who).post('/api/rest/order/settlements', {}),
    [401, 403, 403, 403, 400, 400],
  ],
  [
    'scan a card',
    (store, who) => store.as(who).get(`/api/rest/filmInventoryEntries/${people.client}`),
    [401, 404, 404, 404, 200, 200],
  ],
  [
    'scan a copy',
    (store, who) => store.as(who).get(`/api/rest/filmInventoryEntries/${copyOf('Matrix 11')}`),
    [401, 200, 200, 200, 200, 200],
  ],
  [
    'change a payment',
    (store, who) => store.as(who).patch(`/api/rest/payments/${store.payment}`, { amount: 0 }),
    [401, 403, 403, 403, 403, 403],
  ],
  [
    'replace a payment',
    (store, who) => store.as(who).put(`/api/rest/payments/${store.payment}`, { amount: 0 }),
    [401, 403, 403, 403, 403, 403],
  ],
  [
    'delete a payment',
    (store, who) => store.as(who).delete(`/api/rest/payments/${store.payment}`),
    [401, 403, 403, 403, 403, 403],
  ],
  [
    'read the receipt of the client',
    (store, who) => store.as(who).get(`/api/rest/order/receipts/${store.payment}`),
    [401, 404, 200, 404, 200, 200],
  ],
  [
    'read the payment of the client',
    (store, who) => store.as(who).get(`/api/rest/payments/${store.payment}`),
    [401, 404, 200, 404, 200, 200],
  ],
  [
    'read the rental of the client',
    (store, who) => store.as(who).get(`/api/rest/rentals/${store.rental}`),
    [401, 404, 200, 404, 200, 200],
  ],
  [
    'correct the date of a rental',
    (store, who) =>
      store.as(who).patch(`/api/rest/rentals/${store.rental}`, { rentalDate: '2024-05-16T08:00:00.000Z' }),
    [401, 403, 403, 403, 403, 200],
  ],
  [
    'delete a film that has copies',
    (store, who) => store.as(who).delete('/api/rest/films/00000000-0000-7000-a004-000000000000'),
    [401, 403, 403, 403, 409, 409],
  ],
]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let store: RightsStore
  beforeAll(async () => {
    const open = await openStore(database)
    const [payment] = (await open.rent([[copyOf('Spider-Man'), 1]])).body.items
    store = Object.assign(open, { payment: payment.pk, rental: payment.rental.pk })
  })
  afterAll(() => store.stop())

  test.each(table)('who may %s', async (_, ask, statuses) => {
    const found: [Who, number][] = []
    for (const who of everyone) found.push([who, (await ask(store, who)).status])
    expect(found).toEqual(everyone.map((who, at) => [who, statuses[at]]))
  })

  test('customers see their own rentals and payments only', async () => {
    for (const name of ['rentals', 'payments', 'order/overdue']) {
      const seen = await store.as('client').get(`/api/rest/${name}?_ps=500`)
      const all = await store.as('staff').get(`/api/rest/${name}?_ps=500`)
      const own = (page: Answer) =>
        page.body.content.filter((one: { customer: { pk: string } }) => one.customer.pk === people.client)
      expect(seen.body.content.map((one: { pk: string }) => one.pk)).toEqual(
        own(all).map((one: { pk: string }) => one.pk),
      )
      expect(seen.body.content.length).toBeGreaterThan(0)
      expect(all.body.content.length).toBeGreaterThan(seen.body.content.length)
    }
  })

  test('a card shows no user whom the rules hide from the counter', async () => {
    const strict = await openStore(database, { 'app.access.users.read': 'record.pk == caller.pk' })
    expect((await strict.staff.get(`/api/rest/filmInventoryEntries/${people.client}`)).status).toBe(404)
    expect((await strict.staff.get(`/api/rest/filmInventoryEntries/${people.staff}`)).status).toBe(200)
    await strict.stop()
  })

  test('cards and balances are for the counter', async () => {
    const [own] = (await store.as('client').get('/api/rest/clients')).body.content
    expect(Object.keys(own)).not.toEqual(expect.arrayContaining(['cardBarcode']))
    expect(own).not.toHaveProperty('balance')
    expect((await store.as('client').get('/api/rest/clients?cardBarcode=2100000000005')).status).toBe(400)
    const [seen] = (await store.as('staff').get('/api/rest/clients')).body.content
    expect(seen).toMatchObject({ cardBarcode: expect.any(String), balance: 0 })
  })
})
