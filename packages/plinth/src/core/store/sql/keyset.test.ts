import { expect, test } from 'vitest'
import { afterRanges, afterSql, type CursorKey } from './keyset.ts'

const key = (sql: string, options: Partial<CursorKey> = {}): CursorKey => ({
  sql,
  nullable: false,
  descending: false,
  value: `:${sql}`,
  ...options,
})
const nullable = { nullable: true }
const down = { descending: true }
const none = { nullable: true, value: null }

test.each<[string, CursorKey[], string[]]>([
  ['one key', [key('pk')], ['pk > :pk']],
  ['one key downwards', [key('pk', down)], ['pk < :pk']],
  ['keys of one direction', [key('a'), key('pk')], ['(a, pk) > (:a, :pk)']],
  ['keys of mixed directions', [key('a', down), key('pk')], ['(a <= :a AND (a < :a OR pk > :pk))']],
  ['a key that may be absent', [key('a', nullable), key('pk')], ['(a, pk) > (:a, :pk)']],
  [
    'a second key that may be absent',
    [key('a'), key('b', nullable), key('pk')],
    ['(a >= :a AND (a > :a OR (b, pk) > (:b, :pk)))'],
  ],
  ['an absent value upwards', [key('a', none), key('pk')], ['(a IS NULL AND pk > :pk)', 'a IS NOT NULL']],
  ['an absent value downwards', [key('a', { ...none, ...down }), key('pk')], ['(a IS NULL AND pk > :pk)']],
  [
    'downwards to the absent values',
    [key('a', { ...nullable, ...down }), key('pk', down)],
    ['(a, pk) < (:a, :pk)', 'a IS NULL'],
  ],
])('%s', (_, keys, ranges) => {
  expect(afterRanges(keys)).toEqual(ranges)
})

test('the ranges are alternatives of one condition', () => {
  const keys = [key('a', { ...nullable, ...down }), key('pk')]
  expect(afterSql(keys)).toBe('((a <= :a AND (a < :a OR pk > :pk)) OR a IS NULL)')
})
