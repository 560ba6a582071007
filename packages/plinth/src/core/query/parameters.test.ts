import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../problem.ts'
import { anyText, faultsOf, problemOf } from './film-store.fixture.ts'
import { readParameters } from './parameters.ts'

test.each([
  ['', []],
  ['a=1', [['a', ['1']]]],
  [
    'a=1&b=2&a=3',
    [
      ['a', ['1', '3']],
      ['b', ['2']],
    ],
  ],
  ['a', [['a', ['']]]],
  ['&&a=&', [['a', ['']]]],
  ['a=b=c', [['a', ['b=c']]]],
  ['a+b=c+d%2Be', [['a b', ['c d+e']]]],
  [
    'page%5Bsize%5D=1&page[number]=2',
    [
      ['page[size]', ['1']],
      ['page[number]', ['2']],
    ],
  ],
  ['a=%2541', [['a', ['%41']]]],
  ['a=%C3%A9%F0%9F%98%80', [['a', ['é😀']]]],
  ['a=caf\u00c3\u00a9', [['a', ['café']]]],
  [
    '__proto__=1&constructor=2',
    [
      ['__proto__', ['1']],
      ['constructor', ['2']],
    ],
  ],
])('the query %j is decoded once, in order', (search, expected) => {
  expect([...readParameters(search)]).toEqual(expected)
})

test.each([
  ['title=%', 'title'],
  ['title=%zz', 'title'],
  ['title=%C3', 'title'],
  ['title=%ED%A0%80', 'title'],
  ['a=1&ti%tle=2', 'ti%tle'],
  ['title=\ud800', 'title'],
])('the query %j is refused and its parameter named', (search, parameter) => {
  expect(problemOf(() => readParameters(search)).code).toBe('bad_parameter')
  expect(faultsOf(() => readParameters(search))).toEqual([
    {
      parameter,
      code: 'encoding',
      params: { parameter },
      message: `The parameter '${parameter}' is not percent-encoded UTF-8; encode a percent sign as %25.`,
    },
  ])
})

test('more than a thousand parameters are too costly', () => {
  expect(readParameters('a=1&'.repeat(1000)).get('a')).toHaveLength(1000)
  expect(problemOf(() => readParameters('a=1&'.repeat(1001))).code).toBe('too_costly')
})

test('what was encoded is read back, and anything else is read or refused', async () => {
  const name = fc.string({ unit: 'grapheme-composite', minLength: 1 })
  await checkProperty(
    fc.property(name, fc.string({ unit: 'grapheme-composite' }), (name, value) => {
      const search = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
      expect([...readParameters(search)]).toEqual([[name, [value]]])
    }),
  )
  await checkProperty(
    fc.property(anyText, search => {
      try {
        readParameters(search)
      } catch (error) {
        expect(error).toBeInstanceOf(Problem)
      }
    }),
  )
})
