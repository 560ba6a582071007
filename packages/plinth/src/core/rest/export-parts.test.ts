import { expect, test } from 'vitest'
import { partsOf } from './export-parts.ts'

const rows = (count: number, length: number) => Array.from({ length: count }, (_, at) => [at, 'x'.repeat(length)])

const counts = (count: number, length: number) => [...partsOf(rows(count, length))].map(part => part.length)

test('rows with little text stay together', () => {
  expect(counts(250, 1000)).toEqual([250])
  expect(counts(0, 1000)).toEqual([])
})

test('rows with long texts come in parts, in their order', () => {
  expect(counts(250, 100_000)).toEqual(Array(25).fill(10))
  expect(counts(3, 2_000_000)).toEqual([1, 1, 1])
  expect([...partsOf(rows(25, 100_000))].flat().map(([at]) => at)).toEqual(Array.from({ length: 25 }, (_, at) => at))
})
