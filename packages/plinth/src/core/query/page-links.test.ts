import { expect, test } from 'vitest'
import { toCursor } from './cursor.ts'
import { all, films } from './film-store.fixture.ts'
import { pageLinks, toPaging } from './page-links.ts'
import { readParameters } from './parameters.ts'
import { readSearch } from './read-query.ts'

const context = { visibility: all, maxPageSize: 500 }

type Keys = readonly unknown[] | null

const linksOf = (search: string, total: number | null, { prev = null, next = null }: { prev?: Keys; next?: Keys }) => {
  const parameters = readParameters(search)
  const found = readSearch(parameters, films, context)
  const estimated = found.query.total === 'estimated'
  const links = pageLinks(found, parameters, { total, estimated, prev, next }, '/films')
  return Object.fromEntries(Object.entries(links).map(([rel, link]) => [rel, decodeURIComponent(link)]))
}

const cursor = (sort: string, values: readonly unknown[]) =>
  toCursor(readSearch(readParameters(sort), films, context).query.sort, values)

test.each([
  ['the first page of one', '', 3, {}, { self: '/films', first: '/films', last: '/films?_pn=0' }],
  ['an empty page', '', 0, {}, { self: '/films', first: '/films', last: '/films?_pn=0' }],
  [
    'a page in the middle',
    '_pn=2&sort=title&_ps=5',
    23,
    { prev: ['A', 'o'], next: ['A', 'p'] },
    {
      self: '/films?_pn=2&sort=title&_ps=5',
      first: '/films?sort=title&_ps=5',
      prev: `/films?sort=title&_ps=5&_before=${cursor('sort=title', ['A', 'o'])}`,
      next: `/films?sort=title&_ps=5&_after=${cursor('sort=title', ['A', 'p'])}`,
      last: '/films?sort=title&_ps=5&_pn=4',
    },
  ],
  [
    'a page beyond the end',
    '_pn=9',
    23,
    {},
    { self: '/films?_pn=9', first: '/films', prev: '/films?_pn=2', last: '/films?_pn=2' },
  ],
  [
    'the bracketed style',
    'page[number]=1&page[size]=5',
    11,
    { prev: ['o'], next: ['p'] },
    {
      self: '/films?page[number]=1&page[size]=5',
      first: '/films?page[size]=5',
      prev: `/films?page[size]=5&page[before]=${cursor('', ['o'])}`,
      next: `/films?page[size]=5&page[after]=${cursor('', ['p'])}`,
      last: '/films?page[size]=5&page[number]=2',
    },
  ],
  [
    'offsets',
    'page[offset]=3&page[limit]=5',
    11,
    { prev: ['o'] },
    {
      self: '/films?page[offset]=3&page[limit]=5',
      first: '/films?page[limit]=5',
      prev: `/films?page[limit]=5&page[before]=${cursor('', ['o'])}`,
      last: '/films?page[limit]=5&page[offset]=10',
    },
  ],
  [
    'a page of offsets beyond the end',
    'page[offset]=30&page[limit]=5',
    11,
    {},
    {
      self: '/films?page[offset]=30&page[limit]=5',
      first: '/films?page[limit]=5',
      prev: '/films?page[limit]=5&page[offset]=10',
      last: '/films?page[limit]=5&page[offset]=10',
    },
  ],
  [
    'the page after a cursor',
    `_after=${cursor('', ['n'])}`,
    11,
    { prev: ['o'], next: ['p'] },
    {
      self: `/films?_after=${cursor('', ['n'])}`,
      first: '/films',
      prev: `/films?_before=${cursor('', ['o'])}`,
      next: `/films?_after=${cursor('', ['p'])}`,
      last: '/films?_pn=1',
    },
  ],
  [
    'the page after a cursor, with an estimated total',
    `_after=${cursor('', ['n'])}&_total=estimated`,
    99,
    { prev: ['o'], next: ['p'] },
    {
      self: `/films?_after=${cursor('', ['n'])}&_total=estimated`,
      first: '/films?_total=estimated',
      prev: `/films?_total=estimated&_before=${cursor('', ['o'])}`,
      next: `/films?_total=estimated&_after=${cursor('', ['p'])}`,
      last: '/films?_total=estimated&_before=end',
    },
  ],
  [
    'the start, found before a cursor',
    `page[before]=${cursor('', ['n'])}`,
    11,
    { next: ['m'] },
    {
      self: `/films?page[before]=${cursor('', ['n'])}`,
      first: '/films',
      next: `/films?page[after]=${cursor('', ['m'])}`,
      last: '/films?page[number]=1',
    },
  ],
  [
    'no total',
    '_pn=1&_total=none',
    null,
    {},
    { self: '/films?_pn=1&_total=none', first: '/films?_total=none', prev: '/films?_total=none&_pn=0' },
  ],
  [
    'an estimated total',
    '_total=estimated',
    99,
    {},
    { self: '/films?_total=estimated', first: '/films?_total=estimated', last: '/films?_total=estimated&_before=end' },
  ],
  ['identifiers', 'pks=a,b', null, {}, { self: '/films?pks=a,b' }],
  ['the whole collection', 'page=no', null, {}, { self: '/films?page=no' }],
])('%s has the links that can be followed', (_name, search, total, found, expected) => {
  expect(linksOf(search, total, found)).toEqual(expected)
})

test('every other parameter is kept, encoded again', () => {
  const parameters = readParameters('title=a%26b+c%2B&title=%C3%A9&filter[year]=1&_pn=1')
  const found = { total: null, estimated: false, prev: null, next: null }
  const links = pageLinks(readSearch(parameters, films, context), parameters, found, '/films')
  expect(links.first).toBe('/films?title=a%26b%20c%2B&title=%C3%A9&filter%5Byear%5D=1')
  expect([...readParameters(links.first?.split('?')[1] ?? '')]).toEqual([
    ['title', ['a&b c+', 'é']],
    ['filter[year]', ['1']],
  ])
})

test('the next and the previous page can be asked for by their links', () => {
  const parameters = readParameters('sort=-title&_pn=1')
  const found = { total: 99, estimated: false, prev: ['Z', 'q'], next: ['Ü', 'p'] }
  const { prev = '', next = '' } = pageLinks(readSearch(parameters, films, context), parameters, found, '/films')
  const windowOf = (link: string) => readSearch(readParameters(link.split('?')[1] ?? ''), films, context).query.window
  expect(windowOf(prev)).toEqual({ kind: 'before', values: ['Z', 'q'], limit: 10 })
  expect(windowOf(next)).toEqual({ kind: 'after', values: ['Ü', 'p'], limit: 10 })
})

test('a cursor too long for a request line gives way to a number', () => {
  const long = 'x'.repeat(4000)
  const found = { prev: [long, 'o'], next: [long, 'p'] }
  expect(linksOf('sort=description&_pn=1', null, found)).toMatchObject({
    prev: '/films?sort=description&_pn=0',
    next: '/films?sort=description&_pn=2',
  })
  expect(linksOf('sort=description&page[offset]=5', null, found)).toMatchObject({
    prev: '/films?sort=description&page[offset]=0',
    next: '/films?sort=description&page[offset]=15',
  })
})

test.each([
  ['_pn=2&_ps=5', 23, { size: 5, number: 2, totalElements: 23, totalPages: 5 }],
  ['', 0, { size: 10, number: 0, totalElements: 0, totalPages: 0 }],
  ['page[offset]=7&page[limit]=5', 10, { size: 5, number: 1, totalElements: 10, totalPages: 2 }],
  [`_after=${cursor('', ['o'])}`, null, { size: 10, number: null, totalElements: null, totalPages: null }],
  ['pks=a', null, null],
  ['page=no', null, null],
])('the paging of %s is described', (search, total, expected) => {
  expect(toPaging(readSearch(readParameters(search), films, context), { total, estimated: false })).toEqual(expected)
})
