// Every way in which a submission can be wrong: refused with its status, and nothing written.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, runsAll } from '@plinth/test-kit/extent'
import { copyOf, openStore, people, type TestStore, unknownPk } from '@plinth/test-kit/rental-store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Order = Record<string, unknown>

/** What to send, given a sound order of a free copy and one of a rented copy. */
type Submission = (free: Order, rented: Order) => unknown

const customer = people.client

const refusals: [what: string, submission: Submission, status: number, pointer?: string][] = [
  ['a list', free => [free], 400],
  ['a number', () => 7, 400],
  ['no items', () => ({ customer }), 400],
  ['items that are no list', free => ({ customer, items: free }), 400],
  ['an empty list', () => ({ customer, items: [] }), 400],
  ['too many items', free => ({ customer, items: Array(101).fill(free) }), 400],
  ['an item that is no object', free => ({ customer, items: [free, 7] }), 400, '/items/1'],
  [
    'an item without a copy',
    free => ({ customer, items: [{ ...free, inventoryId: null }] }),
    400,
    '/items/0/inventoryId',
  ],
  [
    'a copy that is a number',
    free => ({ customer, items: [{ ...free, inventoryId: 5 }] }),
    400,
    '/items/0/inventoryId',
  ],
  ['a rental that is a number', free => ({ customer, items: [{ ...free, rentalId: 5 }] }), 400, '/items/0/rentalId'],
  ['no cost', free => ({ customer, items: [{ ...free, cost: undefined }] }), 400, '/items/0/cost'],
  ['a cost in words', free => ({ customer, items: [{ ...free, cost: '30' }] }), 400, '/items/0/cost'],
  ['a cost finer than a cent', free => ({ customer, items: [{ ...free, cost: 30.001 }] }), 400, '/items/0/cost'],
  ['a cost beyond all money', free => ({ customer, items: [{ ...free, cost: 1e300 }] }), 400, '/items/0/cost'],
  ['days in words', free => ({ customer, items: [{ ...free, days: '3' }] }), 400, '/items/0/days'],
  ['half days', free => ({ customer, items: [{ ...free, days: 2.5 }] }), 400, '/items/0/days'],
  ['days beyond a year', free => ({ customer, items: [{ ...free, days: 1e9 }] }), 400, '/items/0/days'],
  ['an unknown condition', free => ({ customer, items: [{ ...free, condition: 'eaten' }] }), 400, '/items/0/condition'],
  ['a total in words', free => ({ customer, items: [free], totalCost: 'much' }), 400, '/totalCost'],
  ['a customer that is a list', free => ({ customer: [], items: [free] }), 400, '/customer'],
  ['no customer', free => ({ items: [free] }), 400, '/customer'],
  ['an unknown customer', free => ({ customer: unknownPk, items: [free] }), 422, '/customer'],
  [
    'an unknown copy',
    free => ({ customer, items: [free, { ...free, inventoryId: unknownPk }] }),
    422,
    '/items/1/inventoryId',
  ],
  [
    'a misread barcode',
    free => ({ customer, items: [{ ...free, inventoryId: '2000000000093' }] }),
    422,
    '/items/0/inventoryId',
  ],
  ['the same copy twice', free => ({ customer, items: [free, free] }), 422, '/items/1/inventoryId'],
  [
    'the same copy by pk and barcode',
    free => ({ customer, items: [free, { ...free, inventoryId: free.barcode }] }),
    422,
    '/items/1/inventoryId',
  ],
  ['a lower cost', free => ({ customer, items: [{ ...free, cost: 29.99 }] }), 409, '/items/0/cost'],
  ['a higher cost', free => ({ customer, items: [{ ...free, cost: 30.01 }] }), 409, '/items/0/cost'],
  ['a negative cost', free => ({ customer, items: [{ ...free, cost: -30 }] }), 409, '/items/0/cost'],
  ['more days at the old cost', free => ({ customer, items: [{ ...free, days: 9 }] }), 409, '/items/0/cost'],
  ['a wrong total', free => ({ customer, items: [free], totalCost: 29 }), 409, '/totalCost'],
  [
    'a rental of a free copy',
    free => ({ customer, items: [{ ...free, rentalId: unknownPk }] }),
    409,
    '/items/0/rentalId',
  ],
  [
    'a rented copy as new',
    (_, rented) => ({ customer, items: [{ ...rented, rentalId: null }] }),
    409,
    '/items/0/rentalId',
  ],
  [
    'another rental of a rented copy',
    (_, rented) => ({ customer, items: [{ ...rented, rentalId: unknownPk }] }),
    409,
    '/items/0/rentalId',
  ],
  ['a return at a made-up fee', (_, rented) => ({ customer, items: [{ ...rented, cost: 5 }] }), 409, '/items/0/cost'],
]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let store: TestStore
  let [free, rented]: Order[] = []
  let before: string
  beforeAll(async () => {
    store = await openStore(database)
    await store.rent([[copyOf('Matrix 11'), 1]])
    free = (await store.quote(copyOf('Spider-Man'), 2)).body
    rented = (await store.quote(copyOf('Matrix 11'))).body
    before = await store.books()
  })
  afterAll(() => store.stop())

  test.each(everyThird(refusals))('a submission with %s is refused', async (_, submission, status, pointer) => {
    const refused = await store.staff.post('/api/rest/order/orders', submission(free ?? {}, rented ?? {}))
    expect(refused).toHaveStatus(status)
    if (pointer) expect(refused.body.errors).toMatchObject([{ pointer }])
    if (status === 409) expect(refused.body.quote.items.length).toBeGreaterThan(0)
    // Reading the books costs more than the submission.
    if (runsAll) expect(await store.books()).toBe(before)
  })

  test('none of these submissions has written anything', async () => {
    expect(await store.books()).toBe(before)
  })

  test('an inactive customer is refused', async () => {
    const { registry, store: data } = store.app.platform
    const users = registry.resource('users')
    await data.transaction(tx => tx.update(users, people.simple, { active: false }))
    const before = await store.books()
    const refused = await store.submit([free], people.simple)
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/customer', code: 'inactive' }]])
    expect(await store.books()).toBe(before)
    await data.transaction(tx => tx.update(users, people.simple, { active: true }))
  })

  test('a body that is not JSON, or of another type, is refused', async () => {
    const post = (body: string, type: string) =>
      store.staff.post('/api/rest/order/orders', body, { 'Content-Type': type })
    expect((await post('{', 'application/json')).status).toBe(400)
    expect((await post('', 'application/json')).status).toBe(400)
    expect((await post('<orders/>', 'application/xml')).status).toBe(415)
  })

  test.each([
    ['', 200, 1],
    ['?days=0', 200, 1],
    ['?days=-4', 200, 1],
    ['?days=3', 200, 3],
    ['?days=%2B3', 200, 3],
    ['?days=365', 200, 365],
    ['?days=366', 400],
    ['?days=1e9', 400],
    ['?days=1000000000', 400],
    ['?days=2.5', 400],
    ['?days=three', 400],
    ['?days=', 400],
    ['?days=1&days=2', 400],
    ['?condition=eaten', 400],
  ] as const)('a calculation with %j', async (query, status, days?: number) => {
    const answer = await store.staff.get(`/api/rest/order/orders/${copyOf('Spider-Man')}${query}`)
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.body.days).toBe(days)
    else expect(answer.body.errors[0].parameter).toBe(query.slice(1).split('=')[0])
  })

  test.each(['?days=three', '?days=1e9', '?days=2.5'])('days of a return are not even looked at: %s', async query => {
    const answer = await store.staff.get(`/api/rest/order/orders/${copyOf('Matrix 11')}${query}`)
    expect([answer.status, answer.body.days]).toEqual([200, 0])
  })

  test('calculation changes nothing, and knows no unknown copies', async () => {
    const before = await store.books()
    await store.quote(copyOf('Spider-Man'), 9)
    await store.quote(copyOf('Matrix 11'))
    expect((await store.quote(unknownPk)).status).toBe(404)
    expect((await store.quote('no-such-code')).status).toBe(404)
    expect(await store.books()).toBe(before)
  })
})
