// `summed`: the sum of a field of related records, in the units of the field, of what the caller may read.

import { featureDatabases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { many, money, ref, summed, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { deals, shops, trade } from '../query/aggregates-module.ts'

const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let pk: string
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, trade] })
    staff = service.as('staff')
    pk = (await make(staff, 'shops', { name: 'North' })).pk as string
    await make(staff, 'shops', { name: 'Empty' })
    await make(staff, 'deals', { shop: pk, total: 10.25, work: 'PT90M', state: 'paid' })
    await make(staff, 'deals', { shop: pk, total: 0.1, work: 'PT1H', state: 'open' })
    await make(staff, 'deals', { shop: pk, total: 100, secret: true })
    await make(staff, 'deals', { shop: pk, total: null })
  })
  afterAll(() => service.stop())

  test('records show the sum of what the caller may read, in every format', async () => {
    const path = `/api/rest/shops/${pk}`
    expect((await staff.get(path, json)).body).toMatchObject({ revenue: 110.35, worked: 'PT1H30M', dealCount: 4 })
    expect((await service.as('simple').get(path, json)).body).toMatchObject({ revenue: 10.35, dealCount: 3 })
    const api = await staff.get(path, { Accept: 'application/vnd.api+json' })
    expect(api.body.data.attributes).toMatchObject({ revenue: 110.35, worked: 'PT1H30M' })
    expect((await staff.get(path, { Accept: 'application/xml' })).text).toContain('<revenue>110.35</revenue>')
    const csv = await staff.get('/api/rest/shops?fields=name,revenue,worked&sort=name', { Accept: 'text/csv' })
    expect(csv.text).toBe('name,revenue,worked\r\nEmpty,0,PT0S\r\nNorth,110.35,PT1H30M\r\n')
  })

  test('searches compare and sort by it, and aggregates add it up', async () => {
    const found = await staff.get('/api/rest/shops?filter=revenue>0.5&sort=-revenue', json)
    expect(found.body.content.map(({ name }: { name: string }) => name)).toEqual(['North'])
    expect((await service.as('simple').get('/api/rest/shops?filter=revenue>50', json)).body.content).toEqual([])
    const sums = await staff.get('/api/rest/shops/aggregates?sum=revenue&max=revenue', json)
    expect(sums.body.content).toEqual([{ sum: { revenue: 110.35 }, max: { revenue: 110.35 } }])
    const { body: schema } = await staff.get('/api/rest/shops/jsonschema', json)
    expect(schema.properties.revenue).toMatchObject({ type: 'number', multipleOf: 0.01, readOnly: true })
  })

  test('it follows a record that is moved, deleted, restored and deleted for good, also when many do so at once', async () => {
    const [from, to] = [await make(staff, 'shops', { name: 'From' }), await make(staff, 'shops', { name: 'To' })]
    const totals = async () => {
      const shown = await Promise.all([from, to].map(async ({ pk }) => (await staff.get(`/api/rest/shops/${pk}`)).body))
      return shown.map(({ revenue, worked, dealCount }) => [revenue, worked, dealCount])
    }
    const fields = { shop: from.pk, total: 0.7, work: 'PT1H', state: 'paid' }
    const made = await Promise.all(Array.from({ length: 6 }, () => make(staff, 'deals', fields)))
    expect(await totals()).toEqual([
      [4.2, 'PT6H', 6],
      [0, 'PT0S', 0],
    ])
    const [first, second, ...others] = made.map(({ pk }) => `/api/rest/deals/${pk}`)
    const changes = [
      ...others.map(deal => staff.patch(deal, { shop: { pk: to.pk } })),
      ...others.map(deal => staff.patch(deal, { total: 1.1 })),
      staff.delete(first ?? ''),
      staff.delete(second ?? ''),
    ]
    expect((await Promise.all(changes)).every(({ status }) => status < 300)).toBe(true)
    expect(await totals()).toEqual([
      [0, 'PT0S', 0],
      [4.4, 'PT4H', 4],
    ])
    expect((await staff.post(`${first}/restore`, {})).status).toBe(200)
    expect(await totals()).toEqual([
      [0.7, 'PT1H', 1],
      [4.4, 'PT4H', 4],
    ])
  })

  test('it is right while others write', async () => {
    const shop = (await make(staff, 'shops', { name: 'Busy' })).pk as string
    const { records } = service.app.platform
    await Promise.all(Array.from({ length: 20 }, (_, at) => records.create(deals, { shop, total: at + 1 })))
    const busy = await records.get(shops, shop)
    expectTypeOf(busy.revenue).toEqualTypeOf<number>()
    expect(busy.revenue).toBe(210)
  })
})

test('a sum of what is not a number, or is hidden from some callers, stops the start', async () => {
  const lines = defineResource('lines', {
    about: 'Lines.',
    fields: { bill: ref('bills'), note: text(), cost: money({ readable: "caller.has('ROLE_STAFF')" }) },
    access: { read: 'true' },
  })
  const bills = defineResource('bills', {
    about: 'Bills.',
    fields: {
      lines: many('lines', { by: 'bill' }),
      notes: summed('lines', 'note'),
      costs: summed('lines', 'cost'),
      gone: summed('lines', 'amount'),
    },
    access: { read: 'true' },
  })
  const billing = defineModule({ name: 'billing', about: 'Bills.', resources: [lines, bills] })
  const failure = await startService('sqlite', { modules: [...modules, billing] }).catch((error: unknown) =>
    String(error),
  )
  expect(failure).toContain("sum in notes of 'note', which must be a number, an amount or a duration")
  expect(failure).toContain(
    "sum in costs of 'cost', which only some callers may read: give costs a rule 'readable', too",
  )
  expect(failure).toContain("sum in gone of 'amount', which is not a field of lines")
})
