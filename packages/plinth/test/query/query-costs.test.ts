// Queries have a price: what is over the budget is refused before it runs, with the cost of each part.

import { featureDatabases } from '@plinth/test-kit/databases'
import { jsonApiFaults } from '@plinth/test-kit/json-api-schema'
import { jsonApi } from '@plinth/test-kit/library'
import { startService, type TestService } from '@plinth/test-kit/service'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { Accept: 'application/json' }

/** Each is looked for by itself among all records that share a parent. */
const conditions = (count: number): string =>
  Array.from({ length: count }, (_, at) => `parent.children.name==*z${at}*`).join(';')

const alternatives = Array.from({ length: 100 }, (_, at) => `parent.children.parent.children.name==z${at}`).join()

const circle = 'children.parent.children.parent.children'

const analyze = async (database: string): Promise<void> => {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  await sql.unsafe('ANALYZE')
  await sql.end()
}

interface ExplainedPart {
  readonly part: string
  readonly does: string
}

const scanOf = (parts: readonly ExplainedPart[]) => parts.find(({ part }) => part === 'scan')

interface Part {
  readonly parameter: string
  readonly member?: string
  readonly code: string
  readonly message: string
  readonly cost: number
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      settings: { 'app.api.maxQueryCost': '1000000', 'app.api.maxAnonymousQueryCost': '15000' },
    })
    const { store } = service.app.platform
    const now = new Date().toISOString()
    const stamps = { createdDate: now, lastModifiedDate: now }
    const localities = Array.from({ length: 3000 }, (_, at) => ({
      pk: `L${at}`,
      values: { name: `Town ${at}`, parent: ['GR', 'FR', 'IT'][at % 3], path: '', pathLevel: 2, ...stamps },
    }))
    await store.transaction(tx => tx.insertAll(tx.resource('localities'), localities))
    // By itself it would do so within a minute.
    if (database === 'postgres') await analyze(service.database)
  })
  afterAll(() => service.stop())

  test.each([
    ['100 conditions behind a to-many relation', `countries?filter=${conditions(100)}`, 'filter', 'anonymous'],
    ['the same among many records', `localities?filter=${conditions(100)}`, 'filter', 'simple'],
    ['includes that multiply', `continents?include=${circle}`, 'include', 'anonymous'],
    ['a whole collection with such includes', `continents?page=no&include=${circle}`, 'include', 'anonymous'],
  ] as const)('%s: 400 too_costly', async (_, path, parameter, caller) => {
    const refused = await service.as(caller).get(`/api/rest/${path}`, json)
    expect([refused.status, refused.body.code]).toEqual([400, 'too_costly'])
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    const parts: Part[] = refused.body.errors
    expect(parts[0]).toMatchObject({ parameter, code: 'cost' })
    expect(parts[0]?.cost).toBe(Math.max(...parts.filter(one => one.parameter !== '_total').map(({ cost }) => cost)))
    expect(refused.body.cost).toBeGreaterThan(refused.body.budget)
    expect(refused.body.budget).toBe(caller === 'anonymous' ? 15_000 : 1_000_000)
  })

  test('the message says what the part does, what it costs and what would be cheaper', async () => {
    const { body } = await service.as('anonymous').get(`/api/rest/countries?filter=${conditions(100)}`, json)
    expect(body.errors[0].member).toBe('parent.children.name')
    expect(body.errors[0].message).toMatch(
      /^comparing parent\.children\.name through [\d,]+ related records costs about [\d,]+; follow fewer relations/,
    )
    const document = await service
      .as('anonymous')
      .get(`/api/rest/countries?filter=${conditions(100)}`, { Accept: jsonApi })
    expect(document.body.errors[0]).toMatchObject({ code: 'too_costly', source: { parameter: 'filter' } })
    expect(document.body.errors[0].meta.partCost).toBeGreaterThan(15_000)
  })

  test('a caller who has signed in may spend more', async () => {
    const path = `/api/rest/countries?filter=${conditions(20)}`
    expect((await service.as('anonymous').get(path, json)).status).toBe(400)
    expect((await service.as('simple').get(path, json)).status).toBe(200)
  })

  test('alternatives behind a to-many relation cost little more than one of them', async () => {
    const path = `/api/rest/countries?filter=${alternatives}`
    expect((await service.as('anonymous').get(path, json)).body.page.totalElements).toBe(0)
  })

  test('an include of one record is priced too, and before anything is written', async () => {
    const path = `/api/rest/continents/EU?include=${circle}`
    expect((await service.as('anonymous').get(path, json)).body.code).toBe('too_costly')
    const admin = service.as('admin')
    const include = 'parent.children.parent.children'
    const field = { pk: 'NEW', name: 'New', parent: 'GR' }
    const made = await admin.post(`/api/rest/localities?include=${include}`, field, json)
    expect([made.status, made.body.code]).toEqual([400, 'too_costly'])
    expect((await admin.get('/api/rest/localities/NEW', json)).status).toBe(404)
  })

  test('a whole collection is refused before its first byte when includes add too many records', async () => {
    const admin = service.as('admin')
    const refused = await admin.get('/api/rest/localities?page=no&include=parent.children', json)
    expect([refused.status, refused.body.code]).toEqual([400, 'too_costly'])
    // Within the budget: on average a country has a dozen localities, but three countries have all of them.
    const counted = await admin.get('/api/rest/countries?page=no&include=children.parent.children', json)
    expect([counted.status, counted.body.errors]).toMatchObject([400, [{ parameter: 'include', code: 'limit' }]])
    const many = await admin.get('/api/rest/countries?page=no&include=parent,children', json)
    expect([many.status, many.body.detail]).toEqual([400, expect.stringContaining('more than 2000 records')])
    const fine = await admin.get('/api/rest/continents?page=no&include=children', json)
    expect(fine.body.content.find(({ pk }: { pk: string }) => pk === 'EU').children.length).toBeGreaterThan(40)
    const toOne = await admin.get('/api/rest/localities?page=no&include=parent', json)
    expect([toOne.status, toOne.body.content.length]).toEqual([200, 3000])
  })

  test('includes add so few records to a document that writing it does not block other callers', async () => {
    const path = '/api/rest/countries?pks=GR,FR,IT&include=children'
    const refused = await service.as('admin').get(path, json)
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ parameter: 'include', code: 'limit' }]])
    expect((await service.as('admin').get('/api/rest/countries/GR?include=children', json)).status).toBe(200)
  })

  test('a condition on an indexed field costs what the records with its value cost', async () => {
    const rowsOf = async (search: string): Promise<number> => {
      const { body } = await service.as('admin').get(`/api/rest/localities?${search}&explain=cost`, json)
      return Number(/^scanning ([\d,]+) records/.exec(scanOf(body.parts)?.does ?? '')?.[1]?.replaceAll(',', ''))
    }
    // A third of 3,000 records, among 250 countries.
    expect(await rowsOf('filter=parent==GR;path==*z*')).toBeGreaterThan(700)
    expect(await rowsOf('filter=parent=in=(GR,FR);path==*z*')).toBeGreaterThan(1400)
    expect(await rowsOf('filter=parent==ES;path==*z*')).toBeLessThan(100)
    // An index gives the records of the page, and no others are visited.
    expect(await rowsOf('filter=parent==GR&sort=name&_ps=20')).toBeLessThan(30)
  })

  test('administrators see what a search costs, its statements and their plans', async () => {
    const path = `/api/rest/localities?filter=${conditions(100)}&sort=path&explain=cost`
    const { status, body } = await service.as('admin').get(path, json)
    expect(status).toBe(200)
    expect(body.cost).toBeGreaterThan(body.budget)
    expect(body.records).toBeGreaterThan(2000)
    const { parts, statements } = body
    expect(parts.map(({ part }: { part: string }) => part)).toEqual(
      expect.arrayContaining(['records', 'scan', 'filter', 'sort', 'total']),
    )
    expect(parts.every((part: { cheaper: string }) => part.cheaper !== '')).toBe(true)
    expect(statements.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['page', 'total'])
    for (const { sql, plan, values } of statements) {
      expect(sql).toMatch(/^SELECT /)
      expect(sql).not.toContain('z99')
      expect(values.join()).toContain('z99')
      expect(plan.join('\n')).toMatch(/scan|search/i)
    }
    const document = await service.as('admin').get('/api/rest/countries?explain=cost', { Accept: jsonApi })
    expect(document.body.meta.cost).toBeGreaterThan(0)
    expect([jsonApiFaults(document.body), document.body.data]).toEqual([[], []])
    // A page without records, so that clients that only know pages can read it.
    expect([body.content, body.links]).toEqual([[], [{ rel: 'self', href: expect.stringContaining('explain=cost') }]])
    const xml = await service.as('admin').get('/api/rest/countries?explain=cost', { Accept: 'application/xml' })
    expect(xml.text).toContain('<explanation><cost>')
    const back = await service.as('admin').get('/api/rest/countries/GR/children?explain=cost&_total=none', json)
    expect(back.body.statements).toHaveLength(1)
  })

  test('other users do not', async () => {
    const path = '/api/rest/countries?explain=cost'
    expect((await service.as('anonymous').get(path, json)).status).toBe(401)
    expect((await service.as('simple').get(path, json)).status).toBe(403)
    const wrong = await service.as('admin').get('/api/rest/countries?explain=plan', json)
    expect(wrong.body.errors).toMatchObject([{ parameter: 'explain', code: 'bad_value' }])
  })
})
