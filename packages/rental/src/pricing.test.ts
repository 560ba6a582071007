import { describe, expect, test } from 'vitest'
import { daysKept, daysLate, dueDateOf, rentalCost } from './pricing.ts'

const newRelease = { initialPrice: 40, daysFree: 1, dailyPrice: 40 }
const regular = { initialPrice: 30, daysFree: 3, dailyPrice: 30 }
const old = { initialPrice: 30, daysFree: 5, dailyPrice: 30 }

test.each([
  ['new release', newRelease, [40, 80, 120, 160, 200, 240, 280]],
  ['regular', regular, [30, 30, 30, 60, 90, 120, 150]],
  ['old', old, [30, 30, 30, 30, 30, 60, 90]],
])('a %s film costs what the table says for 1 to 7 days', (_, pricing, costs) => {
  expect(costs.map((_, at) => rentalCost(pricing, at + 1))).toEqual(costs)
})

test('the set of the demo costs 250', () => {
  const set = [rentalCost(newRelease, 1), rentalCost(regular, 5), rentalCost(regular, 2), rentalCost(old, 7)]
  expect(set).toEqual([40, 90, 30, 90])
  expect(set.reduce((sum, cost) => sum + cost)).toBe(250)
})

describe('days are periods of 24 hours, counted when they are over', () => {
  test.each([
    ['at once', '2024-03-01T10:00:00.000Z', '2024-03-01T10:00:00.000Z', 0],
    ['a millisecond short of a day', '2024-03-01T10:00:00.000Z', '2024-03-02T09:59:59.999Z', 0],
    ['a day', '2024-03-01T10:00:00.000Z', '2024-03-02T10:00:00.000Z', 1],
    ['over the night that lacks an hour', '2024-03-30T12:00:00.000+01:00', '2024-03-31T12:00:00.000+02:00', 0],
    ['an hour later', '2024-03-30T12:00:00.000+01:00', '2024-03-31T13:00:00.000+02:00', 1],
    ['over the night of 25 hours', '2024-10-26T12:00:00.000+02:00', '2024-10-27T12:00:00.000+01:00', 1],
    ['over a leap day', '2024-02-28T10:00:00.000Z', '2024-03-01T10:00:00.000Z', 2],
    ['over that February of another year', '2023-02-28T10:00:00.000Z', '2023-03-01T10:00:00.000Z', 1],
    ['over the end of a year', '2023-12-31T23:30:00.000Z', '2024-01-01T23:30:00.000Z', 1],
    ['the clock set back', '2024-03-02T10:00:00.000Z', '2024-03-01T10:00:00.000Z', 0],
  ])('%s', (_, from, to, days) => {
    expect(daysKept(new Date(from).toISOString(), new Date(to))).toBe(days)
  })
})

test.each([
  ['on the last paid moment', 3, '2024-05-04T12:00:00.000Z', 0],
  ['a second later', 3, '2024-05-04T12:00:01.000Z', 0],
  ['just before a whole day late', 3, '2024-05-05T11:59:59.999Z', 0],
  ['a whole day late', 3, '2024-05-05T12:00:00.000Z', 1],
  ['a week late', 3, '2024-05-11T12:00:00.000Z', 7],
  ['early', 3, '2024-05-02T12:00:00.000Z', 0],
])('returned %s', (_, days, now, late) => {
  expect(daysLate({ rentalDate: '2024-05-01T12:00:00.000Z', days }, new Date(now))).toBe(late)
})

test.each([
  ['2024-02-28T10:00:00.000Z', 2, '2024-03-01T10:00:00.000Z'],
  ['2024-12-31T10:00:00.000Z', 1, '2025-01-01T10:00:00.000Z'],
  ['2024-01-01T00:00:00.000Z', 365, '2024-12-31T00:00:00.000Z'],
])('rented at %s for %i days, due at %s', (rented, days, due) => {
  expect(dueDateOf(rented, days)).toBe(due)
})
