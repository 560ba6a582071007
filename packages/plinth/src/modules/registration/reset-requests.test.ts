import { expect, test } from 'vitest'
import { responseTime } from './reset-requests.ts'

test('a few milliseconds more work do not show in the time of a response, on a busy machine either', () => {
  for (const random of [0, 0.5, 0.99]) {
    for (const [fast, slow] of [
      [2, 9],
      [109, 113],
      [731, 760],
    ] as const)
      expect(responseTime(fast, random)).toBe(responseTime(slow, random))
    for (const elapsed of [0.1, 99, 100, 101, 450])
      expect(responseTime(elapsed, random)).toBeGreaterThanOrEqual(elapsed)
  }
  expect(responseTime(50, 0.9)).not.toBe(responseTime(50, 0.1))
})
