import { expect, test } from 'vitest'
import { createBreaker } from './caller-of-nodes.ts'

const scene = () => {
  const clock = { now: 0 }
  const breaker = createBreaker(() => clock.now)
  const fail = (times: number) => {
    for (let count = 0; count < times; count++) breaker.failed()
  }
  return { clock, breaker, fail }
}

test('a few failures are tolerated, more of them in a row are not', () => {
  const { breaker, fail } = scene()
  fail(4)
  expect(breaker.wait()).toBe(0)
  fail(1)
  expect(breaker.wait()).toBe(500)
})

test('one success forgives all failures', () => {
  const { breaker, fail } = scene()
  fail(4)
  breaker.succeeded()
  fail(4)
  expect(breaker.wait()).toBe(0)
})

test('after the pause one call passes, and the others go on waiting for it', () => {
  const { clock, breaker, fail } = scene()
  fail(5)
  clock.now = 500
  expect(breaker.wait()).toBe(0)
  expect(breaker.wait()).toBe(500)
  breaker.succeeded()
  expect(breaker.wait()).toBe(0)
})

test('the pause doubles with each further failure, up to a limit', () => {
  const { breaker, fail } = scene()
  const pauses = [5, 1, 1, 1, 1, 1, 20].map(times => {
    fail(times)
    return breaker.wait()
  })
  expect(pauses).toEqual([500, 1000, 2000, 4000, 4000, 4000, 4000])
})
