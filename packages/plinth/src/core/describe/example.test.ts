import { expect, test } from 'vitest'
import { toExample } from './example.ts'

test.each([
  ['firstName', { type: 'string', maxLength: 255 }, 'Ada'],
  ['callingCode', { type: ['string', 'null'] }, 'A calling code'],
  ['callingCode', { type: 'string', maxLength: 12 }, 'calling code'],
  ['code', { type: 'string', pattern: '^[A-Z]{2}$' }, 'EN'],
  ['contact', { type: 'string', format: 'email' }, 'ada@example.com'],
  ['size', { type: 'integer', minimum: 10 }, 10],
  ['size', { type: 'integer', multipleOf: 5 }, 5],
  ['price', { type: 'number', 'x-decimals': 2, maximum: 1 }, 1],
  ['kind', { type: ['string', 'null'], enum: ['a', 'b', null] }, 'a'],
  ['kind', { type: 'string', default: 'b' }, 'b'],
  ['parts', { type: 'object', properties: { verified: { type: 'boolean' } } }, { verified: true }],
])('%s as %j is shown by %j', (name, schema, expected) => {
  expect(toExample(schema, name)).toEqual(expected)
})

const unusual = { type: 'string', pattern: '^#[0-9a-f]{3}#$' }

test('where no value suggests itself there is no example, and none of what needs it', () => {
  expect(toExample(unusual)).toBeUndefined()
  expect(toExample({ type: 'object', properties: { colour: unusual } })).toEqual({})
  expect(toExample({ type: 'object', properties: { colour: unusual }, required: ['colour'] })).toBeUndefined()
})
