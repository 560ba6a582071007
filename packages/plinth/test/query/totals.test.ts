// Totals are exact up to a limit, and estimates beyond it.

import { featureDatabases } from '@plinth/test-kit/databases'
import { jsonApi } from '@plinth/test-kit/library'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { Accept: 'application/json' }
const rels = (links: readonly { rel: string }[]) => links.map(({ rel }) => rel)

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.api.exactTotalLimit': '100' } })
  })
  afterAll(() => service.stop())

  const read = async (query: string, headers: Record<string, string> = json) => {
    const answer = await service.as('anonymous').get(`/api/rest/countries?${query}`, headers)
    expect([query, answer.status]).toEqual([query, 200])
    return answer
  }

  test.each(['', 'filter=name!=Greece'])('beyond the limit the total is an estimate: ?%s', async query => {
    const { body, headers } = await read(query)
    expect(body.page.estimated).toBe(true)
    expect(body.page.totalElements).toBeGreaterThan(200)
    expect(body.page.totalElements).toBeLessThan(300)
    expect(body.page.totalPages).toBe(Math.ceil(body.page.totalElements / 10))
    expect(headers.get('x-total-count')).toBe(String(body.page.totalElements))
    expect(rels(body.links)).toEqual(['self', 'first', 'next', 'last'])
  })

  test.each(['sort=name', 'sort=-capital&filter=name!=Greece', 'page[size]=7'])(
    'the last records can be reached without their number: ?%s',
    async query => {
      const { body } = await read(query)
      const last = new URL(body.links.find((link: { rel: string }) => link.rel === 'last').href)
      expect(last.search).toMatch(/(_before|page%5Bbefore%5D)=end/)
      const page = await read(last.search.slice(1))
      const all = await read(`${query.replace('page[size]=7', 'sort=pk')}&page[limit]=500`)
      const pks = (content: readonly { pk: string }[]) => content.map(({ pk }) => pk)
      expect(pks(page.body.content)).toEqual(pks(all.body.content).slice(-body.page.size))
      expect(rels(page.body.links)).toEqual(['self', 'first', 'prev', 'last'])
    },
  )

  test('all formats mark it', async () => {
    expect((await read('', { Accept: 'application/hal+json' })).body.page.estimated).toBe(true)
    expect((await read('', { Accept: jsonApi })).body.meta.page.estimated).toBe(true)
    expect((await read('', { Accept: 'application/xml' })).text).toContain('<estimated>true</estimated></page>')
  })

  test('up to the limit, on the last page and on request it is exact', async () => {
    const few = await read('filter=parent==EU')
    expect(few.body.page.totalElements).toBeLessThan(100)
    expect(few.body.page).not.toHaveProperty('estimated')
    expect(rels(few.body.links)).toContain('last')
    for (const query of ['_total=exact', '_total=exact&filter=name!=none', '_pn=25&filter=name!=none']) {
      expect((await read(query)).body.page).toMatchObject({ totalElements: 252, totalPages: 26 })
      expect((await read(query)).body.page).not.toHaveProperty('estimated')
    }
  })

  test('an estimate can be asked for', async () => {
    for (const query of ['_total=estimated', '_total=estimated&filter=name!=none']) {
      const { page } = (await read(query)).body
      expect(page.estimated).toBe(true)
      expect(page.totalElements).toBeGreaterThan(200)
      expect(page.totalElements).toBeLessThan(300)
    }
  })
})
