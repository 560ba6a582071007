import { expect, test } from 'vitest'
import {
  alien,
  base,
  blank,
  fieldOf,
  films,
  firstCopy,
  firstPage,
  including,
  top,
  unpaged,
  viewOf,
  writePage,
} from './example.fixture.ts'
import { hal } from './hal.ts'

test('an item in HAL has its fields at the top and its links by relation', () => {
  expect(hal.item({ view: films, record: alien, included: [] }, base)).toBe(
    '{"pk":"f1","title":"Alien","cost":19.99,"available":true,"tags":["space","cat"],"notes":{"seen":"twice"},' +
      '"shelf":{"pk":"s1","name":"Top"},"actors":[{"pk":"a1"}],"copyCount":2,"version":3,' +
      `"_links":{"self":{"href":"${base}/api/rest/films/f1"},"shelf":{"href":"${base}/api/rest/films/f1/shelf"},` +
      `"actors":{"href":"${base}/api/rest/films/f1/actors"},"fans":{"href":"${base}/api/rest/films/f1/fans"},` +
      `"copies":{"href":"${base}/api/rest/films/f1/copies"}}}`,
  )
})

test('an empty to-one relation has no link in HAL', () => {
  const item = JSON.parse(hal.item({ view: viewOf('films', ['shelf', 'copies']), record: blank, included: [] }, base))
  expect(item).toEqual({
    pk: 'f2',
    shelf: null,
    _links: {
      self: { href: `${base}/api/rest/films/f2` },
      copies: { href: `${base}/api/rest/films/f2/copies` },
    },
  })
})

test('included records are embedded in HAL, beside the compact fields', () => {
  const included = [
    including({ relation: fieldOf('films', 'shelf'), records: { f1: [top] } }),
    including({ relation: fieldOf('films', 'copies'), records: { f1: [firstCopy] } }),
    including({ relation: fieldOf('films', 'actors'), records: { f1: [{ pk: 'a1', version: 7, firstName: 'S' }] } }),
  ]
  const item = JSON.parse(hal.item({ view: films, record: alien, included }, base))
  expect(item.shelf).toEqual({ pk: 's1', name: 'Top' })
  expect(item.actors).toEqual([{ pk: 'a1' }])
  expect(item._embedded).toMatchObject({
    shelf: { name: 'Top', version: 1, _links: { self: { href: `${base}/api/rest/shelves/s1` } } },
    copies: [{ code: 'A-1', _links: { self: { href: `${base}/api/rest/copies/c1` } } }],
    actors: [{ version: 7 }],
  })
})

test('an included relation that leads nowhere embeds nothing in HAL', () => {
  const included = [including({ relation: fieldOf('films', 'shelf'), records: {} })]
  const item = JSON.parse(hal.item({ view: films, record: blank, included }, base))
  expect([item.shelf, item._embedded]).toEqual([null, undefined])
})

test('a page in HAL embeds its records, each with its own address', () => {
  const record = (pk: string) =>
    `{"pk":"${pk}","name":"Top","_links":{"self":{"href":"${base}/api/rest/shelves/${pk}"}}}`
  expect(writePage(hal, firstPage, [{ records: [top] }, { records: [{ ...top, pk: 's2' }] }])).toBe(
    `{"_embedded":{"shelves":[${record('s1')},${record('s2')}]},` +
      '"page":{"size":2,"totalElements":3,"totalPages":2,"number":0},' +
      `"_links":{"self":{"href":"${base}/api/rest/shelves?_ps=2"},` +
      `"next":{"href":"${base}/api/rest/shelves?_pn=1&_ps=2"},"last":{"href":"${base}/api/rest/shelves?_pn=1&_ps=2"}}}`,
  )
})

test('a list without paging in HAL has no page', () => {
  expect(JSON.parse(writePage(hal, unpaged, []))).toEqual({
    _embedded: { shelves: [] },
    _links: { self: { href: `${base}/api/rest/shelves?page=no` } },
  })
})
