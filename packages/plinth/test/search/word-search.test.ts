// Searches by words over HTTP: what matches and in which order, formats, pages, permissions, refusals and costs.

import { featureDatabases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonymous } from '../../src/core/model/caller.ts'
import { recordsFor } from '../../src/core/records/records.ts'
import { contextFor } from '../../src/core/rest/context.ts'
import { articles, authors, press } from './articles-module.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let simple: Client
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, press] })
    staff = service.as('staff')
    simple = service.as('simple')
    const ada = await make(staff, 'authors', { name: 'Ada' })
    const add = (fields: object) => make(staff, 'articles', { author: ada.pk, ...fields })
    await add({ title: 'Running a small library', description: 'How libraries lend books, and get them back.' })
    await add({ title: 'Books for gardeners', description: 'A library of plants. The quick brown fox runs there.' })
    await add({ title: 'The brown bear', description: 'Bears are quick and brown.', tags: ['zoology', 'über'] })
    await add({ title: 'Café society', description: "The baker's daughter", remarks: 'embargoed until spring' })
    await add({ title: 'Hidden library', description: 'library library library', secret: true })
    await make(staff, 'texte', { name: 'Häuser', inhalt: 'Die Straßen der alten Stadt sind schmal.' })
    await make(staff, 'texte', { name: 'Gärten', inhalt: 'Neben dem Haus liegt ein Garten. Die Häuser sind alt.' })
  })
  afterAll(() => service.stop())

  const titles = async (client: Client, search: string, more = ''): Promise<readonly string[]> => {
    const answer = await client.get(`/api/rest/articles?search=${encodeURIComponent(search)}${more}`)
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body.content.map(({ title }: { title: string }) => title)
  }

  test('all words must match, in any order, case, accent and form; the best match comes first', async () => {
    expect(await titles(simple, 'LIBRARY')).toEqual(['Running a small library', 'Books for gardeners'])
    expect(await titles(simple, 'libraries book ')).toEqual(['Running a small library', 'Books for gardeners'])
    expect(await titles(simple, 'book libraries ')).toEqual(['Running a small library', 'Books for gardeners'])
    expect(await titles(simple, 'cafe')).toEqual(['Café society'])
    expect(await titles(simple, 'CAFÉ societies ')).toEqual(['Café society'])
    expect(await titles(simple, 'uber')).toEqual(['The brown bear'])
    expect(await titles(simple, 'library bear')).toEqual([])
  })

  test('with _matches a page tells how well each record matches, and where, in every format', async () => {
    const path = '/api/rest/articles?search=librar&_matches=true'
    const { content, matches } = (await simple.get(path)).body
    expect(matches.map(({ pk }: { pk: string }) => pk)).toEqual(content.map(({ pk }: { pk: string }) => pk))
    expect(matches[0].score).toBeGreaterThan(matches[1].score)
    expect(matches[1]).toMatchObject({
      snippet: 'A library of plants. The quick brown fox runs there.',
      marks: [2, 9],
    })
    const sorted = (await simple.get(`${path}&sort=title`)).body
    expect(sorted.matches).toEqual(matches.toReversed())
    const hal = await simple.get(path, { Accept: 'application/hal+json' })
    expect(hal.body.matches).toEqual(matches)
    const jsonApi = await simple.get(path, { Accept: 'application/vnd.api+json' })
    expect(jsonApi.body.meta.matches).toEqual(matches)
    const xml = await simple.get(path, { Accept: 'application/xml' })
    expect(xml.text).toContain('</snippet><mark>2</mark><mark>9</mark></match></matches><links>')
    const forgiven = (await simple.get('/api/rest/articles?search=libary+plants&_matches=true')).body
    expect(forgiven.matches).toMatchObject([{ snippet: expect.stringContaining('library of plants') }])
    for (const without of ['?search=librar', '?search=librar&_matches=false', '?_matches=true'])
      expect((await simple.get(`/api/rest/articles${without}`)).body).not.toHaveProperty('matches')
    const wrong = await simple.get('/api/rest/articles?search=librar&_matches=yes')
    expect([wrong.status, wrong.body.errors[0].parameter]).toEqual([400, '_matches'])
  })

  test('snippets show no text that the caller may not read, or has not asked for', async () => {
    const { matches } = (await simple.get('/api/rest/articles?search=library&_matches=true&fields=title')).body
    expect(matches.map(({ snippet }: { snippet: string | null }) => snippet)).toEqual(['Running a small library', null])
    const remarks = (await staff.get('/api/rest/articles?search=embargoed&_matches=true')).body
    expect(remarks.matches[0].snippet).toBe('embargoed until spring')
    expect((await simple.get('/api/rest/articles?search=embargoed&_matches=true')).body.matches).toEqual([])
  })

  test('phrases stand in this order, a minus excludes, and the last word may be a beginning', async () => {
    expect(await titles(simple, '"quick brown"')).toEqual(['Books for gardeners'])
    expect(await titles(simple, 'brown quick')).toEqual(['The brown bear', 'Books for gardeners'])
    expect(await titles(simple, 'brown -fox')).toEqual(['The brown bear'])
    expect(await titles(simple, 'brown -"quick brown"')).toEqual(['The brown bear'])
    expect(await titles(simple, '-library -brown')).toEqual(['Café society'])
    for (const beginning of ['li', 'libr', 'librar', 'librari', 'librarie'])
      expect([beginning, (await titles(simple, beginning)).length]).toEqual([beginning, 2])
    expect(await titles(simple, 'gardene')).toEqual(['Books for gardeners'])
    expect(await titles(simple, 'librar ')).toEqual(['Running a small library', 'Books for gardeners'])
  })

  test('one typing error is forgiven when nothing else matches', async () => {
    expect(await titles(simple, 'libary')).toEqual(['Running a small library', 'Books for gardeners'])
    expect(await titles(simple, 'gardneers')).toEqual(['Books for gardeners'])
    expect(await titles(simple, 'bwon')).toEqual([])
    // The hidden record has the word, and the caller learns nothing of it.
    expect(await titles(simple, 'hiddne')).toEqual([])
    expect(await titles(staff, 'hiddne')).toEqual(['Hidden library'])
  })

  test('German words are reduced to their stems', async () => {
    const names = async (search: string) =>
      (await simple.get(`/api/rest/texte?search=${encodeURIComponent(search)}%20`)).body.content.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('haus')).toEqual(['Häuser', 'Gärten'])
    expect(await names('strasse')).toEqual(['Häuser'])
    expect(await names('ALTE STRASSEN')).toEqual(['Häuser'])
  })

  test('hidden records and hidden fields neither match nor count', async () => {
    expect(await titles(staff, 'library')).toEqual(['Hidden library', 'Running a small library', 'Books for gardeners'])
    expect(await titles(staff, 'embargoed')).toEqual(['Café society'])
    expect(await titles(simple, 'embargoed')).toEqual([])
    expect(await titles(simple, 'embar')).toEqual([])
    expect(await titles(simple, 'embargoedd')).toEqual([])
    expect(await titles(simple, '-embargoed', '&filter=title==Café*')).toEqual(['Café society'])
    expect(await titles(staff, 'cafe -embargoed')).toEqual([])
    const { body } = await simple.get('/api/rest/articles?search=library')
    expect(body.page).toEqual({ size: 10, totalElements: 2, totalPages: 1, number: 0 })
  })

  test('filter, sort, include, pages and cursors go with it, in every format', async () => {
    expect(await titles(simple, 'library', '&filter=title==Books*')).toEqual(['Books for gardeners'])
    expect(await titles(simple, 'library', '&sort=title')).toEqual(['Books for gardeners', 'Running a small library'])
    expect(await titles(simple, 'library', '&filter=author.name==Ada&sort=-author.name,title')).toHaveLength(2)
    const first = await simple.get('/api/rest/articles?search=library&_ps=1&include=author')
    expect(first.body.content[0].author.name).toBe('Ada')
    const next = first.body.links.find(({ rel }: { rel: string }) => rel === 'next').href
    const second = await simple.get(next.slice(service.url.length))
    expect(second.body.content.map(({ title }: { title: string }) => title)).toEqual(['Books for gardeners'])
    const cursor = await simple.get('/api/rest/articles?search=library&page[size]=1', {
      Accept: 'application/vnd.api+json',
    })
    expect(cursor.body.data[0].attributes.title).toBe('Running a small library')
    const hal = await simple.get('/api/rest/articles?search=library', { Accept: 'application/hal+json' })
    expect(JSON.stringify(hal.body)).toContain('Books for gardeners')
    const xml = await simple.get('/api/rest/articles?search=library', { Accept: 'application/xml' })
    expect(xml.text).toContain('Books for gardeners')
    const csv = await simple.get('/api/rest/articles?search=library', { Accept: 'text/csv' })
    expect(csv.text.trim().split('\n')).toHaveLength(3)
  })

  test('the index follows changes, deletion, restoration and records that go with others', async () => {
    const grace = await make(staff, 'authors', { name: 'Grace' })
    const record = await make(staff, 'articles', { title: 'Compilers', description: 'Parsing', author: grace.pk })
    const path = `/api/rest/articles/${record.pk}`
    expect(await titles(staff, 'compiler parsing ')).toEqual(['Compilers'])
    await staff.patch(path, { description: 'Linking', version: record.version })
    expect(await titles(staff, 'compiler linking ')).toEqual(['Compilers'])
    expect(await titles(staff, 'compiler parsing ')).toEqual([])
    await staff.delete(path)
    expect(await titles(staff, 'compiler ')).toEqual([])
    await staff.post(`/api/rest/articles/${record.pk}/restore`, undefined)
    expect(await titles(staff, 'compiler linking ')).toEqual(['Compilers'])
    expect((await staff.delete(`/api/rest/authors/${grace.pk}`)).status).toBe(204)
    expect(await titles(staff, 'compiler ')).toEqual([])
  })

  test('writers that change different fields of one record leave an index of both', async () => {
    const record = await make(staff, 'articles', { title: 'Race', description: 'start' })
    const path = `/api/rest/articles/${record.pk}`
    for (let round = 0; round < 10; round++) {
      const headers = { 'If-Match': '*' }
      await Promise.all([
        staff.patch(path, { title: `Race alpha${round}` }, headers),
        staff.patch(path, { description: `bravo${round}` }, headers),
      ])
      const { title, description } = (await staff.get(path)).body
      const words = `${title} ${description} `
      expect(await titles(staff, words)).toEqual([title])
    }
    await staff.delete(path)
  })

  test('no text makes an error of the service', async () => {
    const texts = [
      '"',
      '-',
      '--',
      '- -',
      '"-"',
      "'",
      '%',
      '*',
      '\\',
      '()',
      '💥',
      '日本語',
      '\u0301',
      'a"b',
      '"a',
      'a-',
      'x'.repeat(300),
    ]
    for (const text of [...texts, 'NOT AND OR', 'title:library', "'; DROP TABLE articles; --", '\ud800', 'ß', 'İ', 'ﬁ'])
      expect([
        text,
        (await simple.get(`/api/rest/articles?search=${encodeURIComponent(text.toWellFormed())}`)).status,
      ]).toEqual([text, 200])
    const long = await simple.get(`/api/rest/articles?search=${'x'.repeat(301)}`)
    expect([long.status, long.body.errors[0].parameter]).toEqual([400, 'search'])
    const many = await simple.get(`/api/rest/articles?search=${'abcdefghijklm'.split('').join('+')}`)
    expect([many.status, many.body.errors[0].params.reason]).toEqual([400, 'max_words'])
    const past = await staff.get('/api/rest/articles?search=library&trash=only')
    expect([past.status, past.body.errors[0].code]).toEqual([400, 'contradiction'])
  })

  test('code searches with the same words, as far as its permissions go', async () => {
    const { platform } = service.app
    const all = await platform.records.find(articles, { search: 'library', limit: 5, fields: ['title'] })
    expect(all.map(({ title }) => title)).toEqual(await titles(staff, 'library'))
    expect(await platform.records.count(articles, { search: 'library', where: { secret: false } })).toBe(2)
    const visible = recordsFor(contextFor(platform, anonymous))
    expect((await visible.first(articles, { search: 'libary', sort: '-title' }))?.title).toBe('Running a small library')
    expect(await visible.find(articles, { search: 'hidden' })).toEqual([])
    await expect(visible.find(authors, { search: 'Ada' })).rejects.toThrow('authors is not searched by words')
    // @ts-expect-error rows that are deleted are not searched for by words
    await expect(platform.records.removeMany(articles, { where: {}, search: 'library' })).rejects.toThrow(
      'unknown option',
    )
  })

  test('where nothing is declared the parameter means what it did', async () => {
    expect((await simple.get('/api/rest/authors?search=Ada')).status).toBe(400)
  })

  test('the cost counts entries of the words, and names the statements', async () => {
    const { body } = await service.as('admin').get('/api/rest/articles?search=library+book&explain=cost')
    expect(body.parts.find(({ part }: { part: string }) => part === 'words')).toMatchObject({ parameter: 'search' })
    expect(body.statements.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['page', 'total'])
  })
})
