import { expect, test } from 'vitest'
import { ageOn, localDate, localTime } from './local-time.ts'

test.each([
  ['2024-03-31T00:59:00.000Z', 'Europe/Athens', '2024-03-31T02:59+02:00'],
  ['2024-03-31T01:00:00.000Z', 'Europe/Athens', '2024-03-31T04:00+03:00'],
  ['2024-10-27T00:30:00.000Z', 'Europe/Athens', '2024-10-27T03:30+03:00'],
  ['2024-10-27T01:30:00.000Z', 'Europe/Athens', '2024-10-27T03:30+02:00'],
  ['2024-01-01T00:00:00.000Z', 'America/New_York', '2023-12-31T19:00-05:00'],
  ['2024-01-01T00:00:00.000Z', 'Asia/Kathmandu', '2024-01-01T05:45+05:45'],
  ['2024-06-01T12:00:00.000Z', 'UTC', '2024-06-01T12:00+00:00'],
])('%s is in %s shown as %s', (instant, zone, text) => {
  expect(localTime(instant, zone)).toBe(text)
  expect(localDate(instant, zone)).toBe(text.slice(0, 10))
})

test.each([
  ['2024-05-01', '2006-05-01', 18],
  ['2024-04-30', '2006-05-01', 17],
  ['2026-02-28', '2008-02-29', 17],
  ['2026-03-01', '2008-02-29', 18],
])('on %s who was born on %s is %i', (date, birthDay, age) => {
  expect(ageOn(date, birthDay)).toBe(age)
})
