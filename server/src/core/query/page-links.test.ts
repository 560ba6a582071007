import { expect, test } from 'vitest'
import { toCursor } from './cursor.ts'
import { all, films } from './film-store.fixture.ts'
import { pageLinks, toPaging } from './page-links.ts'
import { readParameters } from './parameters.ts'
import { readSearch } from './read-query.ts'

const context = { sight: all, maxPageSize: 500 }

const linksOf = (search: string, total: number | null, next: readonly unknown[] | null) => {
  const parameters = readParameters(search)
  const found = readSearch(parameters, films, context)
  const links = pageLinks(found, parameters, { total, next }, '/films')
  return Object.fromEntries(Object.entries(links).map(([rel, link]) => [rel, decodeURIComponent(link)]))
}

const after = (sort: string, values: readonly unknown[]) =>
  toCursor(readSearch(readParameters(sort), films, context).query.sort, values)

test.each([
  ['the first page of one', '', 3, null, { self: '/films', first: '/films', last: '/films?_pn=0' }],
  ['an empty page', '', 0, null, { self: '/films', first: '/films', last: '/films?_pn=0' }],
  [
    'a page in the middle',
    '_pn=2&sort=title&_ps=5',
    23,
    ['A', 'p'],
    {
      self: '/films?_pn=2&sort=title&_ps=5',
      first: '/films?sort=title&_ps=5',
      prev: '/films?sort=title&_ps=5&_pn=1',
      next: `/films?sort=title&_ps=5&_after=${after('sort=title', ['A', 'p'])}`,
      last: '/films?sort=title&_ps=5&_pn=4',
    },
  ],
  [
    'a page beyond the end',
    '_pn=9',
    23,
    null,
    { self: '/films?_pn=9', first: '/films', prev: '/films?_pn=2', last: '/films?_pn=2' },
  ],
  [
    'the bracketed style',
    'page[number]=1&page[size]=5',
    11,
    ['p'],
    {
      self: '/films?page[number]=1&page[size]=5',
      first: '/films?page[size]=5',
      prev: '/films?page[size]=5&page[number]=0',
      next: `/films?page[size]=5&page[after]=${after('', ['p'])}`,
      last: '/films?page[size]=5&page[number]=2',
    },
  ],
  [
    'offsets',
    'page[offset]=3&page[limit]=5',
    11,
    null,
    {
      self: '/films?page[offset]=3&page[limit]=5',
      first: '/films?page[limit]=5',
      prev: '/films?page[limit]=5&page[offset]=0',
      last: '/films?page[limit]=5&page[offset]=10',
    },
  ],
  [
    'a cursor',
    `_after=${after('', ['o'])}`,
    11,
    ['p'],
    { self: `/films?_after=${after('', ['o'])}`, first: '/films', next: `/films?_after=${after('', ['p'])}` },
  ],
  [
    'no total',
    '_pn=1&_total=none',
    null,
    null,
    { self: '/films?_pn=1&_total=none', first: '/films?_total=none', prev: '/films?_total=none&_pn=0' },
  ],
  [
    'an estimated total',
    '_total=estimated',
    99,
    null,
    { self: '/films?_total=estimated', first: '/films?_total=estimated' },
  ],
  ['identifiers', 'pks=a,b', null, null, { self: '/films?pks=a,b' }],
  ['the whole collection', 'page=no', null, null, { self: '/films?page=no' }],
])('%s has the links that can be followed', (_name, search, total, next, expected) => {
  expect(linksOf(search, total, next)).toEqual(expected)
})

test('every other parameter is kept, encoded again', () => {
  const parameters = readParameters('title=a%26b+c%2B&title=%C3%A9&filter[year]=1&_pn=1')
  const links = pageLinks(readSearch(parameters, films, context), parameters, { total: null, next: null }, '/films')
  expect(links.first).toBe('/films?title=a%26b%20c%2B&title=%C3%A9&filter%5Byear%5D=1')
  expect([...readParameters(links.first?.split('?')[1] ?? '')]).toEqual([
    ['title', ['a&b c+', 'é']],
    ['filter[year]', ['1']],
  ])
})

test('the next page can be asked for by its link', () => {
  const parameters = readParameters('sort=-title&_pn=1')
  const { next = '' } = pageLinks(
    readSearch(parameters, films, context),
    parameters,
    { total: 99, next: ['Ü', 'p'] },
    '/films',
  )
  const following = readSearch(readParameters(next.split('?')[1] ?? ''), films, context)
  expect(following.query.window).toEqual({ kind: 'after', values: ['Ü', 'p'], limit: 10 })
})

test('a cursor too long for a request line gives way to a number', () => {
  const long = 'x'.repeat(4000)
  expect(linksOf('sort=description&_pn=1', null, [long, 'p']).next).toBe('/films?sort=description&_pn=2')
  expect(linksOf('sort=description&page[offset]=5', null, [long, 'p']).next).toBe(
    '/films?sort=description&page[offset]=15',
  )
})

test.each([
  ['_pn=2&_ps=5', 23, { size: 5, number: 2, totalElements: 23, totalPages: 5 }],
  ['', 0, { size: 10, number: 0, totalElements: 0, totalPages: 0 }],
  ['page[offset]=7&page[limit]=5', 10, { size: 5, number: 1, totalElements: 10, totalPages: 2 }],
  [`_after=${after('', ['o'])}`, null, { size: 10, number: null, totalElements: null, totalPages: null }],
  ['pks=a', null, null],
  ['page=no', null, null],
])('the paging of %s is described', (search, total, expected) => {
  expect(toPaging(readSearch(readParameters(search), films, context), total)).toEqual(expected)
})
