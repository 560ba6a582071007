// One search of all resources: grouped and ranked, with snippets, under the rules of each resource and the price of all.

import { featureDatabases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { press } from './articles-module.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      modules: [...modules, press],
      settings: { 'app.api.maxAnonymousQueryCost': '5000' },
    })
    const staff = service.as('staff')
    const long = `${'Something else. '.repeat(20)}A lighthouse on the Elbe <b>shines</b>. ${'More of that. '.repeat(20)}`
    await make(staff, 'articles', { title: 'Lighthouses', description: 'The lighthouse keeper.', remarks: 'lamp oil' })
    await make(staff, 'articles', { title: 'Coasts', description: long })
    await make(staff, 'articles', { title: 'Secret lighthouse', secret: true })
    await make(staff, 'texte', { name: 'Lighthouse', inhalt: 'Ein Leuchtturm' })
  })
  afterAll(() => service.stop())

  const search = async (q: string, user: 'staff' | 'anonymous' = 'anonymous', more = '') => {
    const answer = await service.as(user).get(`/api/search?q=${encodeURIComponent(q)}${more}`)
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body.groups
  }

  test('matches are grouped by resource, the best first, with the part of the text that has the words', async () => {
    const groups = await search('lighthouse')
    const [articles] = groups.filter(({ resource }: { resource: string }) => resource === 'articles')
    expect(groups).toHaveLength(2)
    expect(articles).toMatchObject({ title: 'Articles' })
    const [first, second, third] = articles.records
    expect([first.label, first.snippet, first.marks, third]).toEqual(['Lighthouses', 'Lighthouses', [0, 11], undefined])
    expect(first.score).toBeGreaterThan(second.score)
    expect(second.snippet).toMatch(/^….*A lighthouse on the Elbe <b>shines<\/b>\..*…$/)
    const [from, to] = second.marks
    expect(second.snippet.slice(from, to)).toBe('lighthouse')
    const record = await service.as('staff').get(first.href.slice(service.url.length))
    expect(record.body.title).toBe('Lighthouses')
    expect((await search('lighthouse', 'anonymous', '&limit=1'))[0].records).toHaveLength(1)
  })

  test('hidden records and fields show in no group and no snippet, and errors are forgiven where nothing matches', async () => {
    expect(JSON.stringify(await search('secret'))).toBe('[]')
    expect(JSON.stringify(await search('lighthouse secret', 'staff'))).toContain('Secret lighthouse')
    expect(await search('lamp')).toEqual([])
    expect((await search('lamp', 'staff'))[0].records[0].snippet).toBe('lamp oil')
    expect((await search('leuchtturn '))[0].records[0].label).toBe('Lighthouse')
    expect(await search('"" -')).toEqual([])
  })

  test('the search must be there and short, and has a price', async () => {
    const anonymous = service.as('anonymous')
    expect((await anonymous.get('/api/search')).status).toBe(400)
    expect((await anonymous.get(`/api/search?q=${'x'.repeat(301)}`)).status).toBe(400)
    expect((await anonymous.get('/api/search?q=a&limit=21')).status).toBe(400)
    const answer = await anonymous.get('/api/search?q=lighthouse')
    expect(Number(answer.headers.get('x-query-cost') ?? 1)).toBeGreaterThan(0)
  })
})
