import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, testAll } from '@plinth/test-kit/extent'
import { copyOf, openStore, people, type TestStore, unknownPk } from '@plinth/test-kit/rental-store'
import type { Answer } from '@plinth/test-kit/service'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(database, { 'app.rental.voidMinutes': '30' })
  })
  afterAll(() => store.stop())
  beforeEach(async () => {
    const out = await store.admin.get('/api/rest/filmInventoryEntries?filter=currentRental=isnull=false&_ps=500')
    const items = out.body.content.map((copy: { pk: string }) => copy.pk)
    if (items.length > 0) await store.staff.post('/api/rest/order/returns', { items })
  })

  const copy = copyOf('Matrix 11')
  const paymentIn = (answer: Answer): { pk: string; rental: { pk: string } } => answer.body.items[0]
  const voiding = (pk: string, reason: unknown = 'wrong film', who = store.staff) =>
    who.post(`/api/rest/order/payments/${pk}/void`, { reason })
  const waiving = (pk: string, body: object = { reason: 'the road was closed' }) =>
    store.staff.post(`/api/rest/order/payments/${pk}/waive`, body)
  const clientOf = async (user: string) => (await store.admin.get(`/api/rest/clients?user=${user}`)).body.content[0]
  const sumFor = async (rental: string) =>
    (await store.admin.get(`/api/rest/payments?rental=${rental}`)).body.content.reduce(
      (sum: number, one: { amount: number }) => sum + one.amount,
      0,
    )

  test('a voided rental gives back the money, the copy and the points', async () => {
    const before = (await clientOf(people.client)).bonusPoints
    const payment = paymentIn(await store.rent([[copy, 3]]))
    expect((await clientOf(people.client)).bonusPoints).toBe(before + 2)
    const voided = await voiding(payment.pk)
    expect([voided.status, voided.body.totalCost]).toEqual([200, -120])
    expect(voided.body.items).toMatchObject([
      { kind: 'void', amount: -120, voids: { pk: payment.pk }, reason: 'wrong film', staff: { pk: people.staff } },
    ])
    expect(await sumFor(payment.rental.pk)).toBe(0)
    expect((await store.quote(copy)).body.rentalId).toBe(null)
    expect((await clientOf(people.client)).bonusPoints).toBe(before)
    expect((await store.staff.get(`/api/rest/rentals/${payment.rental.pk}`)).body).toMatchObject({ voided: true })
    expect((await store.staff.get(`/api/rest/payments/${payment.pk}`)).body.amount).toBe(120)
  })

  test('a voided return puts the copy back into the hands of the renter', async () => {
    const rented = paymentIn(await store.rent([[copy, 1]]))
    store.time.forward(2)
    const returned = paymentIn(await store.bringBack([copy], people.simple))
    expect((await voiding(returned.pk)).body.totalCost).toBe(-40)
    expect((await store.quote(copy)).body).toMatchObject({ rentalId: rented.rental.pk, cost: 40 })
    expect(await sumFor(rented.rental.pk)).toBe(40)
    const again = paymentIn(await store.bringBack([copy]))
    expect((await voiding(again.pk)).status).toBe(200)
  })

  test('a payment is voided once, and a void not at all', async () => {
    const { pk } = paymentIn(await store.rent([[copy, 1]]))
    const answers = await Promise.all([voiding(pk), voiding(pk), voiding(pk)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const done = answers.find(({ status }) => status === 200) as Answer
    expect((await voiding(paymentIn(done).pk)).status).toBe(409)
  })

  testAll('a rental whose copy is back, or a return whose copy is out again, cannot be voided', async () => {
    const rented = paymentIn(await store.rent([[copy, 1]]))
    const returned = paymentIn(await store.bringBack([copy]))
    expect((await voiding(rented.pk)).status).toBe(409)
    await store.rent([[copy, 1]], people.simple)
    const before = await store.books()
    expect((await voiding(returned.pk)).status).toBe(409)
    expect(await store.books()).toBe(before)
  })

  test('staff void within the time that is set, administrators at any time', async () => {
    const { pk } = paymentIn(await store.rent([[copy, 1]]))
    store.time.forward(30.5 / (24 * 60))
    expect((await voiding(pk)).status).toBe(409)
    expect((await voiding(pk, 'reviewed', store.admin)).status).toBe(200)
  })

  test.each(everyThird([undefined, '', '   ', 7, 'x'.repeat(501)]))('a void needs a reason: %j', async reason => {
    const { pk } = paymentIn(await store.rent([[copy, 1]]))
    const refused = await store.staff.post(`/api/rest/order/payments/${pk}/void`, { reason })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/reason'])
  })

  test('a late fee is waived, whole or in part, once', async () => {
    await store.rent([[copy, 1]])
    store.time.forward(3)
    const { pk, rental } = paymentIn(await store.bringBack([copy]))
    expect((await waiving(pk, { reason: 'kind', amount: 81 })).status).toBe(409)
    expect((await waiving(pk, { reason: 'kind', amount: 0 })).status).toBe(400)
    const waived = await waiving(pk, { reason: 'kind', amount: 30.5 })
    expect(waived.body.items).toMatchObject([{ kind: 'waiver', amount: -30.5, waives: { pk }, reason: 'kind' }])
    expect(await sumFor(rental.pk)).toBe(89.5)
    expect((await waiving(pk)).status).toBe(409)
    expect((await voiding(pk)).body.totalCost).toBe(-49.5)
    expect(await sumFor(rental.pk)).toBe(40)
  })

  testAll('there is nothing to waive in a rental, nor in a return in time', async () => {
    const rented = paymentIn(await store.rent([[copy, 1]]))
    expect((await waiving(rented.pk)).status).toBe(409)
    expect((await waiving(paymentIn(await store.bringBack([copy])).pk)).status).toBe(409)
  })

  test('copies from the drop box are returned without the customer, and fees are owed', async () => {
    const copies = [copyOf('Matrix 11', 1), copyOf('Spider-Man', 1), copyOf('Out of Africa', 1)]
    await store.rent([[copies[0] ?? '', 1]], people.simple)
    await store.rent([[copies[1] ?? '', 2]], people.client)
    await store.rent([[copies[2] ?? '', 9]], people.client)
    store.time.forward(4)
    const before = [(await clientOf(people.simple)).balance, (await clientOf(people.client)).balance]
    const done = await store.staff.post('/api/rest/order/returns', {
      items: [copies[0], `2000000000046\r\n`, { inventoryId: copies[2] }],
    })
    expect([done.status, done.body.totalCost]).toEqual([200, 180])
    expect(
      done.body.items.map((one: { onAccount: boolean; amount: number }) => [one.amount, one.onAccount]).sort(),
    ).toEqual([
      [0, false],
      [120, true],
      [60, true],
    ])
    expect((await clientOf(people.simple)).balance).toBe((before[0] ?? 0) + 120)
    expect((await clientOf(people.client)).balance).toBe((before[1] ?? 0) + 60)
  })

  test.each(
    everyThird([
      ['an empty box', { items: [] }, 400],
      ['no list', { items: undefined }, 400],
      ['something else', { items: [5] }, 400, '/items/1'],
      ['an unknown copy', { items: ['nothing-like-it'] }, 422, '/items/1'],
      ['an order of an unknown copy', { items: [{ inventoryId: 'nothing' }] }, 422, '/items/1/inventoryId'],
      ['a copy that is not on loan', { items: [copyOf('Spider-Man', 2)] }, 409, '/items/1'],
      ['a copy twice', { items: [copyOf('Spider-Man', 2), copyOf('Spider-Man', 2)] }, 422, '/items/2'],
    ]),
  )('the drop box refuses %s', async (_, body, status, pointer?: string) => {
    await store.rent([[copy, 1]])
    const before = await store.books()
    const items = body.items && body.items.length > 0 ? [copy, ...body.items] : body.items
    const refused = await store.staff.post('/api/rest/order/returns', { items })
    expect(refused.status).toBe(status)
    if (pointer) expect(refused.body.errors).toMatchObject([{ pointer }])
    expect(await store.books()).toBe(before)
  })

  test('a balance is paid off, not overpaid, and a void owes it again', async () => {
    await store.rent([[copy, 1]], people.simple)
    store.time.forward(2)
    await store.staff.post('/api/rest/order/returns', { items: [copy] })
    const { balance } = await clientOf(people.simple)
    expect(balance).toBeGreaterThanOrEqual(40)
    const settling = (amount: unknown) =>
      store.staff.post('/api/rest/order/settlements', { customer: people.simple, amount })
    expect((await settling(balance + 0.01)).status).toBe(409)
    expect((await settling(-1)).status).toBe(400)
    expect((await settling(0.001)).status).toBe(400)
    const paid = await settling(balance)
    expect([paid.status, paid.body.items[0].kind]).toEqual([200, 'settlement'])
    expect((await clientOf(people.simple)).balance).toBe(0)
    expect((await voiding(paymentIn(paid).pk)).status).toBe(200)
    expect((await clientOf(people.simple)).balance).toBe(balance)
  })

  test('a receipt can be had again, as JSON, page and text', async () => {
    const done = await store.rent([
      [copyOf('Matrix 11', 2), 1],
      [copyOf('Spider-Man', 2), 5],
    ])
    const [, second] = done.body.items
    const path = `/api/rest/order/receipts/${second.pk}`
    const json = await store.staff.get(path)
    expect(json.body).toMatchObject({
      number: done.body.items[0].pk,
      currency: 'EUR',
      timeZone: 'UTC',
      customer: 'client',
      staff: 'staff',
      totalCost: 130,
      items: [
        { film: 'Matrix 11', kind: 'rental', amount: 40, days: 1 },
        { film: 'Spider-Man', kind: 'rental', amount: 90, days: 5 },
      ],
    })
    expect(new URL(done.body.receipt).pathname).toBe(`/api/rest/order/receipts/${done.body.items[0].pk}`)
    const text = await store.staff.get(path, { Accept: 'text/plain' })
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text.text).toMatch(/^Total +EUR 130\.00$/m)
    expect(Math.max(...text.text.split('\n').map(line => line.length))).toBeLessThanOrEqual(42)
    const page = await store.staff.get(path, { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('<td>90.00</td>')
    expect((await store.staff.get(path, { Accept: 'application/xml' })).text).toContain('<totalCost>130</totalCost>')
    expect((await store.staff.get(path, { Accept: 'image/png' })).status).toBe(406)
  })

  testAll('a receipt shows the cash and the change again, as it did at the counter', async () => {
    const [line] = [
      await store.staff.get(`/api/rest/order/orders/${copyOf('Out of Africa', 2)}`, { Accept: 'application/json' }),
    ]
    const { inventoryId, rentalId, cost, days } = line.body
    const body = { customer: people.client, items: [{ inventoryId, rentalId, cost, days }] }
    const short = await store.staff.post('/api/rest/order/orders', { ...body, tendered: cost - 1 })
    expect([short.status, short.body.errors[0]]).toMatchObject([422, { pointer: '/tendered', code: 'min' }])
    const done = await store.staff.post('/api/rest/order/orders', { ...body, tendered: 50 })
    expect(done.status).toBe(200)
    const path = new URL(done.body.receipt).pathname
    expect((await store.staff.get(path)).body).toMatchObject({ totalCost: cost, tendered: 50, change: 50 - cost })
    expect((await store.staff.get(path, { Accept: 'text/plain' })).text).toMatch(
      /^Cash received +EUR 50\.00\nChange +EUR 20\.00$/m,
    )
  })

  test.each([
    ['text/plain;q=0.5, text/html', 'text/html; charset=utf-8'],
    ['text/html;q=0, */*', 'application/json'],
    ['text/*', 'text/html; charset=utf-8'],
    ['text/html;q=0.2, application/xml;q=0.1, application/json;q=0.3', 'application/json'],
    ['*/*', 'application/json'],
  ])('of a receipt, %s asks for %s', async (accept, type) => {
    const { pk } = paymentIn(await store.rent([[copy, 1]]))
    const receipt = await store.staff.get(`/api/rest/order/receipts/${pk}`, { Accept: accept })
    expect([receipt.status, receipt.headers.get('content-type')]).toEqual([200, type])
  })

  testAll('a receipt that cannot be had says so in the form that was asked for', async () => {
    const missing = await store.staff.get(`/api/rest/order/receipts/${unknownPk}`, {
      Accept: 'text/html, application/problem+json',
    })
    expect([missing.status, missing.body.code]).toEqual([404, 'not_found'])
  })

  testAll('a receipt fits its printer, whatever stands on it', async () => {
    const { pk } = paymentIn(await store.rent([[copy, 1]]))
    const reason = `Very long: ${'word '.repeat(30)}${'x'.repeat(90)}\nTotal                           EUR 0.00`
    const voided = await store.staff.post(`/api/rest/order/payments/${pk}/void`, { reason })
    const { text } = await store.staff.get(`/api/rest/order/receipts/${paymentIn(voided).pk}`, { Accept: 'text/plain' })
    const lines = text.split('\n')
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(42)
    expect(lines.filter(line => line.startsWith('Total'))).toHaveLength(1)
    expect(text.replace(/\s+/g, '')).toContain(reason.replace(/\s+/g, ''))
  })

  testAll('a receipt of what several people had names each of them, and no one as the payer of all', async () => {
    await store.rent([[copyOf('Matrix 11', 1), 1]], people.simple)
    await store.rent([[copyOf('Spider-Man', 1), 1]], people.client)
    const items = [copyOf('Matrix 11', 1), copyOf('Spider-Man', 1)]
    const { pk } = paymentIn(await store.staff.post('/api/rest/order/returns', { items }))
    const path = `/api/rest/order/receipts/${pk}`
    const { body } = await store.staff.get(path)
    const named = body.items.map((one: { customer: string }) => one.customer).sort()
    expect([body.customer, named]).toEqual([null, ['client', 'simple']])
    const { text } = await store.staff.get(path, { Accept: 'text/plain' })
    expect(text).toMatch(/^ {2}For simple$/m)
    expect(text).not.toMatch(/^Customer/m)
    const own = await store.as('simple').get(path)
    expect([own.body.customer, own.body.items.length]).toEqual(['simple', 1])
  })

  test('nothing in a receipt becomes markup', async () => {
    const film = (await store.staff.get('/api/rest/films?title=Out of Africa')).body.content[0]
    await store.staff.patch(`/api/rest/films/${film.pk}`, { title: '<script>alert("x")</script>&' })
    const { pk } = paymentIn(await store.rent([[copyOf('Out of Africa', 2), 1]]))
    const page = await store.staff.get(`/api/rest/order/receipts/${pk}`, { Accept: 'text/html' })
    expect(page.text).not.toContain('<script')
    expect(page.text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;')
    await store.staff.patch(`/api/rest/films/${film.pk}`, { title: 'Out of Africa' })
  })
})
