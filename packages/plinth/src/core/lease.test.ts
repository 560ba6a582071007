import { expect, test } from 'vitest'
import { isCurrent, isHeld, newLease } from './lease.ts'

const now = new Date('2030-01-01T12:00:00Z')
const term = { now, ms: 30_000 }
const after = (ms: number) => ({ instance: 'one', heldUntil: new Date(now.getTime() + ms).toISOString() })
const instances = { instance: 'two', isRunning: async (instance: string) => instance === 'one' }

test('a lease is of this instance, and lasts for its term', () => {
  expect(newLease(instances, term)).toEqual({ instance: 'two', heldUntil: '2030-01-01T12:00:30.000Z' })
})

test('a lease ends with its time, and one of a clock that was ahead does not count', () => {
  expect([-1, 0, 1, 30_000, 60_000, 60_001].map(ms => isCurrent(after(ms), term))).toEqual([
    ...[false, false, true],
    ...[true, true, false],
  ])
  expect(isCurrent({ heldUntil: null }, term)).toBe(false)
})

test('a lease ends with its instance, if that is known', async () => {
  expect(await isHeld(instances, after(1000), term)).toBe(true)
  expect(await isHeld(instances, { ...after(1000), instance: 'three' }, term)).toBe(false)
  expect(await isHeld(instances, { ...after(1000), instance: null }, term)).toBe(true)
  expect(await isHeld(instances, { instance: null, heldUntil: null }, term)).toBe(false)
})
