import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fault } from '../fault.ts'
import { ValueFault } from '../model/value-fault.ts'
import { readCursor, toCursor } from './cursor.ts'
import { all, films, resource } from './film-store.fixture.ts'
import { createScope } from './scope.ts'
import { readSort } from './sort.ts'

const sortBy = (text: string, of = films) => readSort(text, of, createScope(all))
const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url')

const text = fc.string({ unit: 'grapheme-composite' }).filter(value => !value.includes('\0'))
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary)

test('a cursor reads back as the values it was made of', async () => {
  const sort = sortBy('title,-year,cost,available,createdDate,rating,strategy.name,sequel,copyCount')
  const values = fc.tuple(
    orNull(text),
    orNull(fc.maxSafeInteger()),
    orNull(fc.maxSafeInteger()),
    orNull(fc.boolean()),
    orNull(
      fc
        .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map(date => date.toISOString()),
    ),
    orNull(fc.constantFrom('unrated', 'PG')),
    orNull(text),
    orNull(text),
    fc.nat(),
    text,
  )
  await checkProperty(
    fc.property(values, values => {
      const cursor = toCursor(sort, values)
      expect(cursor).toMatch(/^[\w-]+$/)
      // JSON has one zero.
      expect(readCursor(cursor, sort)).toEqual(values.map(value => (value === 0 ? 0 : value)))
    }),
  )
})

const foreign = new ValueFault(fault('other_cursor'))
const malformed = new ValueFault(fault('cursor'))

test.each([
  ['another order', toCursor(sortBy('-title'), ['a', 'b']), foreign],
  ['another resource', toCursor(sortBy('name', resource('people')), ['a', 'b']), foreign],
  ['fewer keys', toCursor(sortBy(''), ['b']), foreign],
  ['nothing', '', malformed],
  ['padding', `${toCursor(sortBy('title'), ['a', 'b'])}=`, malformed],
  ['other characters', 'a b', malformed],
  ['no JSON', Buffer.from('nope').toString('base64url'), malformed],
  ['no UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]).toString('base64url'), malformed],
  ['no list', encode({ 0: 'films:title,pk' }), malformed],
  ['no order', encode([1, 2, 3]), malformed],
  ['too few values', encode(['films:title,pk', 'a']), malformed],
  ['too many values', encode(['films:title,pk', 'a', 'b', 'c']), malformed],
  ['a number for a text', encode(['films:title,pk', 1, 'b']), malformed],
  ['an object for a text', encode(['films:title,pk', { a: 1 }, 'b']), malformed],
  ['NUL in a text', encode(['films:title,pk', '\0', 'b']), malformed],
  ['half a character', Buffer.from('["films:title,pk","\\ud800","b"]').toString('base64url'), malformed],
  ['a pk of null', encode(['films:title,pk', 'a', null]), malformed],
])('a cursor with %s is refused', (_name, cursor, refusal) => {
  expect(() => readCursor(cursor, sortBy('title'))).toThrow(refusal)
})

test.each([
  ['year', '1'],
  ['year', 1.5],
  ['year', 2 ** 53],
  ['cost', true],
  ['available', 1],
  ['createdDate', 'today'],
  ['createdDate', '2024-01-01T00:00:00Z'],
  ['createdDate', '0'],
  ['rating', 'pg'],
  ['copyCount', 'many'],
  ['strategy', 7],
])('a cursor whose %s is %j is refused', (name, value) => {
  expect(() => readCursor(encode([`films:${name},pk`, value, 'b']), sortBy(name))).toThrow(malformed)
})

test('any text is a cursor or refused', async () => {
  await checkProperty(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json().map(json => Buffer.from(json).toString('base64url')),
      ),
      text => {
        expect(() => readCursor(text, sortBy(''))).toThrow(ValueFault)
      },
    ),
  )
})
