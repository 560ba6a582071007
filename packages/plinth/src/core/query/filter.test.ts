import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Visibility } from '../model/views.ts'
import { Problem } from '../problem.ts'
import { all, createSight, field, films, onlyAnn, resource, shorten, visitor } from './film-store.fixture.ts'
import { readFilter } from './filter.ts'
import { toName } from './query-path.ts'
import { createScope } from './scope.ts'

const read = (text: string, visibility: Visibility = all) => {
  const scope = createScope(visibility)
  return { filter: readFilter(text, films, scope), faults: scope.faults }
}

test.each([
  ['title==Alien', { eq: 'title', value: 'Alien' }],
  ['title!=Alien', { ne: 'title', value: 'Alien' }],
  ['title==Al*', { like: 'title', pattern: ['Al', ''], ignoreCase: false }],
  ['title!=%i%n', { unlike: 'title', pattern: ['', 'i', 'n'], ignoreCase: false }],
  ['title==A\\*', { eq: 'title', value: 'A*' }],
  ["title=='\\%'", { eq: 'title', value: '%' }],
  ["title==''", { eq: 'title', value: '' }],
  ["title!=''", { ne: 'title', value: '' }],
  ['title=like=Al*', { like: 'title', pattern: ['Al', ''], ignoreCase: false }],
  ['title=like=Alien', { like: 'title', pattern: ['Alien'], ignoreCase: false }],
  ['title=ilike=alien', { like: 'title', pattern: ['alien'], ignoreCase: true }],
  ['title=in=(a*,b)', { in: 'title', values: ['a*', 'b'] }],
  ['title>M', { gt: 'title', value: 'M' }],
  ['pk==1', { eq: 'pk', value: '1' }],
  ['id==1', { eq: 'pk', value: '1' }],
  ['rating==pg', { eq: 'rating', value: 'PG' }],
  ['year=ge=1979', { ge: 'year', value: 1979 }],
  ['year=out=(1,2)', { out: 'year', values: [1, 2] }],
  [
    'year=bt=(1,2)',
    {
      and: [
        { ge: 'year', value: 1 },
        { le: 'year', value: 2 },
      ],
    },
  ],
  ['cost<9.99', { lt: 'cost', value: 999 }],
  ['available==true', { eq: 'available', value: true }],
  ['createdDate>0', { gt: 'createdDate', value: '1970-01-01T00:00:00.000Z' }],
  ["createdDate=='2024-01-01T02:00:00+02:00'", { eq: 'createdDate', value: '2024-01-01T00:00:00.000Z' }],
  ['description=isnull=true', { null: 'description', isNull: true }],
  ['description=isnull=false', { null: 'description', isNull: false }],
  ['tags==new', { eq: 'tags', value: ['new'] }],
  ['tags==n*', { like: 'tags', pattern: ['n', ''], ignoreCase: false }],
  ['tags=in=(a,b)', { in: 'tags', values: [['a'], ['b']] }],
  ['copyCount>=2', { ge: 'copyCount', value: 2 }],
  ['strategy==s', { eq: 'strategy', value: 's' }],
  ['strategy.pk==s', { eq: 'strategy', value: 's' }],
  ['strategy.id=in=(s,t)', { in: 'strategy', values: ['s', 't'] }],
  ['strategy=isnull=true', { null: 'strategy', isNull: true }],
  ['strategy.name==new', { eq: 'strategy.name', value: 'new' }],
  ['copies==c', { eq: 'copies.pk', value: 'c' }],
  ['copies=isnull=false', { null: 'copies.pk', isNull: false }],
  ['copies=isnull=true', { not: { null: 'copies.pk', isNull: false } }],
  ['copies.film.copies.bought>1', { gt: 'copies.film.copies.bought', value: 1 }],
  ['categories.name==x', { eq: 'categories.name', value: 'x' }],
  ['sequel.sequel.sequel.sequel.sequel.title==x', { eq: 'sequel.sequel.sequel.sequel.sequel.title', value: 'x' }],
  [
    'title==a;year==1,pk==2',
    {
      or: [
        {
          and: [
            { eq: 'title', value: 'a' },
            { eq: 'year', value: 1 },
          ],
        },
        { eq: 'pk', value: '2' },
      ],
    },
  ],
])('%s becomes a filter', (text, expected) => {
  const { filter, faults } = read(text)
  expect(faults).toEqual([])
  expect(shorten(filter)).toEqual(expected)
})

test('a range on a reference needs no linkFilter', () => {
  const parts = [
    { ge: 'strategy.dailyPrice', value: 100 },
    { le: 'strategy.dailyPrice', value: 200 },
  ]
  expect(shorten(read('strategy.dailyPrice=bt=(1,2)').filter)).toEqual({ and: parts })
})

test('both ends of a range must hold for the same related record', () => {
  const { filter } = read('copies.bought=bt=(1,5)')
  expect(shorten(filter)).toEqual({ le: 'copies?.bought', value: 5 })
  expect(filter).toMatchObject({ path: { steps: [{ linkFilter: { op: 'ge', path: { steps: [] }, value: 1 } }] } })
})

test.each([
  ['owner==o', { eq: 'owner?.pk', value: 'o' }],
  ['owner.pk==o', { eq: 'owner?.pk', value: 'o' }],
  ['owner.name==o', { eq: 'owner?.name', value: 'o' }],
  ['owner=isnull=true', { not: { null: 'owner?.pk', isNull: false } }],
])('%s looks only at related records that the caller sees', (text, expected) => {
  const { filter, faults } = read(text, visitor)
  expect(faults).toEqual([])
  expect(shorten(filter)).toEqual(expected)
  expect(JSON.stringify(shorten(filter))).toContain('?')
})

test('the linkFilter of a step is the filter on what the caller sees', () => {
  const { filter } = read('owner.name==o', visitor)
  expect(filter).toMatchObject({ path: { steps: [{ relation: field('owner'), linkFilter: onlyAnn }] } })
})

const filmFields =
  'pk, title, description, rating, year, available, metadata, tags, strategy, owner, copies, copyCount, categories, sequel, createdDate, lastModifiedDate, version'
const filmRelations = 'strategy, owner, copies, categories, sequel'
const personFields = 'pk, name, createdDate, lastModifiedDate, version'

test.each([
  ['an unknown field', 'year==1;nope==1', 8, 'nope', `films has no member 'nope'; it has ${filmFields}.`],
  ['a hidden field', 'cost==1', 0, 'cost', `films has no member 'cost'; it has ${filmFields}.`],
  ['a write-only field', 'key==1', 0, 'key', `films has no member 'key'; it has ${filmFields}.`],
  ['a relation to hidden records', 'vault==1', 0, 'vault', `films has no member 'vault'; it has ${filmFields}.`],
  ['its test for absence', 'vault=isnull=true', 0, 'vault', `films has no member 'vault'; it has ${filmFields}.`],
  [
    'a field of hidden records',
    'vault.shelf==1',
    0,
    'vault.shelf',
    `films has no relation 'vault'; it has ${filmRelations}.`,
  ],
  ['the pk of hidden records', 'vault.pk==1', 0, 'vault.pk', `films has no relation 'vault'; it has ${filmRelations}.`],
  ['an unknown relation', 'nope.shelf==1', 0, 'nope.shelf', `films has no relation 'nope'; it has ${filmRelations}.`],
  ['a step from a value', 'title.x==1', 0, 'title.x', `films has no relation 'title'; it has ${filmRelations}.`],
  [
    'a hidden related field',
    'owner.diary==1',
    6,
    'owner.diary',
    `people has no member 'diary'; it has ${personFields}.`,
  ],
  [
    'an unknown related field',
    'owner.nopes==1',
    6,
    'owner.nopes',
    `people has no member 'nopes'; it has ${personFields}.`,
  ],
  ['an inherited name', 'constructor==1', 0, 'constructor', `films has no member 'constructor'; it has ${filmFields}.`],
  ['another case', 'Title==1', 0, 'Title', `films has no member 'Title'; it has ${filmFields}.`],
  ['an empty part', 'owner..name==1', 6, 'owner..name', "people has no relation ''; it has none."],
])('%s is answered as unknown', (_name, text, position, name, message) => {
  expect(read(text, visitor).faults).toMatchObject([
    { parameter: 'filter', member: name, position, code: 'unknown_member', message },
  ])
})

test.each([
  ['year==abc', 6, 'bad_value', "year: 'abc' must be a whole number."],
  ["year==''", 6, 'bad_value', "year: '' must be a whole number."],
  ['year=in=(1,x)', 11, 'bad_value', "year: 'x' must be a whole number."],
  ['year==19*', 6, 'bad_value', "year: '19*' must be a whole number."],
  ['rating==X', 8, 'bad_value', "rating: 'X' must be one of unrated, PG, R."],
  ['available==1', 11, 'bad_value', "available: '1' must be true or false."],
  ['createdDate==today', 13, 'bad_value', "createdDate: 'today' must be an ISO 8601 timestamp with a time zone."],
  ['title=isnull=maybe', 13, 'bad_value', "title: 'maybe' must be true or false."],
  ['title==a\u0000*', 7, 'bad_value', "title: 'a\u0000*' contains invalid characters."],
  [
    'available>true',
    9,
    'bad_operator',
    "The operator '>' does not work with available; use one of == != =in= =out= =isnull=.",
  ],
  [
    'tags=bt=(a,b)',
    4,
    'bad_operator',
    "The operator '=bt=' does not work with tags; use one of == != =in= =out= =like= =ilike= =isnull=.",
  ],
  [
    'year=gt=1;year=like=1',
    14,
    'bad_operator',
    "The operator '=like=' does not work with year; use one of == != > >= < <= =in= =out= =isnull= =bt=.",
  ],
  [
    'available=ge=true',
    9,
    'bad_operator',
    "The operator '=ge=' does not work with available; use one of == != =in= =out= =isnull=.",
  ],
  ['metadata==x', 0, 'unsearchable', 'metadata is not searchable; remove it from the filter.'],
  ['metadata=isnull=true', 0, 'unsearchable', 'metadata is not searchable; remove it from the filter.'],
  [
    'sequel.sequel.sequel.sequel.sequel.sequel.title==x',
    0,
    'too_deep',
    "'sequel.sequel.sequel.sequel.sequel.sequel.title' follows more than 5 relations.",
  ],
  [
    'sequel.sequel.sequel.sequel.sequel.copies==x',
    0,
    'too_deep',
    "'sequel.sequel.sequel.sequel.sequel.copies' follows more than 5 relations.",
  ],
])('%s is refused at position %i', (text, position, code, message) => {
  expect(read(text).faults).toMatchObject([{ parameter: 'filter', position, code, message }])
})

test('every fault of a filter is named at once', () => {
  expect(read('nope==1;year==x,available>true').faults.map(fault => fault.code)).toEqual([
    'unknown_member',
    'bad_value',
    'bad_operator',
  ])
})

test('a field that one caller may not read is answered alike whether it exists or not', () => {
  const hidden = createSight(['films.title'])
  const without = (name: string) => JSON.stringify(read(`${name}==x`, hidden).faults).replaceAll(name, '…')
  expect(without('title')).toBe(without('tilte'))
})

test('any filter text gives a filter, noted faults or a problem', async () => {
  const word = fc.constantFrom(...resource('films').fields.keys(), 'x', '1', 'true', '*', "''")
  const operator = fc.constantFrom('==', '!=', '>', '=in=', '=bt=', '=isnull=', '=like=', '=ilike=')
  const comparison = fc.tuple(word, fc.constantFrom('', '.pk', '.title'), operator, word).map(parts => parts.join(''))
  await checkProperty(
    fc.property(fc.array(comparison, { minLength: 1, maxLength: 5 }), comparisons => {
      try {
        const { filter, faults } = read(comparisons.join(';'), visitor)
        expect(filter !== null || faults.length > 0).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(Problem)
      }
    }),
  )
})

test('a path is named as it is walked', () => {
  const { filter } = read('copies.film.title==x')
  expect(filter?.op === 'eq' && toName(filter.path)).toBe('copies.film.title')
})
