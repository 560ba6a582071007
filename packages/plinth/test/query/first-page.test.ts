// `app.api.firstPage`: clients of JSON:API that count pages from 1.

import { column, jsonApi, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'

let service: TestService
let staff: Client
beforeAll(async () => {
  service = await startLibrary('sqlite', { settings: { 'app.api.firstPage': '1' } })
  staff = service.as('staff')
  const list = Array.from({ length: 12 }, (_, at) => ({ title: `T${10 + at}` }))
  expect((await staff.post('/api/rest/books', list)).status).toBe(201)
})
afterAll(() => service.stop())

const ask = (query: string) => staff.get(`/api/rest/books?sort=title&${query}`, { Accept: jsonApi })

const titles = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `T${10 + from + at}`)

test('page[number] counts from 1 in requests, links and meta', async () => {
  for (const [number, from] of [
    [1, 0],
    [2, 5],
  ] as const) {
    const page = await ask(`page[number]=${number}&page[size]=5`)
    expect(page.body.data.map((book: { attributes: { title: string } }) => book.attributes.title)).toEqual(
      titles(from, from + 5),
    )
    expect(page.body.meta.page).toEqual({ size: 5, number, totalElements: 12, totalPages: 3 })
    expect(decodeURIComponent(page.body.links.last)).toContain('page[number]=3')
  }
  const beyond = await ask('page[number]=9&page[size]=5')
  expect(beyond.body.meta.page.number).toBe(9)
  expect(decodeURIComponent(beyond.body.links.prev)).toContain('page[number]=3')
  expect((await ask('page[size]=5')).body.meta.page.number).toBe(1)
  expect((await ask('page[offset]=5&page[limit]=5')).body.meta.page.number).toBe(2)
})

test('page[number]=0 is refused', async () => {
  const refused = await ask('page[number]=0')
  expect([refused.status, refused.body.errors[0].source]).toEqual([400, { parameter: 'page[number]' }])
  expect(refused.body.errors[0].detail).toContain('from 1 to')
})

test('_pn still counts from 0', async () => {
  const page = await staff.get('/api/rest/books?sort=title&_pn=1&_ps=5')
  expect(column(page, 'title')).toEqual(titles(5, 10))
  expect(page.body.page.number).toBe(1)
  expect(page.body.links.find((link: { rel: string }) => link.rel === 'last').href).toContain('_pn=2')
  expect((await staff.get('/api/rest/books')).body.page.number).toBe(0)
})

test('the API description gives the least page number', async () => {
  const { parameters } = (await staff.get('/api/openapi.json')).body.components
  expect([parameters.PageNumber.schema.minimum, parameters.JsonApiPageNumber.schema.minimum]).toEqual([0, 1])
  expect(parameters.JsonApiPageOffset.schema.minimum).toBe(0)
})
