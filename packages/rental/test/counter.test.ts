import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, testAll } from '@plinth/test-kit/extent'
import { copyOf, demoTitles, openStore, people, strategyOf, type TestStore } from '@plinth/test-kit/rental-store'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(database)
  })
  afterAll(() => store.stop())
  beforeEach(async () => {
    // Whatever a test left rented comes back.
    const out = await store.admin.get('/api/rest/filmInventoryEntries?filter=currentRental=isnull=false&_ps=500')
    const items = out.body.content.map((copy: { pk: string }) => copy.pk)
    if (items.length > 0) expect((await store.staff.post('/api/rest/order/returns', { items })).status).toBe(200)
  })

  const pointsOf = async (user: string) =>
    (await store.admin.get(`/api/rest/clients?user=${user}`)).body.content[0]?.bonusPoints ?? 0
  const copyAt = async (pk: string) => (await store.staff.get(`/api/rest/filmInventoryEntries/${pk}`)).body
  const rentalAt = async (pk: string) => (await store.staff.get(`/api/rest/rentals/${pk}`)).body

  test('the set of the demo costs 250 and earns 5 points', async () => {
    const before = await pointsOf(people.client)
    const days = [1, 5, 2, 7]
    const orders = demoTitles.map((title, at) => [copyOf(title), days[at] ?? 0] as const)
    const quotes = await Promise.all(orders.map(([copy, days]) => store.quote(copy, days)))
    expect(quotes.map(({ body }) => [body.filmTitle, body.cost, body.days, body.rentalId])).toEqual([
      ['Matrix 11', 40, 1, null],
      ['Spider-Man', 90, 5, null],
      ['Spider-Man 2', 30, 2, null],
      ['Out of Africa', 90, 7, null],
    ])
    const done = await store.submit(
      quotes.map(({ body }) => body),
      people.client,
      { totalCost: 250 },
    )
    expect([done.status, done.body.totalCost, done.body.bonusPoints]).toEqual([200, 250, 5])
    expect(done.body.items.map((one: { amount: number }) => one.amount)).toEqual([40, 90, 30, 90])
    expect(done.body.customer).toEqual({ pk: people.client, username: 'client' })
    expect(await pointsOf(people.client)).toBe(before + 5)
  })

  test('the published late returns cost 110', async () => {
    await store.rent([[copyOf('Matrix 11'), 1]])
    store.time.forward(-3)
    await store.rent([[copyOf('Spider-Man'), 5]])
    store.time.forward(6)
    // The new release was paid for 1 day and kept for 3; the regular film paid for 5 and kept for 6.
    const done = await store.bringBack([copyOf('Matrix 11'), copyOf('Spider-Man')])
    expect(done.body.items.map((one: { amount: number; days: number }) => [one.amount, one.days])).toEqual([
      [80, 2],
      [30, 1],
    ])
    expect(done.body.totalCost).toBe(110)
  })

  test.each(
    everyThird([
      ['Matrix 11', [40, 80, 120, 160, 200, 240, 280]],
      ['Spider-Man', [30, 30, 30, 60, 90, 120, 150]],
      ['Out of Africa', [30, 30, 30, 30, 30, 60, 90]],
    ] as const),
  )('%s is quoted as the table of prices says', async (title, costs) => {
    const quotes = await Promise.all(costs.map((_, at) => store.quote(copyOf(title), at + 1)))
    expect(quotes.map(({ body }) => body.cost)).toEqual(costs)
  })

  testAll('an order says all that the counter shows', async () => {
    const order = (await store.quote(copyOf('Spider-Man'), 4)).body
    expect(order).toEqual({
      inventoryId: copyOf('Spider-Man'),
      barcode: '2000000000039',
      filmTitle: 'Spider-Man',
      filmMpaa: 'PG-13',
      rentalId: null,
      cost: 60,
      days: 4,
      pricingStrategy: {
        pk: strategyOf('regular'),
        id: strategyOf('regular'),
        name: 'Regular',
        initialPrice: 30,
        daysFree: 3,
        dailyPrice: 30,
        bonusPoints: 1,
      },
      currency: 'EUR',
      dueDate: new Date(store.time.now.getTime() + 4 * 24 * 3600_000).toISOString(),
      dueDateLocal: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/),
      timeZone: 'UTC',
    })
  })

  test('a copy is rented until it is brought back', async () => {
    const copy = copyOf('Out of Africa', 1)
    const { body } = await store.rent([[copy, 2]])
    const [payment] = body.items
    expect(payment).toMatchObject({
      kind: 'rental',
      amount: 30,
      days: 2,
      currency: 'EUR',
      customer: { pk: people.client },
      staff: { pk: people.staff },
      selfServed: false,
    })
    expect(await copyAt(copy)).toMatchObject({ available: false, currentRental: { pk: payment.rental.pk } })
    expect(await rentalAt(payment.rental.pk)).toMatchObject({
      customer: { pk: people.client },
      inventory: { pk: copy },
      rentalDate: store.time.now.toISOString(),
      returnDate: null,
      days: 2,
      initialPrice: 30,
      daysFree: 5,
      dailyPrice: 30,
      createdBy: { pk: people.staff },
    })
    const rented = (await store.quote(copy, 300)).body
    expect(rented).toMatchObject({ rentalId: payment.rental.pk, cost: 0, days: 0, customer: { pk: people.client } })
    store.time.forward(1)
    const back = await store.submit([rented])
    expect(back.body.items[0]).toMatchObject({ kind: 'return', amount: 0, rental: { pk: payment.rental.pk } })
    expect(await copyAt(copy)).toMatchObject({ available: true, currentRental: null })
    expect((await rentalAt(payment.rental.pk)).returnDate).toBe(store.time.now.toISOString())
  })

  testAll('a price that changes after the rental does not reach it', async () => {
    const copy = copyOf('Matrix 11', 1)
    await store.rent([[copy, 1]])
    const strategy = `/api/rest/filmPricingStrategies/${strategyOf('new')}`
    await store.staff.patch(strategy, { dailyPrice: 99.99 })
    store.time.forward(2)
    expect((await store.quote(copy)).body).toMatchObject({ cost: 40, pricingStrategy: { dailyPrice: 40 } })
    await store.staff.patch(strategy, { dailyPrice: 40 })
  })

  test('a price that changes after the quote is not charged unseen', async () => {
    const copy = copyOf('Matrix 11', 1)
    const order = (await store.quote(copy, 1)).body
    const strategy = `/api/rest/filmPricingStrategies/${strategyOf('new')}`
    await store.staff.patch(strategy, { initialPrice: 41.5 })
    const before = await store.books()
    const refused = await store.submit([order])
    expect([refused.status, refused.body.code]).toEqual([409, 'quote_changed'])
    expect(refused.body.errors).toMatchObject([{ pointer: '/items/0/cost', code: 'price_changed' }])
    expect(refused.body.quote).toMatchObject({ totalCost: 41.5, currency: 'EUR', items: [{ cost: 41.5 }] })
    expect(await store.books()).toBe(before)
    expect((await store.submit(refused.body.quote.items)).status).toBe(200)
    await store.staff.patch(strategy, { initialPrice: 40 })
  })

  test('the same submission twice, without a key, is refused the second time', async () => {
    const order = (await store.quote(copyOf('Spider-Man 2', 1), 2)).body
    expect((await store.submit([order])).status).toBe(200)
    const before = await store.books()
    const again = await store.submit([order])
    expect([again.status, again.body.code]).toEqual([409, 'quote_changed'])
    expect(again.body.quote.items[0].rentalId).toMatch(/^[0-9a-f-]{36}$/)
    expect(await store.books()).toBe(before)
  })

  test('the same submission twice, with a key, gets the first answer again', async () => {
    const order = (await store.quote(copyOf('Spider-Man 2', 2), 2)).body
    const submit = () =>
      store.staff.post(
        '/api/rest/order/orders',
        { customer: people.client, items: [order] },
        { 'Idempotency-Key': `${database}-key` },
      )
    const [first, second] = [await submit(), await submit()]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
    const payments = await store.admin.get(`/api/rest/payments?rental=${first.body.items[0].rental.pk}`)
    expect(payments.body.content).toHaveLength(1)
  })

  test('a return of a copy that was returned in the meantime is refused with a new quote', async () => {
    const copy = copyOf('Spider-Man', 1)
    await store.rent([[copy, 1]])
    const order = (await store.quote(copy)).body
    await store.submit([order])
    const before = await store.books()
    const again = await store.submit([order])
    expect([again.status, again.body.quote.items[0].rentalId]).toEqual([409, null])
    expect(await store.books()).toBe(before)
  })

  test('one bad line leaves all others undone', async () => {
    await store.rent([[copyOf('Matrix 11', 2), 1]])
    const returned = (await store.quote(copyOf('Matrix 11', 2))).body
    const fine = (await store.quote(copyOf('Spider-Man', 2), 1)).body
    const before = await store.books()
    const refused = await store.submit([returned, fine, { ...fine, inventoryId: copyOf('Out of Africa'), cost: 1 }])
    expect(refused.status).toBe(409)
    expect(refused.body.errors).toMatchObject([{ pointer: '/items/2/cost' }])
    expect(await store.books()).toBe(before)
    expect((await store.submit([returned, fine])).body.items.map((one: { kind: string }) => one.kind)).toEqual([
      'return',
      'rental',
    ])
  })

  testAll('the short path and the other name of the list do the same', async () => {
    const long = await store.quote(copyOf('Spider-Man', 2), 4)
    const order = (await store.staff.get(`/api/rest/orders/${copyOf('Spider-Man', 2)}?days=4`)).body
    expect(order).toEqual(long.body)
    const done = await store.staff.post('/api/rest/orders', { customer: { pk: people.simple }, orders: [order] })
    expect([done.status, done.body.totalCost]).toEqual([200, 60])
  })

  test('copies are found by barcode, with whatever the scanner adds', async () => {
    const byCode = await store.staff.get(`/api/rest/order/orders/${encodeURIComponent(']E02000000000039\r\n')}?days=1`)
    expect(byCode.body.inventoryId).toBe(copyOf('Spider-Man'))
    const done = await store.submit([{ ...byCode.body, inventoryId: '2000000000039\r' }])
    expect(done.status).toBe(200)
    const misread = await store.staff.get('/api/rest/order/orders/2000000000093')
    expect([misread.status, misread.body.detail]).toEqual([400, expect.stringMatching(/check digit/)])
  })

  testAll('another person may bring a copy back, and both are known', async () => {
    const copy = copyOf('Matrix 11', 1)
    const { rental } = (await store.rent([[copy, 1]])).body.items[0]
    store.time.forward(2)
    const { body } = await store.bringBack([copy], people.simple)
    expect(body.items[0]).toMatchObject({ amount: 40, customer: { pk: people.simple }, payer: { pk: people.simple } })
    expect(await rentalAt(rental.pk)).toMatchObject({
      customer: { pk: people.client },
      returnedBy: { pk: people.simple },
    })
  })

  testAll('copies come back without a customer, at the expense of the renter', async () => {
    const copy = copyOf('Matrix 11', 1)
    await store.rent([[copy, 1]])
    store.time.forward(2)
    const done = await store.submit([(await store.quote(copy)).body], null)
    expect(done.body.items[0]).toMatchObject({ amount: 40, customer: { pk: people.client } })
  })

  testAll('staff may rent for themselves, and that shows', async () => {
    const { body } = await store.rent([[copyOf('Spider-Man'), 1]], people.staff)
    expect(body.items[0].selfServed).toBe(true)
  })

  test.each(['lost', 'damaged'] as const)('a copy that comes back %s is paid for and not rented again', async how => {
    const copy = copyOf('Out of Africa', how === 'lost' ? 1 : 2)
    await store.rent([[copy, 1]])
    store.time.forward(3)
    const order = (await store.staff.get(`/api/rest/order/orders/${copy}?condition=${how}`)).body
    expect(order).toMatchObject({ cost: 310, replacementFee: 250, condition: how })
    const done = await store.submit([order])
    expect(done.body.items[0]).toMatchObject({ amount: 310, replacementFee: 250, days: 2 })
    expect(await copyAt(copy)).toMatchObject({ status: how, available: false, currentRental: null })
    const refused = await store.quote(copy)
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining(how)])
    expect((await store.submit([{ ...order, rentalId: null, days: 1, condition: 'good' }])).status).toBe(409)
    await store.staff.patch(`/api/rest/filmInventoryEntries/${copy}`, { status: 'good' })
    expect((await copyAt(copy)).available).toBe(true)
  })
})
