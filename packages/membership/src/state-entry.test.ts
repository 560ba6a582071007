import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import type { Json } from 'plinth'
import { expect, test } from 'vitest'
import { toCanonicalJson } from './state-entry.ts'

test('the example of RFC 8785, 3.2.3, is sorted by code units', () => {
  const value = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, ö: 7 }
  expect(toCanonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\ud83d\ude00":5,"\ufb33":3}')
})

test('numbers are written as ECMAScript writes them', () => {
  expect(toCanonicalJson([333333333.3333333, 1e30, 4.5, 2e-3, -0])).toBe('[333333333.3333333,1e+30,4.5,0.002,0]')
})

test('whatever the order of the members, the text is one and reads as the same value', async () => {
  const shuffled = (value: Json): Json => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(shuffled)
    const entries = Object.entries(value as Record<string, Json>).reverse()
    return Object.fromEntries(entries.map(([name, entry]) => [name, shuffled(entry)]))
  }
  await checkProperty(
    fc.property(fc.jsonValue({ noUnicodeString: false }), original => {
      const value = JSON.parse(JSON.stringify(original)) as Json
      expect(toCanonicalJson(shuffled(value))).toBe(toCanonicalJson(value))
      expect(JSON.parse(toCanonicalJson(value))).toEqual(value)
    }),
  )
})
