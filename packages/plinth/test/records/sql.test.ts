// records.sql: statements of the application, for code without permissions.

import { featureDatabases, featureTest, type TestedDatabase } from '@plinth/test-kit/databases'
import { fresh, make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { boolean, date, integer, json, money, ref, text, timestamp } from '../../src/core/model/fields.ts'
import { number } from '../../src/core/model/shape.ts'
import { sql } from '../../src/core/model/sql.ts'
import { defineModule } from '../../src/core/module.ts'
import { defineEndpoint } from '../../src/core/rest/endpoint.ts'

const sites = defineResource('sites', {
  about: 'Building sites.',
  label: 'name',
  fields: { name: text({ required: true, max: 100 }) },
  access: { read: 'true', write: 'caller.signedIn' },
})

const bills = defineResource('bills', {
  about: 'Bills.',
  label: 'what',
  fields: {
    what: text({ required: true, max: 200 }),
    site: ref(sites, { required: true }),
    total: money({ required: true }),
    day: date(),
    paid: boolean({ default: false }),
    seen: timestamp(),
    order: integer(),
    notes: json(),
  },
  access: { read: 'true', write: 'caller.signedIn' },
  hooks: {
    beforeCreate: async ({ values, records }) => {
      if (values.what === 'sql in a hook') await records.asService.sql({ n: integer() })`SELECT 1 AS "n"`
    },
  },
})

const totals = defineEndpoint({
  method: 'GET',
  path: '/api/rest/billTotals',
  id: 'getBillTotals',
  summary: 'Sum up bills',
  access: 'caller.signedIn',
  query: { plain: boolean({ default: false }), slow: boolean({ default: false }) },
  answers: { 204: 'Nothing.' },
  run: async ({ records, query }) => {
    if (query.plain) await records.sql({ n: integer() })`SELECT count(*) AS "n" FROM ${sql.table(bills)}`
    if (query.slow)
      await records.asService.sql({ n: integer() })`
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000000000)
        SELECT count(*) AS "n" FROM numbers`
  },
})

const building = defineModule({ name: 'building', about: 'x', resources: [sites, bills], endpoints: [totals] })

describe.each(featureDatabases(import.meta.url))('on %s', (database: TestedDatabase) => {
  let service: TestService
  let [first, second]: string[] = []
  const { table, column } = sql
  beforeAll(async () => {
    service = await startService(database, {
      modules: [...modules, building],
      settings: { 'app.api.queryTimeout': '30' },
    })
    const staff = service.as('staff')
    first = (await make(staff, 'sites', { name: "O'Hara" })).pk as string
    second = (await make(staff, 'sites', { name: 'Bridge' })).pk as string
    const bill = { site: first, total: 10.5, day: '2030-01-05', seen: '2030-01-05T10:00:00Z', notes: { a: [1] } }
    await make(staff, 'bills', { what: 'a', paid: true, order: 1, ...bill })
    await make(staff, 'bills', { what: 'b', site: first, total: 2.25, day: '2030-02-01' })
    await make(staff, 'bills', { what: 'c', site: second, total: 100, day: '2030-02-01' })
  })
  afterAll(() => service.stop())

  test('rows come in the stored form of the columns, from names of the model and parameters', async () => {
    const { records } = service.app.platform
    const name = sql`s.${column(sites, 'name')}`
    const rows = await records.sql({
      name: text({ required: true }),
      total: money({ required: true }),
      count: integer({ required: true }),
      mean: number(),
      last: date(),
    })`
      SELECT ${name} AS "name", sum(b.${column(bills, 'total')}) AS "total", count(*) AS "count",
        avg(b.${column(bills, 'total')}) AS "mean", max(b.${column(bills, 'day')}) AS "last"
      FROM ${table(bills)} AS b JOIN ${table(sites)} AS s ON s."pk" = b.${column(bills, 'site')}
      WHERE b.${column(bills, 'total')} >= ${100} AND ${name} IN ${["O'Hara", 'Bridge', '"; DROP TABLE bills; --']}
      GROUP BY s."pk", ${name} ORDER BY ${name} -- the end
    `
    const sum: number | undefined = rows[0]?.total
    expect(sum).toBe(10_000)
    expect(rows).toEqual([
      { name: 'Bridge', total: 10_000, count: 1, mean: 10_000, last: '2030-02-01' },
      { name: "O'Hara", total: 1275, count: 2, mean: 637.5, last: '2030-02-01' },
    ])
    const [whole] = await records.sql({ paid: boolean(), seen: timestamp(), notes: json(), none: text() })`
      SELECT b."paid", b."seen", b."notes", NULL AS "none" FROM ${table(bills)} AS b WHERE b."paid" = ${true};`
    expect(whole).toEqual({ paid: true, seen: '2030-01-05T10:00:00.000Z', notes: { a: [1] }, none: null })
    expect(await records.sql({ n: integer() })`SELECT 1 AS "n" WHERE 1 IN ${[]}`).toEqual([])
  })

  test('what the databases say differently is chosen by the database', async () => {
    const month = sql.dialects({
      sqlite: sql`substr(${column(bills, 'day')}, 1, 7)`,
      postgres: sql`to_char(${column(bills, 'day')}, 'YYYY-MM')`,
    })
    const rows = await service.app.platform.records.sql({ month: text(), n: integer() })`
      SELECT ${month} AS "month", count(*) AS "n" FROM ${table(bills)} GROUP BY 1 ORDER BY 1`
    expect(rows).toEqual([
      { month: '2030-01', n: 1 },
      { month: '2030-02', n: 2 },
    ])
  })

  test('it only reads, unless it says otherwise', async () => {
    const { records } = service.app.platform
    const update = sql`UPDATE ${table(bills)} SET ${column(bills, 'order')} = ${7} WHERE ${column(bills, 'what')} = ${'c'}`
    await expect(records.sql({ n: integer() })`${update} RETURNING 1 AS "n"`).rejects.toThrow()
    const read = () => records.first(bills, { where: { what: 'c' } })
    expect((await read())?.order).toBeNull()
    const columns = { what: text({ required: true }), order: integer() }
    expect(await records.sql(columns, { write: true })`${update} RETURNING "what", "order"`).toEqual([
      { what: 'c', order: 7 },
    ])
    expect((await read())?.order).toBe(7)
    await expect(
      records.transaction(async inside => {
        await inside.sql({}, { write: true })`UPDATE ${table(bills)} SET "order" = 8 WHERE "what" = 'c'`
        expect(await inside.sql({ order: integer() })`SELECT "order" FROM ${table(bills)} WHERE "what" = 'c'`).toEqual([
          { order: 8 },
        ])
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect((await read())?.order).toBe(7)
  })

  test('records with permissions and hooks refuse it', async () => {
    const staff = service.as('staff')
    expect((await staff.get('/api/rest/billTotals')).status).toBe(204)
    expect((await staff.get('/api/rest/billTotals?plain=true')).status).toBe(500)
    expect((await staff.post('/api/rest/bills', { what: 'sql in a hook', site: first, total: 1 })).status).toBe(500)
    expect((await staff.post('/api/rest/bills', { what: fresh('w'), site: second, total: 1 })).status).toBe(201)
  })

  featureTest(import.meta.url, database)(
    'it ends at the deadline of reads, and keeps no other request waiting',
    async () => {
      const impatient = await startService(database, {
        modules: [...modules, building],
        settings: { 'app.api.queryTimeout': '1' },
      })
      onTestFinished(() => impatient.stop())
      const staff = impatient.as('staff')
      const slow = staff.get('/api/rest/billTotals?slow=true')
      expect((await staff.get('/api/rest/bills?_ps=1')).status).toBe(200)
      const answer = await slow
      expect([answer.status, answer.body.code]).toEqual([503, 'query_timeout'])
    },
  )

  test('mistakes are named', async () => {
    const { records } = service.app.platform
    const wrong = sql.column(bills, 'totla' as 'total')
    await expect(records.sql({ n: integer() })`SELECT ${wrong} AS "n" FROM ${table(bills)}`).rejects.toThrow(
      "bills has no column 'totla'; did you mean 'total'?",
    )
    await expect(records.sql({})`SELECT 1`).rejects.toThrow('records.sql needs the columns that are read')
  })
})
