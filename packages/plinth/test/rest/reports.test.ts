// Reports that modules declare: an address of their own, in every format and as files, with what the caller may read.

import { featureDatabases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineModule } from '../../src/core/module.ts'
import { defineReport } from '../../src/core/rest/report.ts'
import { deals, trade } from '../query/aggregates-module.ts'

const revenue = defineReport(deals, {
  name: 'revenue-by-month',
  title: { en: 'Revenue by month', de: 'Umsatz nach Monaten' },
  chart: 'bar',
  group: ['shop.name', 'at:month'],
  count: true,
  sum: ['total'],
  avg: ['total'],
  where: { state: 'paid' },
  having: { sum: { total: { gt: 100 } } },
  sort: ['-at:month', '-sum.total'],
  timeZone: 'Europe/Berlin',
})

const margins = defineReport(deals, { name: 'margins', title: 'Margins', sum: ['margin'] })
const forStaff = defineReport(deals, { name: 'staff', title: 'Staff', count: true, access: "caller.has('ROLE_STAFF')" })

const path = '/api/reports/revenue-by-month'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let simple: Client
  beforeAll(async () => {
    const reporting = defineModule({
      name: 'reporting',
      about: 'Reports.',
      resources: [],
      reports: [revenue, margins, forStaff],
    })
    service = await startService(database, { modules: [...modules, trade, reporting] })
    staff = service.as('staff')
    simple = service.as('simple')
    const shop = await make(staff, 'shops', { name: 'North' })
    const add = (fields: object) => make(staff, 'deals', { shop: shop.pk, state: 'paid', ...fields })
    await add({ total: 10.5, at: '2026-03-31T22:30:00Z', margin: 1 })
    await add({ total: 2, at: '2026-04-30T12:00:00Z', secret: true })
    await add({ total: 0.5, at: '2026-02-01T12:00:00Z' })
    await add({ total: 7, at: '2026-01-01T12:00:00Z', state: 'open' })
  })
  afterAll(() => service.stop())

  test('a report has its groups in its order, of the records that the caller may read', async () => {
    expect((await staff.get(path)).body).toMatchObject({
      content: [
        {
          group: { 'shop.name': 'North', 'at:month': '2026-04-01' },
          count: 2,
          sum: { total: 12.5 },
          avg: { total: 6.25 },
        },
      ],
      page: { totalElements: 1 },
    })
    expect((await simple.get(path)).body.content).toEqual([
      {
        group: { 'shop.name': 'North', 'at:month': '2026-04-01' },
        count: 1,
        sum: { total: 10.5 },
        avg: { total: 10.5 },
      },
    ])
    const utc = await staff.get(`${path}?timezone=UTC&filter=total>5`)
    expect(utc.body.content).toMatchObject([{ group: { 'at:month': '2026-03-01' }, sum: { total: 10.5 } }])
  })

  test('it is a file by Accept and by address, and a document in every format', async () => {
    const csv = await staff.get(path, { Accept: 'text/csv' })
    expect(csv.text).toBe('shop.name,at:month,count,sum.total,avg.total\r\nNorth,2026-04-01,2,12.5,6.25\r\n')
    const xlsx = await staff.get(`${path}?_export=xlsx`)
    expect(xlsx.headers.get('content-disposition')).toBe('attachment; filename="revenue-by-month.xlsx"')
    const api = await staff.get(path, { Accept: 'application/vnd.api+json' })
    expect(api.body.data).toMatchObject([{ type: 'aggregates', id: '["North","2026-04-01"]' }])
    expect((await staff.get(path, { Accept: 'application/xml' })).text).toContain('<avg><total>6.25</total></avg>')
  })

  test('a report is refused where a rule or a hidden field forbids it', async () => {
    expect((await staff.get('/api/reports/margins')).body.content).toEqual([{ sum: { margin: 1 } }])
    expect((await simple.get('/api/reports/margins')).status).toBe(403)
    expect((await simple.get('/api/reports/staff')).status).toBe(403)
    expect((await service.as('anonymous').get('/api/reports/staff')).status).toBe(401)
    expect((await staff.get('/api/reports/staff')).body.content).toEqual([{ count: 4 }])
    const refused = await staff.get(`${path}?group=state`)
    expect([refused.status, refused.body.errors[0]]).toMatchObject([400, { code: 'not_of_groups', parameter: 'group' }])
  })

  test('each caller gets a list of the reports that they may see, with the names and kinds of their columns', async () => {
    const { status, body, headers } = await staff.get('/api/reports', { 'Accept-Language': 'de' })
    expect([status, headers.get('content-language')]).toEqual([200, 'de'])
    expect(body.reports.map(({ name }: { name: string }) => name)).toEqual(['revenue-by-month', 'margins', 'staff'])
    expect(body.reports[0]).toMatchObject({
      ...{ title: 'Umsatz nach Monaten', resource: 'deals', chart: 'bar', card: false },
      columns: [
        { name: 'shop.name', place: ['group', 'shop.name'], label: 'Shop', field: { widget: 'text' } },
        { name: 'at:month', place: ['group', 'at:month'], label: 'At', period: 'month', field: { widget: 'date' } },
        { name: 'count', place: ['count'], function: 'count', field: { widget: 'number' } },
        { name: 'sum.total', place: ['sum', 'total'], label: 'Total', function: 'sum', field: { widget: 'money' } },
        { name: 'avg.total', place: ['avg', 'total'], label: 'Total', function: 'avg', field: { widget: 'money' } },
      ],
    })
    const seen = async (client: Client): Promise<readonly string[]> =>
      (await client.get('/api/reports')).body.reports.map(({ name }: { name: string }) => name)
    expect(await seen(simple)).toEqual(['revenue-by-month'])
    expect(await seen(service.as('anonymous'))).toEqual(['revenue-by-month'])
  })

  test('the API description has it', async () => {
    const { paths } = (await staff.get('/api/openapi.json')).body
    expect(paths[path].get).toMatchObject({ operationId: 'reportRevenueByMonth', summary: 'Revenue by month' })
  })

  test('a report that names what does not exist stops the start', async () => {
    const wrong = defineReport(deals, { name: 'wrong', title: 'Wrong', group: ['at:mont' as 'at:month'], count: true })
    const reporting = defineModule({ name: 'reporting', about: 'Reports.', resources: [], reports: [wrong] })
    await expect(startService(database, { modules: [...modules, trade, reporting] })).rejects.toThrow(
      "report 'wrong': deals: there is no period 'mont'; did you mean 'month'?",
    )
  })
})
