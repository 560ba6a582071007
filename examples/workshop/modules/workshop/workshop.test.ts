import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import app from '../../plinth.config.ts'
import { customers } from './customers.ts'
import { parts } from './parts.ts'
import { staff as people, shops } from './shops.ts'

/** A picture of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const json = { Accept: 'application/json' }

let service: TestService
beforeAll(async () => {
  service = await startPlinth({ app, now: '2030-05-01T12:00:00Z' })
})
afterAll(() => service.stop())

const shopCalled = async (name: string): Promise<string> => {
  const shop = await service.records.first(shops, { where: { name } })
  if (!shop) throw new Error('the seed has not run')
  return shop.pk
}

type Clerk = ReturnType<TestService['as']>

/** A record made through HTTP, as the clerk. */
const make = async (clerk: Clerk, resource: string, values: object) => {
  const made = await clerk.post(`/api/rest/${resource}`, values, json)
  expect([made.status, made.body]).toEqual([201, made.body])
  return made.body
}

const newTicket = async (clerk: Clerk, shop: string) => {
  const owner = await make(clerk, 'customers', { shop, name: 'Ada Byron', email: 'ada@example.org' })
  const device = await make(clerk, 'devices', { shop, owner: owner.pk, name: 'Difference engine', kind: 'other' })
  return make(clerk, 'tickets', { shop, device: device.pk, damage: 'It is not finished.', broughtOn: '2030-05-01' })
}

const step = (clerk: Clerk, pk: string, state: string) => clerk.patch(`/api/rest/tickets/${pk}`, { state }, json)

describe('a shop', () => {
  test('sees its own records and people, and nothing of another shop', async () => {
    const [harbour, oldTown] = [await shopCalled('Harbour'), await shopCalled('Old Town')]
    const other = await service.records.create(customers, { shop: oldTown, name: 'Someone else' })
    const staff = service.as('staff')
    const { body } = await staff.get('/api/rest/customers', json)
    expect(body.content.map(({ shop }: { shop: { pk: string } }) => shop.pk)).not.toContain(oldTown)
    expect((await staff.get(`/api/rest/customers/${other.pk}`, json)).status).toBe(404)
    expect((await staff.post('/api/rest/customers', { shop: oldTown, name: 'A trespasser' }, json)).status).toBe(403)
    expect((await staff.post('/api/rest/customers', { shop: harbour, name: 'A neighbour' }, json)).status).toBe(201)
    const people = await staff.get('/api/rest/users', json)
    expect(people.body.content.map(({ username }: { username: string }) => username)).toEqual(['staff'])
  })
})

describe('a ticket', () => {
  test('is numbered by its shop, and goes from state to state', async () => {
    const staff = service.as('staff')
    const shop = await shopCalled('Harbour')
    const [first, second] = [await newTicket(staff, shop), await newTicket(staff, shop)]
    expect(Number(second.number.slice(-4))).toBe(Number(first.number.slice(-4)) + 1)
    expect((await step(staff, first.pk, 'ready')).body).toMatchObject({ errors: [{ code: 'next_state' }] })
    expect((await step(staff, first.pk, 'repairing')).status).toBe(200)
    expect((await step(staff, first.pk, 'ready')).status).toBe(200)
  })

  test('is not promised for a day before it came', async () => {
    const staff = service.as('staff')
    const ticket = await newTicket(staff, await shopCalled('Harbour'))
    const refused = await staff.patch(`/api/rest/tickets/${ticket.pk}`, { promisedFor: '2030-04-30' }, json)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: 'check' }] } })
  })

  test('has photos, which its shop alone sees', async () => {
    const staff = service.as('staff')
    const ticket = await newTicket(staff, await shopCalled('Harbour'))
    const form = new FormData()
    form.append('photos', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), 'chain.png')
    const upload = new Response(form)
    const uploaded = await staff.post('/api/rest/tickets/files', new Uint8Array(await upload.arrayBuffer()), {
      ...json,
      'Content-Type': upload.headers.get('Content-Type') ?? '',
    })
    expect(uploaded.status).toBe(201)
    const changed = await staff.patch(`/api/rest/tickets/${ticket.pk}`, uploaded.body, json)
    expect(changed.body.photos).toMatchObject([{ name: 'chain.png', mediaType: 'image/png' }])
    const [photo] = changed.body.photos
    expect((await staff.get(photo.url)).status).toBe(200)
    const neighbour = service.as('neighbour')
    expect((await neighbour.get(photo.url)).status).toBe(403)
    const shop = await shopCalled('Old Town')
    await service.records.updateMany(people, { where: { username: 'neighbour' } }, { shop })
    expect((await neighbour.get(photo.url)).status).toBe(404)
  })

  test('is collected once: the invoice adds up, and is mailed', async () => {
    const staff = service.as('staff')
    const shop = await shopCalled('Harbour')
    const ticket = await newTicket(staff, shop)
    const chain = await service.records.first(parts, { where: { name: 'Chain' } })
    await make(staff, 'partUses', { shop, ticket: ticket.pk, part: chain?.pk, count: 2 })
    await step(staff, ticket.pk, 'repairing')
    await staff.patch(`/api/rest/tickets/${ticket.pk}`, { work: 'PT1H30M' }, json)
    const path = `/api/rest/tickets/${ticket.pk}/collect`
    const collect = () => staff.post(path, { paidBy: 'cash' }, json)
    expect((await collect()).status).toBe(409)
    await step(staff, ticket.pk, 'ready')
    const answers = await Promise.all([collect(), collect()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)])
    // 2 × 24.50 and 1.5 hours at 60.00, with 19 per cent.
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ net: 139, tax: 26.41, total: 165.41 })
    await service.idle()
    const mail = service.mails().find(({ recipient }) => recipient === 'ada@example.org')
    expect(mail?.text).toContain('was 165.41.')
    const report = await staff.get('/api/reports/monthly-revenue', json)
    expect(report.body.content).toMatchObject([{ count: 1, sum: { net: 139, tax: 26.41, total: 165.41 } }])
  })
})

test('20 clerks who use the same part at once take no more than there are', async () => {
  const staff = service.as('staff')
  const shop = await shopCalled('Harbour')
  const ticket = await newTicket(staff, shop)
  const part = await service.records.create(parts, { shop, name: 'Screw', price: 5, stock: 3 })
  const use = () => staff.post('/api/rest/partUses', { shop, ticket: ticket.pk, part: part.pk, count: 1 }, json)
  const statuses = (await Promise.all(Array.from({ length: 20 }, use))).map(({ status }) => status)
  expect(statuses.filter(status => status === 201)).toHaveLength(3)
  expect(statuses.filter(status => status === 409)).toHaveLength(17)
  expect((await service.records.get(parts, part.pk)).stock).toBe(0)
})

test('on the first of the month, a shop gets its revenue of the last one, with the numbers as a file', async () => {
  const harbour = await shopCalled('Harbour')
  await service.records.update(shops, harbour, { email: 'harbour@example.org' })
  service.clock.set('2030-06-01T05:00:00Z')
  const run = '/api/management/jobs/mail-revenue/run'
  await expect.poll(async () => (await service.as('admin').post(run, undefined)).status).toBe(202)
  const sent = () => service.mails().filter(({ recipient }) => recipient === 'harbour@example.org')
  await expect.poll(() => sent().length).toBe(1)
  expect(sent()[0]?.subject).toBe('Revenue of 2030-05')
  expect(sent()[0]?.text).toContain('1 invoices of 165.41 together')
})
