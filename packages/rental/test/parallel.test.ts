import { databases, type TestedDatabase } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { copyOf, demoTitles, openStore, people, type TestStore } from '@plinth/test-kit/rental-store'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(extent<readonly TestedDatabase[]>(['postgres'], databases))('on %s', database => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(database)
  })
  afterAll(() => store.stop())

  const countOf = async (path: string) => Number((await store.admin.get(path)).headers.get('x-total-count'))

  test('of many who rent the same copy at once, one gets it', async () => {
    const copy = copyOf('Matrix 11')
    const order = (await store.quote(copy, 1)).body
    const count = extent(40, 100)
    const customers = [people.client, people.simple, people.staff, people.admin]
    const answers = await Promise.all(
      Array.from({ length: count }, (_, at) => store.submit([order], customers[at % customers.length])),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(count - 1).fill(409)])
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(
      new Set(['quote_changed']),
    )
    expect(await countOf(`/api/rest/rentals?inventory=${copy}`)).toBe(1)
    expect(await countOf(`/api/rest/payments?rental.inventory=${copy}`)).toBe(1)
  })

  test('of many who return the same copy at once, one is charged', async () => {
    const copy = copyOf('Matrix 11')
    store.time.forward(3)
    const order = (await store.quote(copy)).body
    expect(order.cost).toBe(80)
    const answers = await Promise.all(Array.from({ length: extent(25, 50) }, () => store.submit([order])))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await countOf(`/api/rest/payments?rental.inventory=${copy}&kind=return`)).toBe(1)
  })

  test('baskets that overlap in any order end with each copy in one of them', async () => {
    const copies = demoTitles.flatMap(title => [copyOf(title, 1), copyOf(title, 2)])
    const orders = await Promise.all(copies.map(async copy => (await store.quote(copy, 1)).body))
    const basket = (at: number) => {
      const picked = [0, 3, 5].map(step => orders[(at + step) % orders.length])
      return at % 2 === 0 ? picked : picked.reverse()
    }
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => store.submit(basket(at))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    for (const copy of copies) {
      const open = await countOf(`/api/rest/rentals?filter=inventory==${copy};returnDate=isnull=true`)
      const { currentRental, available } = (await store.staff.get(`/api/rest/filmInventoryEntries/${copy}`)).body
      expect(open).toBe(currentRental ? 1 : 0)
      expect(available).toBe(currentRental === null)
    }
  })

  test('a key that arrives many times at once is worked on once', async () => {
    await store.staff.post('/api/rest/order/returns', { items: [copyOf('Spider-Man')] })
    const order = (await store.quote(copyOf('Spider-Man'), 1)).body
    const submit = () =>
      store.staff.post(
        '/api/rest/order/orders',
        { customer: people.client, items: [order] },
        { 'Idempotency-Key': `many-${database}` },
      )
    const answers = await Promise.all(Array.from({ length: 20 }, submit))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.code]).toEqual([409, 'in_progress'])
    expect(await countOf(`/api/rest/payments?rental.inventory=${copyOf('Spider-Man')}`)).toBe(1)
  })

  test('the collection of rentals admits no second open one', async () => {
    const copy = copyOf('Out of Africa')
    const rental = { customer: people.client, inventory: copy, days: 2 }
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.staff.post('/api/rest/rentals', rental)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    expect((await store.quote(copy)).body.rentalId).toBe(answers.find(({ status }) => status === 201)?.body.pk)
  })

  test('the database itself admits no second open one', async () => {
    const { registry, store: data } = store.app.platform
    const rentals = registry.resource('rentals')
    const pk = '0198c1a2-0000-7000-8000-000000000001'
    const copy = copyOf('Out of Africa')
    const stamps = { createdDate: store.time.now.toISOString(), lastModifiedDate: store.time.now.toISOString() }
    const second = { customer: people.client, inventory: copy, openCopy: copy, ...stamps }
    await expect(data.transaction(tx => tx.insert(rentals, pk, second))).rejects.toMatchObject({ code: 'taken' })
  })
})

testAll('clerks who serve the same customer at once wait for each other, and never for ever', async () => {
  const store = await openStore('postgres', { 'app.rental.voidMinutes': '100000' })
  const copies = demoTitles.flatMap(title => [0, 1, 2].map(which => copyOf(title, which)))
  const points = async () =>
    (await store.admin.get(`/api/rest/clients?user=${people.client}`)).body.content[0].bonusPoints
  const before = await points()
  const rented = await Promise.all(copies.map(copy => store.rent([[copy, 1]])))
  expect(rented.map(({ status }) => status)).toEqual(copies.map(() => 200))
  expect(await points()).toBe(before + 3 * 5)
  store.time.forward(30)
  // Every box holds copies of the same customer, some of them late and some not.
  const boxes = copies.flatMap((_, at) => (at % 2 === 0 ? [copies.slice(at, at + 2)] : []))
  const returned = await Promise.all(boxes.map(items => store.staff.post('/api/rest/order/returns', { items })))
  expect(returned.map(({ status }) => status)).toEqual(boxes.map(() => 200))
  const payments: { pk: string }[] = returned.flatMap(({ body }) => body.items)
  const voided = await Promise.all(
    payments.map(({ pk }) => store.staff.post(`/api/rest/order/payments/${pk}/void`, { reason: 'recount' })),
  )
  expect(voided.map(({ status }) => status)).toEqual(payments.map(() => 200))
  await store.stop()
  // The connections have ended, so their counts have been reported.
  const sql = postgres(store.database, { max: 1 })
  const [counted] = await sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`
  await sql.end()
  expect(Number(counted?.deadlocks)).toBe(0)
})
