import { expect, test } from 'vitest'
import { all, films, onlyAnn, problemOf, visitor } from './film-store.fixture.ts'
import { toName } from './query-path.ts'
import { createScope } from './scope.ts'
import { readSort } from './sort.ts'

const read = (text: string | undefined, visibility = all) => {
  const scope = createScope(visibility)
  const { faults } = scope
  const keys = readSort(text, films, scope)
  return { keys, names: keys.map(({ path, descending }) => `${descending ? '-' : ''}${toName(path)}`).join(), faults }
}

test.each([
  [undefined, 'pk'],
  ['', 'pk'],
  ['title', 'title,pk'],
  ['-title', '-title,pk'],
  ['+title, year', 'title,year,pk'],
  [' title', 'title,pk'],
  ['title,,-year,', 'title,-year,pk'],
  ['title,-title,title', 'title,pk'],
  ['-pk,title', '-pk'],
  ['title,-id,year', 'title,-pk'],
  ['available', 'available,pk'],
  ['-copyCount', '-copyCount,pk'],
  ['strategy', 'strategy,pk'],
  ['strategy.pk,strategy', 'strategy,pk'],
  ['strategy.name', 'strategy.name,pk'],
  ['sequel.strategy.dailyPrice', 'sequel.strategy.dailyPrice,pk'],
])('sort %j orders by %s', (text, expected) => {
  const { names, faults } = read(text)
  expect(faults).toEqual([])
  expect(names).toBe(expected)
})

test('the default order is made once', () => {
  expect(read(undefined).keys).toBe(read('').keys)
})

test('a sort through a relation sees only what the caller sees', () => {
  expect(read('owner.name', visitor).keys[0]?.path.steps[0]?.linkFilter).toBe(onlyAnn)
  expect(read('owner', visitor).names).toBe('owner.pk,pk')
})

test.each([
  ['copies', 0, 'unsortable', 'Records cannot be sorted by copies: it refers to several records.'],
  ['-copies.bought', 1, 'unsortable', 'Records cannot be sorted by copies.bought: it refers to several records.'],
  [
    'title,categories.name',
    6,
    'unsortable',
    'Records cannot be sorted by categories.name: it refers to several records.',
  ],
  ['metadata', 0, 'unsortable', 'Records cannot be sorted by metadata: its values have no order.'],
  ['title,-tags', 7, 'unsortable', 'Records cannot be sorted by tags: its values have no order.'],
])('sort %j is refused at position %i', (text, position, code, message) => {
  expect(read(text).faults).toMatchObject([{ parameter: 'sort', position, code, message }])
})

test.each([
  ['an unknown field', 'title, nope', 7],
  ['a hidden field', '-cost', 1],
  ['a write-only field', 'key', 0],
  ['a field of hidden records', 'vault.shelf', 0],
  ['a hidden related field', 'owner.diary', 6],
])('%s cannot be sorted by', (_name, text, position) => {
  expect(read(text, visitor).faults).toMatchObject([{ parameter: 'sort', position, code: 'unknown_member' }])
})

test('ten fields may be sorted by, not eleven', () => {
  const ten = 'title,description,rating,year,cost,available,version,strategy,owner,copyCount'
  expect(read(ten).keys).toHaveLength(11)
  expect(problemOf(() => read(`${ten},sequel`)).code).toBe('too_costly')
  expect(read(`${ten},title,year`).keys).toHaveLength(11)
})
