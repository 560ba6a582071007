// Aggregates over HTTP: formats, pages, files, permissions, refusals and costs.

import { databases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trade } from './aggregates-module.ts'

const path = '/api/rest/deals/aggregates'

describe.each(databases)('on %s', database => {
  let service: TestService
  let staff: Client
  let simple: Client
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, trade] })
    staff = service.as('staff')
    simple = service.as('simple')
    const open = await make(staff, 'shops', { name: 'Open', open: true })
    const closed = await make(staff, 'shops', { name: 'Closed', open: false })
    const add = (fields: object) => make(staff, 'deals', { ...fields })
    // The night in which clocks in Berlin are set back: two o'clock comes twice.
    await add({ state: 'paid', total: 0.1, shop: open.pk, at: '2025-10-26T00:30:00Z', margin: 1 })
    await add({ state: 'paid', total: 0.2, shop: closed.pk, at: '2025-10-26T01:30:00Z' })
    await add({ state: 'open', total: 100.25, shop: open.pk, at: '2025-12-31T23:30:00Z', work: 'PT90M' })
    await add({ state: null, at: null })
    await add({ state: 'open', total: 7, secret: true })
    for (const [team, amount] of Object.entries({ a: [1, 2, 3], b: [1000] }).flatMap(([name, all]) =>
      all.map(one => [name, one] as const),
    ))
      await make(staff, 'salaries', { team, amount, bonus: amount === 2 ? 500 : null })
  })
  afterAll(() => service.stop())

  test('sums are exact, absent values are a group, and the page has links', async () => {
    const answer = await staff.get(`${path}?group=state&count&sum=total&avg=total&_ps=2`)
    expect(answer.body).toEqual({
      content: [
        { group: { state: null }, count: 1, sum: { total: null }, avg: { total: null } },
        { group: { state: 'open' }, count: 2, sum: { total: 107.25 }, avg: { total: 53.625 } },
      ],
      page: { size: 2, totalElements: 3, totalPages: 2, number: 0 },
      links: ['self', 'first', 'next', 'last'].map(rel => ({ rel, href: expect.stringContaining(path) })),
    })
    const next = await staff.get(answer.body.links[2].href.slice(service.url.length))
    expect(next.body.content).toEqual([
      { group: { state: 'paid' }, count: 2, sum: { total: 0.3 }, avg: { total: 0.15 } },
    ])
    expect([next.headers.get('x-total-count'), (await staff.get(`${path}?group=state&_pn=7`)).body.content]).toEqual([
      '3',
      [],
    ])
  })

  test('without groups all records are one, even where there are none', async () => {
    const { body } = await staff.get(`${path}?count&max=at&sum=work&filter=state==void`)
    expect(body.content).toEqual([{ count: 0, max: { at: null }, sum: { work: null } }])
    const all = await staff.get(`${path}?count&max=at&sum=work`)
    expect(all.body.content).toEqual([{ count: 5, max: { at: '2025-12-31T23:30:00.000Z' }, sum: { work: 'PT1H30M' } }])
  })

  test('medians and percentiles lie between values, and are conditions and sort keys too', async () => {
    const answer = await staff.get(
      `${path}?group=state&median=total,work&p90=total&having=p90.total>0.15&sort=-median.total`,
    )
    expect(answer.body.content).toEqual([
      { group: { state: 'open' }, median: { total: 53.625, work: 'PT1H30M' }, p90: { total: 90.925 } },
      { group: { state: 'paid' }, median: { total: 0.15, work: null }, p90: { total: expect.closeTo(0.19, 12) } },
    ])
  })

  test('periods follow the time zone, also where clocks are changed', async () => {
    const periods = async (group: string, timezone: string) =>
      (await staff.get(`${path}?group=${group}&count&timezone=${timezone}&filter=at=isnull=false`)).body.content.map(
        (row: { group: Record<string, string>; count: number }) => [row.group[group], row.count],
      )
    expect(await periods('at:year', 'UTC')).toEqual([['2025-01-01', 3]])
    expect(await periods('at:year', 'Europe/Berlin')).toEqual([
      ['2025-01-01', 2],
      ['2026-01-01', 1],
    ])
    expect((await periods('at:hour', 'Europe/Berlin')).slice(0, 2)).toEqual([
      ['2025-10-26T00:00:00.000Z', 1],
      ['2025-10-26T01:00:00.000Z', 1],
    ])
    expect(await periods('at:day', 'America/New_York')).toEqual([
      ['2025-10-25', 2],
      ['2025-12-31', 1],
    ])
    expect(await periods('at:week', 'Europe/Berlin')).toEqual([
      ['2025-10-20', 2],
      ['2025-12-29', 1],
    ])
  })

  test('callers see groups of what they may read, and nothing of hidden records and fields', async () => {
    const names = async (client: Client) => (await client.get(`${path}?group=shop.name&count&sum=total`)).body.content
    expect(await names(simple)).toEqual([
      { group: { 'shop.name': null }, count: 2, sum: { total: 0.2 } },
      { group: { 'shop.name': 'Open' }, count: 2, sum: { total: 100.35 } },
    ])
    expect(await names(staff)).toContainEqual({ group: { 'shop.name': 'Closed' }, count: 1, sum: { total: 0.2 } })
    for (const query of ['group=margin', 'sum=margin', 'count&having=sum.margin>1', 'group=state&sort=max.margin']) {
      const hidden = await simple.get(`${path}?${query}`)
      const missing = await simple.get(`${path}?${query.replace('margin', 'margen')}`)
      expect([hidden.status, hidden.text.replaceAll('margin', 'margen')]).toEqual([400, missing.text])
      expect((await staff.get(`${path}?${query}`)).status).toBe(200)
    }
    expect((await service.as('anonymous').get('/api/rest/salaries/aggregates?count')).status).toBe(401)
  })

  test('groups of few records are left out where the resource says so', async () => {
    const salaries = (query: string) => staff.get(`/api/rest/salaries/aggregates?${query}`)
    expect((await salaries('group=team&sum=amount')).body.content).toEqual([
      { group: { team: 'a' }, sum: { amount: 6 } },
    ])
    expect((await salaries('sum=amount&filter=team==b')).body).toMatchObject({
      content: [],
      page: { totalElements: 0 },
    })
  })

  test('nothing is computed of fewer values than the smallest group has records', async () => {
    const bonuses = await staff.get(
      '/api/rest/salaries/aggregates?group=team&count&sum=bonus&avg=bonus&min=bonus&max=bonus&median=bonus&distinct=bonus',
    )
    const [a] = bonuses.body.content
    expect(a).toEqual({
      group: { team: 'a' },
      count: 3,
      ...Object.fromEntries(['sum', 'avg', 'min', 'max', 'median'].map(kind => [kind, { bonus: null }])),
      distinct: { bonus: 1 },
    })
    // Neither does a condition or an order tell what it is.
    const [asked] = (await staff.get('/api/rest/salaries/aggregates?group=team&having=sum.bonus>0&sort=max.bonus')).body
      .content
    expect(asked).toBeUndefined()
  })

  test('each format and each kind of file has the groups', async () => {
    const query = 'group=state,at:month&count&sum=total&filter=state==paid'
    const hal = await staff.get(`${path}?${query}`, { Accept: 'application/hal+json' })
    const members = { group: { state: 'paid', 'at:month': '2025-10-01' }, count: 2, sum: { total: 0.3 } }
    expect(hal.body).toMatchObject({ _embedded: { aggregates: [members] }, _links: { self: {} } })
    const api = await staff.get(`${path}?${query}`, { Accept: 'application/vnd.api+json' })
    expect(api.body.data).toEqual([{ type: 'aggregates', id: '["paid","2025-10-01"]', attributes: members }])
    const xml = await staff.get(`${path}?${query}`, { Accept: 'application/xml' })
    expect(xml.text).toContain('<count>2</count><sum><total>0.3</total></sum></aggregate></content>')
    const csv = await staff.get(`${path}?${query}`, { Accept: 'text/csv' })
    expect(csv.text).toBe('state,at:month,count,sum.total\r\npaid,2025-10-01,2,0.3\r\n')
    const xlsx = await staff.get(`${path}?${query}&_export=xlsx`)
    expect([xlsx.status, xlsx.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="deals-aggregates.xlsx"',
    ])
    const etag = hal.headers.get('etag') ?? ''
    const again = await staff.get(`${path}?${query}`, { Accept: 'application/hal+json', 'If-None-Match': etag })
    expect(again.status).toBe(304)
  })

  test.each([
    ['', 'nothing_to_compute', 'group'],
    ['group=stat', 'unknown_member', 'group'],
    ['group=tags', 'ungroupable', 'group'],
    ['group=state:month', 'ungroupable', 'group'],
    ['group=day:hour', 'ungroupable', 'group'],
    ['group=at:mont', 'bad_value', 'group'],
    ['sum=note', 'unfit_measure', 'sum'],
    ['min=urgent', 'unfit_measure', 'min'],
    ['sum=tags.name', 'unfit_measure', 'sum'],
    ['summ=total&count', 'unknown_member', 'summ'],
    ['count=7', 'bad_value', 'count'],
    ['count&count', 'repeated', 'count'],
    ['count&having=total>1', 'unknown_measure', 'having'],
    ['count&having=count', 'syntax', 'having'],
    ['count&having=count=like=1', 'bad_operator', 'having'],
    ['count&having=sum.total>x', 'bad_value', 'having'],
    ['count&having=avg.total>1e9', 'bad_value', 'having'],
    ['group=state&sort=day', 'unknown_measure', 'sort'],
    ["count&timezone=Europe/Berlin'--", 'bad_value', 'timezone'],
    ['count&timezone=%2B01:00', 'bad_value', 'timezone'],
    ['count&include=shop', 'not_of_groups', 'include'],
    ['count&trash=only', 'not_of_groups', 'trash'],
    ['count&_after=x', 'not_of_groups', '_after'],
    ['count&_ps=0', 'bad_value', '_ps'],
    ['count&filter=nope==1', 'unknown_member', 'filter'],
  ])('?%s is refused with %s', async (query, code, parameter) => {
    const refused = await staff.get(`${path}?${query}`)
    expect([refused.status, refused.body.errors?.[0]]).toEqual([400, expect.objectContaining({ code, parameter })])
  })

  test('a sum that is too large for an exact number is refused', async () => {
    const large = Array.from({ length: 3 }, () => make(staff, 'deals', { note: 'large', total: 89_999_999_999_999.5 }))
    const made = await Promise.all(large)
    const refused = await staff.get(`${path}?sum=total&filter=note==large`)
    expect([refused.status, refused.body.code]).toEqual([422, 'unprocessable'])
    for (const { pk } of made) await staff.delete(`/api/rest/deals/${pk}`)
  })

  test('administrators see the price and the statement, and a costly request is refused', async () => {
    const explained = await service.as('admin').get(`${path}?group=state&sum=total&explain=cost`)
    expect(explained.body.parts.map(({ part }: { part: string }) => part)).toEqual(
      expect.arrayContaining(['scan', 'group', 'groups', 'compute', 'records']),
    )
    expect(explained.body.statements[0]).toMatchObject({ purpose: 'groups', plan: expect.any(Array) })
    expect((await staff.get(`${path}?count&explain=cost`)).status).toBe(403)
  })

  test('the API description has the operation', async () => {
    const { body } = await staff.get('/api/openapi.json')
    expect(body.paths['/api/rest/deals/aggregates'].get).toMatchObject({ operationId: 'aggregateDeals' })
    expect(body.components.responses.Aggregates.content).toHaveProperty(['application/json', 'schema'])
  })
})
