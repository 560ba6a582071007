// Vectors over HTTP and in code: how they are checked, kept and shown, and which records are nearest.

import { databases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { text, vector } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import type { Parsed } from '../../src/testing/client.ts'
import { noteModule, notes, places } from './notes-module.ts'

const base64 = (numbers: readonly number[]): string => Buffer.from(new Float32Array(numbers).buffer).toString('base64')

test('a vector without a size, with an unknown distance or beside a field near stops the start', async () => {
  const wrong = defineResource('wrong', {
    about: 'Wrong.',
    fields: { none: vector(0), far: vector(2, { distance: 'cosin' as 'cosine' }), near: text() },
    access: { read: 'true' },
  })
  const wrongModule = defineModule({ name: 'wrong', about: 'Wrong.', resources: [wrong] })
  const failure = await startService('sqlite', { modules: [...modules, wrongModule] }).catch(String)
  expect(failure).toContain('a vector has the size 0; it must be a whole number from 1 to 4096')
  expect(failure).toContain("a vector has the distance 'cosin'; did you mean 'cosine'?")
  expect(failure).toContain("the field 'near' has the name of the parameter that compares vectors")
})

describe.each(databases)('on %s', database => {
  let service: TestService
  let staff: Client
  let simple: Client
  const pks: Record<string, string> = {}
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, noteModule] })
    staff = service.as('staff')
    simple = service.as('simple')
    const add = async (title: string, meaning: readonly number[] | null, more: object = {}) => {
      pks[title] = (await make(staff, 'notes', { title, meaning, ...more })).pk as string
    }
    await add('east', [1, 0, 0], { kind: 'way' })
    await add('north east', [3, 3, 0], { kind: 'way' })
    await add('north', [0, 0.1, 0], { kind: 'way' })
    await add('up', [0, 0, 7])
    await add('hidden', [1, 0.01, 0], { secret: true })
    await add('nothing', null)
    await make(staff, 'places', { name: 'Here', spot: [0, 0], taste: [1, 0] })
    await make(staff, 'places', { name: 'There', spot: [3, 4], taste: [5, 5] })
    await make(staff, 'places', { name: 'Far', spot: [-6, 8], taste: [-1, 0] })
  })
  afterAll(() => service.stop())

  const titles = async (client: Client, query: string): Promise<readonly string[]> => {
    const answer = await client.get(`/api/rest/notes?${query}`)
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    return answer.body.content.map(({ title }: Parsed) => title)
  }

  test('a record shows its vector in every format as it was sent, and lists show it when asked to', async () => {
    const sent = [0.1, -2.5e-7, 16777216]
    const { pk } = await make(staff, 'notes', { title: 'exact', meaning: sent, secret: true })
    const path = `/api/rest/notes/${pk}`
    expect((await staff.get(path)).body.meaning).toEqual(sent)
    expect((await staff.get(path, { Accept: 'application/hal+json' })).body.meaning).toEqual(sent)
    const api = await staff.get(path, { Accept: 'application/vnd.api+json' })
    expect(api.body.data.attributes.meaning).toEqual(sent)
    const xml = await staff.get(path, { Accept: 'application/xml' })
    expect(xml.text).toContain('<meaning>0.1</meaning><meaning>-2.5e-7</meaning><meaning>16777216</meaning>')
    const list = '/api/rest/notes?title=exact'
    expect((await staff.get(list)).body.content[0]).not.toHaveProperty('meaning')
    expect((await staff.get(`${list}&fields=title,meaning`)).body.content[0]).toMatchObject({ meaning: sent })
    const csv = await staff.get('/api/rest/notes?title=exact&fields=title,meaning', { Accept: 'text/csv' })
    expect(csv.text).toBe('title,meaning\r\nexact,"[0.1,-2.5e-7,16777216]"\r\n')
    const { body: schema } = await staff.get('/api/rest/notes/jsonschema')
    expect(schema.properties.meaning).toMatchObject({ items: { type: 'number' }, minItems: 3, maxItems: 3 })
    expect((await staff.delete(path)).status).toBe(204)
    expect((await staff.post(`${path}/restore`, {})).body.meaning).toEqual(sent)
    expect((await staff.patch(path, { meaning: [1, 2, 3] })).body.meaning).toEqual([1, 2, 3])
    const past = await service.as('admin').get(`${path}/history`, { Accept: 'application/json' })
    expect(past.text).toContain('[0.1,-2.5e-7,16777216]')
    await service.as('admin').delete(path)
  })

  test.each([
    [[1, 2], 'vector'],
    [[1, 2, 3, 4], 'vector'],
    [[1, 2, '3'], 'vector'],
    [[1, 2, null], 'vector'],
    [[1, 2, 1e39], 'vector'],
    ['AAAA', 'vector'],
    [[0, 0, 0], 'vector_of_zeros'],
    [[0, 0, 1e-60], 'vector_of_zeros'],
  ])('the vector %j is refused with %s', async (meaning, code) => {
    const refused = await staff.post('/api/rest/notes', { title: 'wrong', meaning })
    expect([refused.status, refused.body.errors[0]]).toMatchObject([400, { pointer: '/meaning', code }])
  })

  test('the nearest come first, of those that the caller may read', async () => {
    expect(await titles(staff, 'near=[2,0,0]')).toEqual(['east', 'hidden', 'north east', 'north', 'up'])
    expect(await titles(simple, 'near=[2,0,0]')).toEqual(['east', 'north east', 'north', 'up'])
    expect(await titles(simple, `near=${encodeURIComponent(base64([0, 0, 1]))}&_ps=1`)).toEqual(['up'])
    expect(await titles(simple, 'near[meaning]=[0,1,0]&filter=kind==way&_ps=2')).toEqual(['north', 'north east'])
    expect(await titles(simple, 'near=[0,1,0]&title=*east')).toEqual(['north east', 'east'])
  })

  test('a page tells the distances when asked to, and its links lead on, in every format', async () => {
    const path = '/api/rest/notes?near=[1,1,0]&_ps=2&_matches=true'
    const first = await simple.get(path)
    expect(first.body).toMatchObject({ page: { totalElements: 4, totalPages: 2 } })
    expect(first.body.matches).toEqual([
      { pk: pks['north east'], distance: expect.closeTo(0, 12) },
      { pk: expect.any(String), distance: expect.closeTo(1 - Math.SQRT1_2, 12) },
    ])
    const next = first.body.links.find(({ rel }: Parsed) => rel === 'next').href as string
    const second = await simple.get(next.slice(service.url.length))
    const shown = [...first.body.content, ...second.body.content].map(({ title }) => title)
    expect([shown[0], shown[3], new Set(shown).size]).toEqual(['north east', 'up', 4])
    const previous = second.body.links.find(({ rel }: Parsed) => rel === 'prev').href as string
    expect((await simple.get(previous.slice(service.url.length))).body.content).toEqual(first.body.content)
    const api = await simple.get(path, { Accept: 'application/vnd.api+json' })
    expect(api.body.meta.matches).toEqual(first.body.matches)
    expect((await simple.get(path, { Accept: 'application/xml' })).text).toContain('<distance>')
  })

  test('the distance is that of the field: the way between two points, or the inner product', async () => {
    const read = async (query: string) => {
      const { content, matches } = (await staff.get(`/api/rest/places?_matches=true&${query}`)).body
      return content.map(({ name }: Parsed, at: number) => [name, matches[at].distance])
    }
    expect(await read('near[spot]=[0,0]')).toEqual([
      ['Here', 0],
      ['There', 5],
      ['Far', 10],
    ])
    expect(await read('near[taste]=[1,0]')).toEqual([
      ['There', -5],
      ['Here', -1],
      ['Far', 1],
    ])
    // Who may not read one of two vectors need not name the other one, and learns nothing of it.
    expect((await simple.get('/api/rest/places?near=[3,3]')).body.content[0].name).toBe('There')
    const hidden = await simple.get('/api/rest/places?near[taste]=[1,0]')
    const missing = await simple.get('/api/rest/places?near[tasty]=[1,0]')
    expect([hidden.status, hidden.text.replaceAll('taste', 'tasty')]).toEqual([400, missing.text])
  })

  test.each([
    ['near=[1,2]', 'bad_value', 'near'],
    ['near=[1,2', 'bad_value', 'near'],
    ['near=north', 'bad_value', 'near'],
    ['near=[0,0,0]', 'bad_value', 'near'],
    ['near[title]=[1,2,3]', 'bad_value', 'near[title]'],
    ['near=[1,0,0]&near=[1,0,0]', 'repeated', 'near'],
    ['near=[1,0,0]&near[meaning]=[1,0,0]', 'contradiction', 'near[meaning]'],
    ['near=[1,0,0]&sort=title', 'contradiction', 'sort'],
    ['near=[1,0,0]&page=no', 'contradiction', 'page'],
    ['near=[1,0,0]&pks=a', 'contradiction', 'pks'],
    ['near=[1,0,0]&trash=only', 'contradiction', 'trash'],
    ['filter=meaning==1', 'unsearchable', 'filter'],
    ['sort=meaning', 'unsortable', 'sort'],
  ])('?%s is refused with %s', async (query, code, parameter) => {
    const refused = await staff.get(`/api/rest/notes?${query}`)
    expect([refused.status, refused.body.errors?.[0]]).toMatchObject([400, { code, parameter }])
  })

  test('aggregates and exports are refused, and a field of several is to be named', async () => {
    expect((await staff.get('/api/rest/notes/aggregates?group=meaning')).body.errors[0].code).toBe('ungroupable')
    expect((await staff.get('/api/rest/notes/aggregates?distinct=meaning')).body.errors[0].code).toBe('unfit_measure')
    expect((await staff.get('/api/rest/notes?near=[1,0,0]&_export=csv')).status).toBe(400)
    const refused = await staff.get('/api/rest/places?near=[1,0]')
    expect(refused.body.errors[0].message).toContain('near[spot], near[taste]')
  })

  test('the price counts the vectors, and administrators see the statement', async () => {
    const { body } = await service.as('admin').get('/api/rest/notes?near=[1,0,0]&explain=cost')
    expect(body.parts).toContainEqual(expect.objectContaining({ part: 'near', member: 'meaning' }))
    expect(body.statements[0].sql).toContain('_distance')
  })

  test('words and nearness are ranked together, and each finds what the other does not', async () => {
    const path = '/api/rest/notes?search=north&near=[1,0,0]&_matches=true'
    const { content, matches, page } = (await simple.get(path)).body
    // The second by words and the second by distance is before the first of one and the third of the other.
    expect(content.map(({ title }: Parsed) => title)).toEqual(['north', 'north east', 'east', 'up'])
    expect(page.totalElements).toBe(4)
    expect(matches[0]).toEqual({
      pk: pks.north,
      score: Math.round(1e6 / 61) + Math.round(1e6 / 63),
      snippet: 'north',
      marks: [0, 5],
      distance: 1,
    })
    expect(await titles(simple, 'search=north&near=[1,0,0]&_ps=1&_pn=2')).toEqual(['east'])
    const [first] = [(await simple.get(`${path}&_ps=3`)).body]
    const next = first.links.find(({ rel }: Parsed) => rel === 'next').href as string
    const second = (await simple.get(next.slice(service.url.length))).body
    expect(second.content.map(({ title }: Parsed) => title)).toEqual(['up'])
    const back = second.links.find(({ rel }: Parsed) => rel === 'prev').href as string
    expect((await simple.get(back.slice(service.url.length))).body.content).toEqual(first.content)
    expect(await titles(simple, 'search=zebra&near=[1,0,0]&_ps=1')).toEqual(['east'])
    expect(await titles(simple, 'search=hidden&near=[1,0,0]')).not.toContain('hidden')
  })

  test('code finds the nearest rows, with types', async () => {
    const { records } = service.app.platform
    const near = await records.find(notes, { near: { meaning: [0, 1, 0] }, where: { kind: 'way' }, limit: 2 })
    expect(near.map(({ title }) => title)).toEqual(['north', 'north east'])
    const [row] = near
    expectTypeOf(row?.meaning).toEqualTypeOf<readonly number[] | null | undefined>()
    expect(row?.meaning).toEqual([0, Math.fround(0.1), 0])
    expect((await records.first(places, { near: { spot: [4, 4] } }))?.name).toBe('There')
    const fused = await records.find(notes, { search: 'east', near: { meaning: [0, 0, 1] } })
    expect(fused.map(({ title }) => title)).toContain('up')
    // @ts-expect-error a text is no vector
    await expect(records.find(notes, { near: { title: [1] } })).rejects.toThrow('notes.title has no vectors')
    await expect(records.find(notes, { near: { meaning: [1] } })).rejects.toThrow('3 finite numbers')
    await expect(records.create(notes, { title: 'short', meaning: [1, 2] })).rejects.toThrow()
    const many = Array.from({ length: 3 }, (_, at) => ({ title: `many ${at}`, meaning: [0, -1, -at], secret: true }))
    await records.createMany(notes, many)
    const opposite = await records.find(notes, { near: { meaning: [0, -1, 0] }, limit: 2 })
    expect(opposite.map(({ title }) => title)).toEqual(['many 0', 'many 1'])
    for (const { pk } of await records.find(notes, { where: { title: { like: 'many *' } } }))
      await records.remove(notes, pk)
  })
})
