// The arithmetic of very long lists.

import { describe, expect, test } from 'vitest'
import { placeAfter, tallest, trueScroll } from '../src/areas/resources/scaled-scroll.ts'

const million = { count: 1_000_000, rowHeight: 40 }
const full = million.count * million.rowHeight
const start = { scroll: 0, top: 0, view: 800 }

describe('a list that fits', () => {
  test('is scrolled as it is', () => {
    const short = { count: 1000, rowHeight: 40 }
    expect(placeAfter(start, 12_345, short)).toEqual({ scroll: 12_345, top: 12_345, view: 800 })
    expect(trueScroll({ scroll: 77, top: 77, view: 800 }, short)).toBe(77)
  })
})

describe('a list of a million rows', () => {
  test('moves by exactly what a wheel moves', () => {
    const middle = { scroll: 5_000_000, top: 20_000_000, view: 800 }
    expect(placeAfter(middle, 5_000_120, million).top).toBe(20_000_120)
    expect(placeAfter(middle, 4_999_700, million).top).toBe(19_999_700)
  })

  test.each([
    ['the end', tallest - 800, full - 800],
    ['the beginning', 0, 0],
    ['the middle', (tallest - 800) / 2, (full - 800) / 2],
  ])('is reached at %s by the bar', (_, scroll, top) => {
    expect(placeAfter({ scroll: 123, top: 456, view: 800 }, scroll, million).top).toBeCloseTo(top, 3)
  })

  test('reaches every row by small steps, the bar put right after each', () => {
    let place = placeAfter(start, tallest - 800 - 3000, million)
    for (let step = 0; step < 1000 && place.top < full - 800; step += 1) {
      const scroll = trueScroll(place, million)
      place = placeAfter({ ...place, scroll }, Math.min(scroll + 700, tallest - 800), million)
    }
    expect(place.top).toBe(full - 800)
  })

  test('the bar never leaves its range', () => {
    for (const top of [0, 1, 799, full / 3, full - 801, full - 800]) {
      const scroll = trueScroll({ scroll: 0, top, view: 800 }, million)
      expect(scroll).toBeGreaterThanOrEqual(0)
      expect(scroll).toBeLessThanOrEqual(tallest - 800)
    }
  })
})
