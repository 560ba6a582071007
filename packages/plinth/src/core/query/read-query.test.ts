import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Visibility } from '../model/views.ts'
import { Problem } from '../problem.ts'
import {
  all,
  anyText,
  createSight,
  faultsOf,
  films,
  onlyAnn,
  problemOf,
  resource,
  shorten,
  visitor,
} from './film-store.fixture.ts'
import type { IncludeNode } from './include-paths.ts'
import { pageLinks } from './page-links.ts'
import { readParameters } from './parameters.ts'
import { toName } from './query-path.ts'
import { readItemOptions, readSearch } from './read-query.ts'

const search = (text: string, visibility: Visibility = all) =>
  readSearch(readParameters(text), films, { visibility, maxPageSize: 500 })

const wild = (name: string, ...pattern: string[]) => ({ like: name, pattern, ignoreCase: true })

test('a request without parameters asks for the first page of all', () => {
  const found = search('')
  expect(found).toMatchObject({ kind: 'page', pks: [], include: [] })
  expect(found.query).toMatchObject({ filter: null, total: 'exact', window: { kind: 'offset', offset: 0, limit: 10 } })
  expect(found.query.linkFilters.size).toBe(0)
  expect(found.view).toBe(all.view(films))
})

test.each([
  ['title=Alien', { eq: 'title', value: 'Alien' }],
  ['title=Alien&title=Aliens', { in: 'title', values: ['Alien', 'Aliens'] }],
  ['title=al%25', wild('title', 'al', '')],
  ['title=*ie*', wild('title', '', 'ie', '')],
  ['title=a\\*', { eq: 'title', value: 'a*' }],
  ['title=C:\\films\\\\x', { eq: 'title', value: 'C:\\films\\x' }],
  ['title=a*&title=b&title=c', { or: [{ in: 'title', values: ['b', 'c'] }, wild('title', 'a', '')] }],
  ['title=', { eq: 'title', value: '' }],
  ["title=a';b==c", { eq: 'title', value: "a';b==c" }],
  ['tags=n*', wild('tags', 'n', '')],
  ['tags=new', { eq: 'tags', value: ['new'] }],
  [
    'year=1979&rating=r',
    {
      and: [
        { eq: 'year', value: 1979 },
        { eq: 'rating', value: 'R' },
      ],
    },
  ],
  ['id=1', { eq: 'pk', value: '1' }],
  ['strategy=s', { eq: 'strategy', value: 's' }],
  ['strategy.id=s', { eq: 'strategy', value: 's' }],
  ['strategy.name=new*', wild('strategy.name', 'new', '')],
  ['copies.bought=1&copies.bought=2', { in: 'copies.bought', values: [1, 2] }],
  ['copyCount=0', { eq: 'copyCount', value: 0 }],
  ['createdDate=2024-01-01T02:00:00+02:00', { eq: 'createdDate', value: '2024-01-01T00:00:00.000Z' }],
  ['filter[title]=Alien', { eq: 'title', value: 'Alien' }],
  ['filter[title]=Al*', { eq: 'title', value: 'Al*' }],
  ['filter[year]=1,2', { in: 'year', values: [1, 2] }],
  ['filter[title]=a\\,b,c\\\\,d', { in: 'title', values: ['a,b', 'c\\', 'd'] }],
  ['filter[title][]=a,b', { eq: 'title', value: 'a,b' }],
  ['filter[id][]=1&filter[id][]=2', { in: 'pk', values: ['1', '2'] }],
  ['filter[strategy.name]=x', { eq: 'strategy.name', value: 'x' }],
  [
    'filter[title]=a&filter[year]=1',
    {
      and: [
        { eq: 'title', value: 'a' },
        { eq: 'year', value: 1 },
      ],
    },
  ],
  ['filter=year>1&title=x&nope=y', { gt: 'year', value: 1 }],
  [
    'filter=year>1&filter[title]=x',
    {
      and: [
        { eq: 'title', value: 'x' },
        { gt: 'year', value: 1 },
      ],
    },
  ],
  ['filter=+&title=x', { eq: 'title', value: 'x' }],
])('%s restricts the search', (text, expected) => {
  expect(shorten(search(text).query.filter)).toEqual(expected)
})

test.each([
  ['nope=1', 'nope', 'nope', 'unknown_member'],
  ['cost=1', 'cost', 'cost', 'unknown_member'],
  ['key=1', 'key', 'key', 'unknown_member'],
  ['vault=1', 'vault', 'vault', 'unknown_member'],
  ['vault.shelf=1', 'vault.shelf', 'vault.shelf', 'unknown_member'],
  ['owner.diary=1', 'owner.diary', 'owner.diary', 'unknown_member'],
  ['__proto__=1', '__proto__', '__proto__', 'unknown_member'],
  ['filter[cost]=1', 'filter[cost]', 'cost', 'unknown_member'],
  ['filter[owner.diary][]=1', 'filter[owner.diary][]', 'owner.diary', 'unknown_member'],
  ['year=', 'year', 'year', 'bad_value'],
  ['filter[year]=1,x', 'filter[year]', 'year', 'bad_value'],
  ['title=%00*', 'title', 'title', 'bad_value'],
  ['metadata=x', 'metadata', 'metadata', 'unsearchable'],
  ['filter[metadata]=x', 'filter[metadata]', 'metadata', 'unsearchable'],
])('%s is refused, naming parameter and field', (text, parameter, field, code) => {
  expect(problemOf(() => search(text, visitor)).code).toBe('bad_parameter')
  expect(faultsOf(() => search(text, visitor))).toMatchObject([{ parameter, member: field, code }])
})

test.each([
  ['filter=year==1&filter=year==2', 'filter', "'filter' is given 2 times; it must be given once."],
  ['sort=year&sort=title', 'sort', "'sort' is given 2 times; it must be given once."],
  [
    'page=1',
    'page',
    "'page' only accepts the value no, for the whole collection, but got '1'; use _pn or page[number] for page numbers.",
  ],
  [
    'filter[year][gt]=1',
    'filter[year][gt]',
    "'filter[year][gt]' must be filter[field] or filter[field][]; use filter= for other comparisons.",
  ],
  ['filter[]=1', 'filter[]', "'filter[]' must be filter[field] or filter[field][]; use filter= for other comparisons."],
  ['fields[nope]=a', 'fields[nope]', "'fields[nope]' must name a type in this response, as in fields[films]."],
  [
    'fields[vaults]=shelf',
    'fields[vaults]',
    "'fields[vaults]' must name a type in this response, as in fields[films].",
  ],
  [
    'fields[islands]=name',
    'fields[islands]',
    "'fields[islands]' must name a type in this response, as in fields[films].",
  ],
  ['fields=title&fields[films]=year', 'fields[films]', 'The fields of films are given twice; they must be given once.'],
  ['pks=a%00', 'pks', "'a\0' contains invalid characters."],
])('%s is refused with advice', (text, parameter, message) => {
  expect(faultsOf(() => search(text, visitor))).toMatchObject([{ parameter, message }])
})

test('every fault of a request is named at once', () => {
  const text = 'filter[nope]=1&_ps=0&sort=nope&include=nope&fields=nope&filter=year==x'
  expect(faultsOf(() => search(text)).map(fault => fault.parameter)).toEqual([
    'include',
    'fields',
    'sort',
    'filter[nope]',
    'filter',
    '_ps',
  ])
  expect(problemOf(() => search(text)).message).toMatch(/^films has no relation 'nope'; .* \(5 more in errors\)$/)
  expect(faultsOf(() => search('nope=1&year=x&year=y&_pn=z'))).toHaveLength(4)
})

test('a request full of faults is refused before the answer grows', () => {
  const many = Array.from({ length: 500 }, (_, at) => `nope${at}`)
  expect(faultsOf(() => search(many.map(name => `${name}=1`).join('&')))).toHaveLength(20)
  expect(faultsOf(() => search(`fields=${many.join()}`))).toHaveLength(20)
})

const relationPaths = ['', 'sequel.', 'sequel.sequel.', 'sequel.sequel.sequel.'].flatMap(prefix =>
  ['strategy', 'vault', 'owner', 'copies', 'categories', 'sequel'].map(name => `${prefix}${name}`),
)

test('twenty paths may be included', () => {
  expect(search(`include=${relationPaths.slice(0, 20).join()}`).include).toHaveLength(6)
})

test.each([
  ['501 identifiers', `pks=${Array.from({ length: 501 }, (_, at) => at).join()}`],
  ['501 values', `filter[year]=${Array.from({ length: 501 }, (_, at) => at).join()}`],
  ['501 repeated values', Array.from({ length: 501 }, (_, at) => `year=${at}`).join('&')],
  ['101 wildcards', Array.from({ length: 101 }, (_, at) => `title=${at}*`).join('&')],
  ['21 includes', `include=${relationPaths.slice(0, 21).join()}`],
])('%s are too costly', (_name, text) => {
  expect(() => search(text)).toThrow(expect.objectContaining({ code: 'too_costly' }))
})

test('criteria and sort together follow at most thirty relations', () => {
  const names = ['strategy', 'owner', 'vault', 'copies', 'sequel']
  const prefixes = ['', 'sequel.', 'sequel.sequel.', 'sequel.sequel.sequel.', 'sequel.sequel.sequel.sequel.']
  const paths = prefixes.flatMap(prefix => names.map(name => `${prefix}${name}.version`))
  const criteria = (count: number) =>
    paths
      .slice(0, count)
      .map(path => `${path}=1`)
      .join('&')
  expect(search(criteria(25)).query.filter).toMatchObject({ op: 'and' })
  expect(problemOf(() => search(`${criteria(25)}&${paths.map(path => `copies.film.${path}=1`).join('&')}`)).code).toBe(
    'too_costly',
  )
})

test('equal steps share one link filter, even if the visibility creates it again', () => {
  const renewing: Visibility = { view: all.view, records: () => ({ ...onlyAnn }) }
  const { query } = search('sort=owner.name&owner.name=x', renewing)
  const linkFilter = query.sort[0]?.path.steps[0]?.linkFilter
  expect(linkFilter).toEqual(onlyAnn)
  expect(query.filter?.op === 'eq' && query.filter.path.steps[0]?.linkFilter).toBe(linkFilter)
  expect(query.linkFilters.get('owner')).toBe(linkFilter)
})

test('records are asked for by their identifiers, in order and each once', () => {
  const found = search('pks=b,a,&pks[]=c&pks[]=a&sort=-title&_pn=x')
  expect(found).toMatchObject({ kind: 'pks', pks: ['b', 'a', 'c'] })
  expect(shorten(found.query.filter)).toEqual({ in: 'pk', values: ['b', 'a', 'c'] })
  expect(found.query).toMatchObject({ window: { kind: 'offset', offset: 0, limit: 3 }, total: 'none' })
  expect(found.query.sort.map(({ path }) => toName(path))).toEqual(['title', 'pk'])
  expect(shorten(search('pks=a&year=1').query.filter)).toEqual({
    and: [
      { eq: 'year', value: 1 },
      { in: 'pk', values: ['a'] },
    ],
  })
})

test('no identifiers find no records', () => {
  expect(search('pks=').query.filter).toEqual({ op: 'const', value: false })
})

test('the whole collection has an order and no criteria', () => {
  const found = search('page=no&sort=-year&filter=nope==1&title=x&_pn=7')
  expect(found.kind).toBe('all')
  expect(found.query).toMatchObject({ filter: null, total: 'none', window: { kind: 'offset', offset: 0, limit: 500 } })
  expect(found.query.sort.map(({ path }) => toName(path))).toEqual(['year', 'pk'])
})

test('links to records that the caller does not see, and counts of them, are guarded', () => {
  expect([...search('', visitor).query.linkFilters]).toEqual([
    ['vault', false],
    ['owner', onlyAnn],
  ])
  const noCategories = createSight([], { categories: false, copies: false })
  expect([...search('', noCategories).query.linkFilters]).toEqual([
    ['copyCount', false],
    ['categories', false],
  ])
})

const treeOf = (nodes: readonly IncludeNode[]): unknown =>
  Object.fromEntries(nodes.map(node => [`${node.relation.name}${node.linkFilter ? '?' : ''}`, treeOf(node.deeper)]))

test.each([
  ['', {}],
  ['strategy', { strategy: {} }],
  ['copies.film.strategy,copies, sequel', { copies: { film: { strategy: {} } }, sequel: {} }],
  ['copies,copies.film,copies.film,copies.film.sequel', { copies: { film: { sequel: {} } } }],
  ['owner', { 'owner?': {} }],
  [Array(1000).fill('sequel.sequel').join(), { sequel: { sequel: {} } }],
])('include %j is a tree', (include, expected) => {
  expect(treeOf(search(`include=${include}`, visitor).include)).toEqual(expected)
})

test.each([
  ['nope', 0, 'unknown_member'],
  ['sequel,title', 7, 'unknown_member'],
  ['vault', 0, 'unknown_member'],
  ['sequel.vault', 7, 'unknown_member'],
  ['sequel.sequel.sequel.sequel.sequel.sequel', 0, 'too_deep'],
])('include %j is refused at position %i', (include, position, code) => {
  expect(faultsOf(() => search(`include=${include}`, visitor))).toMatchObject([
    { parameter: 'include', position, code },
  ])
})

test.each([
  ['fields=title', ['pk', 'title']],
  ['fields[films]=year,%20title,id', ['pk', 'title', 'year']],
  ['fields[films]=', ['pk']],
  ['fields[people]=name', [...visitor.view(films).fields.keys()]],
])('%s narrows the view', (text, expected) => {
  expect([...search(text, visitor).view.fields.keys()]).toEqual(expected)
})

test('included resources are narrowed by their own fields', () => {
  const { viewOf } = search('include=owner&fields[people]=name', visitor)
  expect([...viewOf(resource('people')).fields.keys()]).toEqual(['pk', 'name'])
  expect(viewOf(resource('copies'))).toBe(visitor.view(resource('copies')))
})

test('equal selections share one view', () => {
  expect(search('fields=title,year').view).toBe(search('fields[films]=year,title').view)
})

test.each(['nope', 'cost', 'key'])('the field %s is unknown', name => {
  expect(faultsOf(() => search(`fields=title,${name}`, visitor))).toMatchObject([
    { parameter: 'fields', member: name, position: 6, code: 'unknown_member' },
  ])
})

test('a request for one record reads include and fields and nothing else', () => {
  const options = readItemOptions(readParameters('include=owner&fields=title&nope=1&_pn=x'), films, visitor)
  expect(treeOf(options.include)).toEqual({ 'owner?': {} })
  expect([...options.view.fields.keys()]).toEqual(['pk', 'title'])
  expect(faultsOf(() => readItemOptions(readParameters('include=vault'), films, visitor))).toHaveLength(1)
})

test('any query is read, and its links with it, or refused with a problem', async () => {
  const name = fc.oneof(
    anyText,
    fc.constantFrom('filter', 'sort', 'include', 'fields', 'fields[people]', 'page', 'pks', '_pn', '_ps', 'page[size]'),
    fc.constantFrom(
      '_after',
      '_before',
      'page[offset]',
      '_total',
      'title',
      'owner.name',
      'filter[year]',
      'filter[tags][]',
    ),
  )
  const value = fc.oneof(
    anyText,
    fc.constantFrom('1', 'no', 'title', 'owner', '-year,title', 'year>1', 'exact', 'a*,b'),
  )
  const query = fc.array(fc.tuple(name, value), { maxLength: 4 })
  await checkProperty(
    fc.property(query, pairs => {
      try {
        const parameters = readParameters(pairs.map(pair => pair.map(toEncoded).join('=')).join('&'))
        const found = readSearch(parameters, films, { visibility: visitor, maxPageSize: 500 })
        expect(
          pageLinks(found, parameters, { total: 7, estimated: false, prev: null, next: null }, '/films').self,
        ).toMatch(/^\/films/)
      } catch (error) {
        expect(error).toBeInstanceOf(Problem)
      }
    }),
    { runs: 1000 },
  )
})

const toEncoded = (text: string): string => encodeURIComponent(text.toWellFormed())
