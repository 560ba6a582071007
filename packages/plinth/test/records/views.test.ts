// defineView: read-only resources over views of the database.

import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { databases, type TestedDatabase } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { accountOf, column, make, speaking } from '@plinth/test-kit/library'
import { createApp, modules } from '@plinth/test-kit/platform'
import { configOn } from '@plinth/test-kit/prepared-data'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defineResource, type ResourceDefinition } from '../../src/core/model/define.ts'
import { defineView } from '../../src/core/model/define-view.ts'
import { boolean, date, integer, money, ref, text } from '../../src/core/model/fields.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import { type SqlFragment, sql } from '../../src/core/model/sql.ts'
import { defineModule } from '../../src/core/module.ts'

const shops = defineResource('shops', {
  about: 'Shops.',
  label: 'name',
  fields: { name: text({ required: true, max: 100 }), owner: ref('users') },
  access: { read: 'true', write: 'caller.signedIn' },
})

const invoices = defineResource('invoices', {
  about: 'Invoices.',
  label: 'number',
  fields: {
    number: text({ required: true, max: 40 }),
    shop: ref(shops, { required: true, onDelete: 'cascade' }),
    day: date({ required: true }),
    total: money({ required: true }),
    paid: boolean({ default: false }),
  },
  access: { read: 'caller.signedIn', write: 'caller.signedIn' },
})

const totalsOf = (least: number) =>
  defineView('invoiceTotals', {
    about: { en: 'What each shop has invoiced.', de: 'Was jeder Laden berechnet hat.' },
    label: 'name',
    key: 'shop',
    fields: {
      shop: ref(shops, { required: true }),
      name: text({ required: true, max: 100, title: { de: 'Name' } }),
      count: integer({ required: true }),
      total: money({ required: true, title: { de: 'Summe' } }),
      last: date(),
      allPaid: boolean({ required: true }),
      secret: text({ readable: "caller.has('ROLE_STAFF')" }),
    },
    sql: sql`
      SELECT s."pk" AS "shop", s.${sql.column(shops, 'name')} AS "name", count(*) AS "count",
        sum(i.${sql.column(invoices, 'total')}) AS "total", max(i.${sql.column(invoices, 'day')}) AS "last",
        min(CASE WHEN i."paid" THEN 1 ELSE 0 END) = 1 AS "allPaid", ${"it's"} AS "secret"
      FROM ${sql.table(invoices)} AS i JOIN ${sql.table(shops)} AS s ON s."pk" = i.${sql.column(invoices, 'shop')}
      WHERE i."total" >= ${least}
      GROUP BY s."pk", s."name"`,
    access: { read: "record.shop.owner == caller.pk || caller.has('ROLE_STAFF')" },
  })

const invoiceTotals = totalsOf(0)

const moduleOf = (...resources: readonly ResourceDefinition[]) =>
  defineModule({ name: 'trade', about: 'Invoices.', resources: [shops, invoices, ...resources] })

const fill = async (staff: Client, owner: string): Promise<{ north: string; south: string }> => {
  const north = (await make(staff, 'shops', { name: 'North', owner })).pk as string
  const south = (await make(staff, 'shops', { name: 'South' })).pk as string
  await make(staff, 'invoices', { number: '1', shop: north, day: '2030-01-01', total: 10.5, paid: true })
  await make(staff, 'invoices', { number: '2', shop: north, day: '2030-02-01', total: 2, paid: true })
  await make(staff, 'invoices', { number: '3', shop: south, day: '2030-01-01', total: 100 })
  return { north, south }
}

const path = '/api/rest/invoiceTotals'

describe.each(databases)('on %s', (database: TestedDatabase) => {
  let service: TestService
  let staff: Client
  let shop: { north: string; south: string }
  beforeAll(async () => {
    service = await startService(database, {
      modules: [...modules, moduleOf(invoiceTotals)],
      settings: { 'app.api.queryTimeout': '60' },
    })
    staff = service.as('staff')
    shop = await fill(staff, await accountOf(service, 'client'))
  })
  afterAll(() => service.stop())

  test('rows are records: lists, filters, sorting, totals, single records, relations and includes', async () => {
    const list = await staff.get(`${path}?sort=-total`)
    expect([column(list, 'name'), list.headers.get('x-total-count')]).toEqual([['South', 'North'], '2'])
    expect(list.body.content[1]).toMatchObject({
      pk: shop.north,
      shop: { pk: shop.north, name: 'North' },
      count: 2,
      total: 12.5,
      last: '2030-02-01',
      allPaid: true,
      secret: "it's",
    })
    expect(column(await staff.get(`${path}?filter=total=lt=50;shop.name==N*`), 'name')).toEqual(['North'])
    expect(column(await staff.get(`${path}?allPaid=false`), 'name')).toEqual(['South'])
    const one = await staff.get(`${path}/${shop.south}?include=shop`)
    expect(one.body).toMatchObject({ name: 'South', total: 100 })
    const again = await staff.get(`${path}/${shop.south}?include=shop`, {
      'If-None-Match': one.headers.get('etag') ?? '',
    })
    expect(again.status).toBe(304)
    expect((await staff.get(`${path}/${shop.south}/shop`)).body).toMatchObject({ name: 'South' })
    expect((await staff.get(path, speaking)).body.data[0]).toMatchObject({ type: 'invoiceTotals' })
    expect((await staff.get(`${path}/nothing`)).status).toBe(404)
    const csv = await staff.get(`${path}?page=no&sort=name`, { Accept: 'text/csv' })
    expect(csv.text.trim().split('\n')).toHaveLength(3)
  })

  test('they follow what changes, and the permissions of the caller', async () => {
    const { pk } = await make(staff, 'invoices', { number: '4', shop: shop.south, day: '2030-03-01', total: 1 })
    expect((await staff.get(`${path}/${shop.south}`)).body).toMatchObject({ total: 101, count: 2 })
    expect((await staff.delete(`/api/rest/invoices/${pk}`)).status).toBe(204)
    const client = service.as('client')
    expect(column(await client.get(path), 'name')).toEqual(['North'])
    expect((await client.get(path)).body.content[0]).not.toHaveProperty('secret')
    expect((await client.get(`${path}/${shop.south}`)).status).toBe(404)
    expect((await service.as('anonymous').get(path)).status).toBe(401)
    const { records } = service.app.platform
    const rows = await records.find(invoiceTotals, { where: { total: { gt: 5000 } }, include: ['shop'] })
    const total: number | undefined = rows[0]?.total
    expect([total, rows[0]?.name]).toEqual([10_000, 'South'])
  })

  test('no caller can write them, and the descriptions say so', async () => {
    const admin = service.as('admin')
    for (const [method, where] of [
      ['POST', path],
      ['PUT', `${path}/${shop.north}`],
      ['PATCH', `${path}/${shop.north}`],
      ['DELETE', `${path}/${shop.north}`],
    ] as const) {
      const answer = await admin(where, { method, ...(method !== 'DELETE' && { body: '{"name":"x"}' }) })
      expect([method, answer.status]).toEqual([method, 405])
    }
    await expect(service.app.platform.records.create(invoiceTotals, {} as never)).rejects.toThrow()
    const ui = (await admin.get(`${path}/uischema`, { 'Accept-Language': 'de' })).body
    expect([ui.rights.create, ui.rights.patch, ui.rights.delete, ui.createForm]).toEqual([false, false, false, false])
    expect(ui.fields.total).toMatchObject({ label: 'Summe', readOnly: true })
    const { paths } = (await admin.get('/api/openapi.json', { Accept: 'application/json' })).body
    expect(Object.keys(paths[path])).not.toContain('post')
    expect(Object.keys(paths[`${path}/{pk}`])).toContain('get')
    expect(Object.keys(paths[`${path}/{pk}`])).not.toContain('delete')
  })

  test('what a view refers to can be deleted, and its cost is that of its tables', async () => {
    const { pk } = await make(staff, 'shops', { name: 'Short' })
    await make(staff, 'invoices', { number: '9', shop: pk, day: '2030-01-01', total: 1 })
    expect((await staff.get(`${path}/${pk}`)).status).toBe(200)
    expect((await staff.delete(`/api/rest/shops/${pk}`)).status).toBe(204)
    expect((await staff.get(`${path}/${pk}`)).status).toBe(404)
    const explained = await service.as('admin').get(`${path}?name=North&explain=cost`)
    expect(explained.status).toBe(200)
  })
})

describe.each(extent<readonly TestedDatabase[]>(['sqlite'], databases))('migrations on %s', database => {
  test('create a view, replace it when its text changes, and drop it; the plan shows it', async () => {
    const kept = await keepDatabase(database)
    onTestFinished(kept.remove)
    const start = (...resources: readonly ResourceDefinition[]) =>
      startService(database, { modules: [...modules, moduleOf(...resources)], settings: kept.settings })
    const planOf = async (...resources: readonly ResourceDefinition[]): Promise<string> => {
      const { 'app.dataDir': folder = '', 'app.database.url': url = '' } = kept.settings
      const app = await createApp(configOn({ folder, url }, {}), { modules: [...modules, moduleOf(...resources)] })
      try {
        return await app.planMigration()
      } finally {
        await app.close()
      }
    }
    const first = await start()
    const { north, south } = await fill(first.as('staff'), await accountOf(first, 'client'))
    await first.stop()
    expect(await planOf(invoiceTotals)).toMatch(/invoiceTotals: a view\nCREATE VIEW "invoiceTotals"/s)
    const second = await start(invoiceTotals)
    expect((await second.as('staff').get(`${path}/${north}`)).status).toBe(200)
    await second.stop()
    expect(await planOf(invoiceTotals)).toContain('The database is up to date.')
    const plan = await planOf(totalsOf(2000))
    expect(plan).toContain('invoiceTotals: the view has changed')
    expect(plan.indexOf('DROP VIEW')).toBeLessThan(plan.indexOf('CREATE VIEW'))
    const third = await start(totalsOf(2000))
    expect((await third.as('staff').get(`${path}/${north}`)).status).toBe(404)
    expect((await third.as('staff').get(`${path}/${south}`)).status).toBe(200)
    await third.stop()
    expect(await planOf()).toContain('invoiceTotals: a view that the model no longer has')
    const last = await start()
    expect((await last.as('staff').get(path)).status).toBe(404)
    await last.stop()
  })

  test('one that names what is not there is refused, and can be corrected', async () => {
    const kept = await keepDatabase(database)
    onTestFinished(kept.remove)
    const viewOf = (select: SqlFragment) =>
      defineView('shopNames', {
        about: 'Names.',
        key: 'shop',
        fields: { shop: ref(shops, { required: true }), name: text({ max: 100 }) },
        sql: select,
        access: { read: 'true' },
      })
    const start = (view: SqlFragment) =>
      startService(database, { modules: [...modules, moduleOf(viewOf(view))], settings: kept.settings })
    for (const [wrong, named] of [
      [sql`SELECT s."pk" AS "shop", s."titel" AS "name" FROM "shops" AS s`, 'titel'],
      [sql`SELECT s."pk" AS "shop", s."name" AS "name" FROM "shop" AS s`, 'shop'],
      [sql`SELECT s."pk" AS "shop", s."name" AS "title" FROM "shops" AS s`, 'name'],
    ] as const)
      await expect(start(wrong)).rejects.toThrow(new RegExp(`at 'shopNames: a view'.*${named}`, 's'))
    const service = await start(sql`SELECT s."pk" AS "shop", s."name" AS "name" FROM "shops" AS s`)
    expect((await service.as('staff').get('/api/rest/shopNames')).status).toBe(200)
    await service.stop()
  })

  test.runIf(database === 'sqlite')('one whose table is gone does not stop later migrations', async () => {
    const kept = await keepDatabase(database)
    onTestFinished(kept.remove)
    const first = await startService(database, { modules: [...modules, moduleOf()], settings: kept.settings })
    await first.stop()
    const file = new DatabaseSync(join(kept.settings['app.dataDir'] ?? '', 'plinth.db'))
    file.exec('CREATE VIEW "invoiceTotals" AS /* plinth view 0123456789abcdef */ SELECT * FROM "nowhere"')
    file.close()
    const second = await startService(database, {
      modules: [...modules, moduleOf(invoiceTotals)],
      settings: kept.settings,
    })
    expect((await second.as('staff').get(path)).status).toBe(200)
    await second.stop()
  })
})

describe('the definition', () => {
  test('names fields that are no columns', () => {
    const odd = defineView('oddTotals', {
      about: 'x',
      key: 'shpo' as 'shop',
      fields: { shop: text() },
      sql: sql`SELECT 1 AS "shop"`,
      access: { read: 'true' },
    })
    expect(() => createRegistry([odd])).toThrow("key 'shpo' is not a field; did you mean 'shop'?")
  })
})
