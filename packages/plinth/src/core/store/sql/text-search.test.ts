import { expect, test } from 'vitest'
import { prefixRange } from './columns.ts'

test.each([
  ['gr', ['gr', 'gs']],
  ['GR', ['gr', 'gs']],
  ['z', ['z', '{']],
  ['@', ['@', 'a']],
  ['a_', ['a_', 'a`']],
  ['a\x7f', ['a\x7f', 'a\x80']],
])('texts that begin with %j lie within %j', (prefix, range) => {
  expect(prefixRange([prefix, ''])).toEqual(range)
})
