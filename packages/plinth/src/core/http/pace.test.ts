import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

const limits = { stallMs: 20_000, bytesPerSecond: 500 }

test('what moves fast enough in each interval goes on, however unevenly', () => {
  const pace = new Pace(limits, 0, 1000)
  expect(pace.isTooSlow(19_999, 1000)).toBe(false)
  expect(pace.isTooSlow(20_000, 11_000)).toBe(false)
  expect(pace.isTooSlow(39_999, 11_000)).toBe(false)
  expect(pace.isTooSlow(40_000, 21_000)).toBe(false)
})

test('what moves slower is too slow at the end of an interval, whatever moved before', () => {
  const pace = new Pace(limits, 0, 0)
  expect(pace.isTooSlow(20_000, 1_000_000)).toBe(false)
  expect(pace.isTooSlow(40_000, 1_009_999)).toBe(true)
})
