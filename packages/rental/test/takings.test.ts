import { featureDatabases } from '@plinth/test-kit/databases'
import { copyOf, openStore, people, type TestStore } from '@plinth/test-kit/rental-store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Sums {
  readonly date?: string
  readonly taken: number
  readonly byKind: Readonly<Record<string, number>>
  readonly onAccount: number
  readonly count: number
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let store: TestStore
  beforeAll(async () => {
    // Tokyo is nine hours ahead: the store's day is not that of UTC.
    store = await openStore(database, { 'app.rental.timeZone': 'Asia/Tokyo' })
  })
  afterAll(() => store.stop())

  const takings = (query = '') => store.staff.get(`/api/rest/order/takings${query}`)
  const on = async (date: string): Promise<Sums> => {
    const { body } = await takings(`?from=${date}&to=${date}`)
    expect(body.days).toHaveLength(1)
    const { days, from, to, currency, timeZone, ...whole } = body
    expect([from, to, currency, timeZone]).toEqual([date, date, 'EUR', 'Asia/Tokyo'])
    expect(days[0]).toEqual({ date, ...whole })
    return days[0]
  }

  test('each day has what was paid, paid back and waived on it, by the calendar of the store', async () => {
    store.time.set('2024-07-01T14:59:00.000Z')
    await store.rent([[copyOf('Matrix 11'), 1]])
    store.time.set('2024-07-01T15:01:00.000Z')
    const rented = await store.rent([[copyOf('Spider-Man'), 5]])
    await store.staff.post(`/api/rest/order/payments/${rented.body.items[0].pk}/void`, { reason: 'wrong film' })
    expect(await on('2024-07-01')).toMatchObject({ taken: 40, byKind: { rental: 40 }, onAccount: 0, count: 1 })
    expect(await on('2024-07-02')).toMatchObject({ taken: 0, byKind: { rental: 90, void: -90 }, count: 2 })
  })

  test('what is owed is not taken until it is paid', async () => {
    store.time.set('2024-08-01T00:00:00.000Z')
    await store.rent([[copyOf('Matrix 11', 1), 1]])
    store.time.forward(4)
    await store.staff.post('/api/rest/order/returns', { items: [copyOf('Matrix 11', 1)] })
    store.time.forward(1)
    await store.staff.post('/api/rest/order/settlements', { customer: people.client, amount: 70 })
    expect(await on('2024-08-05')).toMatchObject({ taken: 0, byKind: { return: 0 }, onAccount: 120, count: 1 })
    expect(await on('2024-08-06')).toMatchObject({ taken: 70, byKind: { settlement: 70 }, onAccount: 0 })
    const { body } = await takings('?from=2024-08-01&to=2024-08-06')
    expect(body).toMatchObject({ taken: 110, onAccount: 120, count: 3 })
    expect(body.days.map(({ taken }: Sums) => taken)).toEqual([40, 0, 0, 0, 0, 70])
  })

  test('without a period it is that of the last 30 days', async () => {
    store.time.set('2024-08-20T20:00:00.000Z')
    const { body } = await takings()
    expect([body.from, body.to, body.days.length, body.taken]).toEqual(['2024-07-23', '2024-08-21', 30, 110])
  })

  test.each([
    ['a day that the calendar does not have', '?from=2024-02-30', 'from'],
    ['an instant', '?to=2024-02-03T10:00:00Z', 'to'],
    ['no day at all', '?from=', 'from'],
    ['two days', '?to=2024-02-03&to=2024-02-04', 'to'],
    ['a year without end', '?to=+275760-09-13', 'to'],
    ['an end before the beginning', '?from=2024-02-03&to=2024-02-02', 'from'],
    ['more than a year', '?from=2023-01-01&to=2024-01-02', 'from'],
  ])('%s is refused', async (_, query, parameter) => {
    const { status, body } = await takings(query)
    expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'bad_parameter', parameter])
  })

  test.each([
    ['anonymous', 401],
    ['client', 403],
    ['admin', 200],
  ] as const)('%s is answered with %i', async (who, status) => {
    expect((await store.as(who).get('/api/rest/order/takings')).status).toBe(status)
  })
})
