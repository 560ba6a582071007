// Records that the code of modules writes have their computed fields, defaults and dates, as those of callers have.

import { featureDatabases } from '@plinth/test-kit/databases'
import { copyOf, people } from '@plinth/test-kit/rental-store'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { picture, upload } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../../src/core/model/query.ts'
import { type StoredRecord, sameValue } from '../../src/core/model/record.ts'
import type { Resource, ResourceField } from '../../src/core/model/resource.ts'
import { storedValue } from '../../src/core/model/resource.ts'
import type { Parsed } from '../../src/testing/client.ts'

const json = { Accept: 'application/json' }

/** Each look at the clock is later than the one before. */
const tickingClock = () => {
  let time = Date.parse('2024-05-17T10:00:00.000Z')
  return () => new Date(time++)
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  let staff: Client
  beforeAll(async () => {
    service = await startService(database, { clock: tickingClock() })
    admin = service.as('admin')
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const read = async (path: string): Promise<Parsed> => (await admin.get(path, json)).body

  const make = async (client: Client, resource: string, fields: object): Promise<Parsed> => {
    const made = await client.post(`/api/rest/${resource}`, fields, json)
    expect(made).toHaveStatus(201)
    return made.body
  }

  /** Does the work, and expects the record to tell who did it and when. */
  const mustTouch = async (path: string, by: string, work: () => Promise<{ readonly status: number }>) => {
    const before = await read(path)
    const { status } = await work()
    expect([200, 201, 204]).toContain(status)
    const after = await read(path)
    expect(after.version).toBeGreaterThan(before.version)
    expect(after.lastModifiedDate > before.lastModifiedDate).toBe(true)
    expect(after.lastModifiedBy).toMatchObject({ pk: by })
    expect(after).toMatchObject({ createdDate: before.createdDate, createdBy: before.createdBy })
    return after
  }

  test('records below one that is renamed tell that they have changed', async () => {
    const top = await make(staff, 'filmCategories', { name: 'Top' })
    const middle = await make(staff, 'filmCategories', { name: 'Middle', parent: top.pk })
    const bottom = await make(staff, 'filmCategories', { name: 'Bottom', parent: middle.pk })
    const after = await mustTouch(`/api/rest/filmCategories/${bottom.pk}`, people.admin, () =>
      admin.patch(`/api/rest/filmCategories/${top.pk}`, { name: 'Above' }),
    )
    expect(after.path).toBe('Above: Middle: Bottom')
  })

  describe('a copy tells that it has changed', () => {
    const copy = copyOf('Matrix 11')
    const path = `/api/rest/filmInventoryEntries/${copy}`
    const rent = (client: Client) => client.post('/api/rest/rentals', { customer: people.client, inventory: copy })
    const currentRental = async (): Promise<string> => `/api/rest/rentals/${(await read(path)).currentRental.pk}`

    test('when a rental of it is created, returned and deleted', async () => {
      const out = await mustTouch(path, people.staff, () => rent(staff))
      expect(out.available).toBe(false)
      const rental = await currentRental()
      const returnDate = '2024-05-17T12:00:00.000Z'
      const back = await mustTouch(path, people.admin, () => admin.patch(rental, { returnDate }))
      expect(back).toMatchObject({ available: true, currentRental: null })
      await rent(staff)
      const second = await currentRental()
      const free = await mustTouch(path, people.admin, () => admin.delete(second))
      expect(free).toMatchObject({ available: true, currentRental: null })
    })

    test('when its rental is voided at the counter', async () => {
      const { body: quote } = await staff.get(`/api/rest/order/orders/${copy}?days=1`)
      const rented = await staff.post('/api/rest/order/orders', { items: [quote], customer: people.client })
      const [payment] = rented.body.items
      const free = await mustTouch(path, people.admin, () =>
        admin.post(`/api/rest/order/payments/${payment.pk}/void`, { reason: 'wrong film' }),
      )
      expect(free).toMatchObject({ available: true, currentRental: null })
    })
  })

  test('a report names the user who added a screenshot', async () => {
    const error = await make(service.as('client'), 'clientErrors', { message: 'It broke.' })
    const path = `/api/rest/clientErrors/${error.pk}`
    const screenshotUrl = await picture(8, 8)
    await mustTouch(path, people.admin, () => upload(service, { as: 'admin', to: `${path}/files` }, { screenshotUrl }))
  })

  test('a mail that was sent tells when it changed last', async () => {
    await service.as('client').post('/api/rest/invitations', { recipients: [{ email: 'ada@example.org' }] })
    const mail = async () => (await read('/api/rest/mails?recipient=ada@example.org')).content[0]
    await expect.poll(async () => (await mail())?.state, { timeout: 20_000 }).toBe('sent')
    const { createdDate, sentDate, lastModifiedDate } = await mail()
    expect(sentDate > createdDate).toBe(true)
    expect(lastModifiedDate >= sentDate).toBe(true)
  })

  test('every record of the service has its computed fields, defaults and dates', async () => {
    const { registry, store } = service.app.platform
    const wrong: string[] = []
    for (const resource of registry.resources)
      for await (const batch of store.stream(resource, everything(resource, { op: 'const', value: true })))
        for (const record of batch) wrong.push(...faultsOf(resource, record))
    expect(wrong).toEqual([])
  })
})

const faultsOf = (resource: Resource, record: StoredRecord): string[] => {
  const fields = [...resource.fields.values()].filter(({ name }) => name in record)
  const values = Object.fromEntries(fields.map(field => [field.name, storedValue(field, record)]))
  return fields.filter(field => !isRight(field, values)).map(({ name }) => `${resource.name}/${record.pk} ${name}`)
}

const isRight = ({ name, definition }: ResourceField, values: Readonly<Record<string, unknown>>): boolean => {
  const value = values[name]
  if (definition.role !== 'value') return true
  if (definition.compute) return sameValue(value ?? null, definition.compute(values) ?? null)
  return definition.options.default === undefined || value !== null
}
