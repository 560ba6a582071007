import { expect, test } from 'vitest'
import { prefixRange } from './text-indexes.ts'
import { patternOfTrigrams, trigramsOf } from './text-patterns.ts'

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

test.each([
  [['', 'inmonor', ''], 'exact', ['inm', 'nmo', 'mon', 'ono', 'nor']],
  [['abcdef'], 'exact', ['abc', 'bcd', 'cde', 'def']],
  [['', 'banana', ''], 'exact', ['ban', 'ana', 'nan']],
  [
    ['', 'abcdefghijklmnopqrstuvwxyz', ''],
    'exact',
    ['abc', 'cde', 'efg', 'ghi', 'ijk', 'klm', 'mno', 'opq', 'qrs', 'stu', 'uvw', 'wxy'],
  ],
  [['', 'AB', 'CDEF', ''], 'ascii', ['cde', 'def']],
  [['', 'ab', ''], 'exact', []],
] as const)('the trigrams of %j', (pattern, matching, trigrams) => {
  expect(trigramsOf(pattern, matching)).toEqual(trigrams)
})

test.each([
  [
    ['', 'inmonor', ''],
    ['', 'inm', 'onor', ''],
  ],
  [['abcdef'], ['abc', 'def']],
  [['abcd'], ['abcd']],
  [
    ['ab', 'cd'],
    ['ab', 'cd'],
  ],
])('every text that matches %j matches %j', (pattern, wider) => {
  expect(patternOfTrigrams(pattern)).toEqual(wider)
})
