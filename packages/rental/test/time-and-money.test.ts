import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { copyOf, openStore, people, type TestStore } from '@plinth/test-kit/rental-store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s, in Athens', database => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(database, { 'app.rental.timeZone': 'Europe/Athens' })
  })
  afterAll(() => store.stop())

  test.each([
    ['into summer time', '2024-03-30T10:00:00.000Z', 2, '2024-04-01T10:00:00.000Z', '2024-04-01T13:00+03:00'],
    ['into winter time', '2024-10-26T09:00:00.000Z', 2, '2024-10-28T09:00:00.000Z', '2024-10-28T11:00+02:00'],
    ['over a leap day', '2024-02-28T10:00:00.000Z', 2, '2024-03-01T10:00:00.000Z', '2024-03-01T12:00+02:00'],
    ['over the end of a year', '2024-12-31T22:30:00.000Z', 1, '2025-01-01T22:30:00.000Z', '2025-01-02T00:30+02:00'],
  ])('a rental %s is due so many times 24 hours later', async (_, now, days, due, local) => {
    store.time.set(now)
    const copy = copyOf('Matrix 11')
    const order = (await store.quote(copy, days)).body
    expect(order).toMatchObject({ dueDate: due, dueDateLocal: local, timeZone: 'Europe/Athens' })
    await store.submit([order])
    store.time.set(new Date(Date.parse(due) + 24 * 3600_000 - 1).toISOString())
    expect((await store.quote(copy)).body).toMatchObject({ cost: 0, days: 0, daysKept: days })
    store.time.set(new Date(Date.parse(due) + 24 * 3600_000).toISOString())
    expect((await store.quote(copy)).body).toMatchObject({ cost: 40, days: 1, daysKept: days + 1 })
    expect((await store.bringBack([copy])).body.totalCost).toBe(40)
  })

  test('every signed-in user finds the currency and the time zone of the store', async () => {
    const { status, body } = await store.as('client').get('/api/rest/order/store')
    expect([status, body]).toEqual([200, { currency: 'EUR', timeZone: 'Europe/Athens' }])
    expect((await store.as('anonymous').get('/api/rest/order/store')).status).toBe(401)
  })

  test('a clock that was set back charges nothing and ends no rental before it began', async () => {
    store.time.set('2024-06-02T10:00:00.000Z')
    const { rental } = (await store.rent([[copyOf('Matrix 11'), 1]])).body.items[0]
    store.time.set('2024-06-01T10:00:00.000Z')
    expect((await store.bringBack([copyOf('Matrix 11')])).body.totalCost).toBe(0)
    const { body } = await store.staff.get(`/api/rest/rentals/${rental.pk}`)
    expect(body.returnDate).toBe('2024-06-02T10:00:00.000Z')
  })

  test('who is of age is decided by the calendar of the store', async () => {
    const films = await store.staff.get('/api/rest/films?mpaaRating=NC17&_ps=1')
    const copies = await store.staff.get(`/api/rest/filmInventoryEntries?film=${films.body.content[0].pk}`)
    const copy = copies.body.content[0].pk
    const put = await store.admin.put(`/api/rest/personalDetails/${people.simple}`, { birthDay: '2006-05-18' })
    expect([200, 201]).toContain(put.status)
    // Midnight in Athens comes three hours before that of UTC.
    store.time.set('2024-05-17T20:59:59.000Z')
    const order = (await store.quote(copy, 1)).body
    const before = await store.books()
    const refused = await store.submit([order], people.simple)
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/items/0', code: 'age' }]])
    expect(await store.books()).toBe(before)
    const override = { override: { reason: 'parents are here' } }
    expect((await store.submit([order], people.simple, override)).status).toBe(403)
    expect(await store.books()).toBe(before)
    const allowed = await store.admin.post('/api/rest/orders', { customer: people.simple, items: [order], ...override })
    expect(allowed.body.items[0].reason).toBe('parents are here')
    expect(
      (await store.staff.post(`/api/rest/order/payments/${allowed.body.items[0].pk}/void`, { reason: 'x' })).status,
    ).toBe(200)
    store.time.set('2024-05-17T21:00:00.000Z')
    expect((await store.submit([(await store.quote(copy, 1)).body], people.simple)).status).toBe(200)
    await store.bringBack([copy])
    // Of the other client no birthday is known.
    expect((await store.submit([(await store.quote(copy, 1)).body], people.client)).status).toBe(200)
  })
})

test('late fees can be charged to the renter even if another customer returns the copy', async () => {
  const store = await openStore('sqlite', { 'app.rental.lateFeesTo': 'renter' })
  await store.rent([[copyOf('Matrix 11'), 1]])
  store.time.forward(2)
  const { body } = await store.bringBack([copyOf('Matrix 11')], people.simple)
  expect(body.items).toMatchObject([{ amount: 40, customer: { pk: people.client }, payer: { pk: people.simple } }])
  await store.stop()
})

const currencies: readonly [string, number, number, string][] = [
  ['JPY', 30, 0.5, 'JPY 90'],
  // 0.1 + 0.1 + 0.1 is not 0.3 in floating point.
  ['KWD', 0.1, 0.0005, 'KWD 0.300'],
  ['EUR', 0.1, 0.005, 'EUR 0.30'],
]

describe.each(currencies.slice(0, extent(1, currencies.length)))('in %s', (currency, price, tooFine, total) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore('sqlite', { 'app.rental.currency': currency })
  })
  afterAll(() => store.stop())

  test('amounts have the decimals of the currency, and sums are exact', async () => {
    const strategy = await store.staff.post('/api/rest/filmPricingStrategies', {
      name: 'Fine',
      initialPrice: price,
      daysFree: 1,
      dailyPrice: price,
    })
    expect(strategy.body.initialPrice).toBe(price)
    const refused = await store.staff.patch(`/api/rest/filmPricingStrategies/${strategy.body.pk}`, {
      initialPrice: tooFine,
    })
    expect(refused.status).toBe(400)
    const film = await store.staff.post('/api/rest/films', { title: 'Fine', pricingStrategy: strategy.body.pk })
    const copies = []
    for (let at = 0; at < 3; at++)
      copies.push((await store.staff.post('/api/rest/filmInventoryEntries', { film: film.body.pk })).body.pk)
    const done = await store.rent(copies.map(copy => [copy, 1]))
    const decimals = total.split('.')[1]?.length ?? 0
    expect(done.body.totalCost).toBe(Number(total.slice(4)))
    expect(done.body.items.map((one: { amount: number; currency: string }) => [one.amount, one.currency])).toEqual(
      Array(3).fill([price, currency]),
    )
    const receipt = await store.staff.get(`/api/rest/order/receipts/${done.body.items[0].pk}`, { Accept: 'text/plain' })
    expect(receipt.text).toMatch(new RegExp(`Total +${total.replace('.', '\\.')}$`, 'm'))
    expect(receipt.text).toContain(price.toFixed(decimals))
  })
})

testAll('books that are kept in one currency are not opened in another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-books-'))
  const settings = { 'app.dataDir': folder }
  await (await openStore('sqlite', settings)).stop()
  await expect(openStore('sqlite', { ...settings, 'app.rental.currency': 'JPY' })).rejects.toThrow(/amounts are in EUR/)
  await (await openStore('sqlite', settings)).stop()
  await rm(folder, { recursive: true, force: true })
})
