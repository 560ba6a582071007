// Lists of postings as bytes.

import { describe, expect, test } from 'vitest'
import { createPause } from '../../pauses.ts'
import {
  appended,
  type Block,
  DocumentSet,
  maxBlock,
  numbersFromText,
  numbersToText,
  type Posting,
  postingsOf,
  reduced,
  toList,
} from './postings.ts'

const some = (count: number, from = 1): readonly Posting[] =>
  Array.from({ length: count }, (_, at) => ({
    doc: from + at * 3,
    weight: 1 + (at % 300),
    length: at * 1000,
    places: Array.from({ length: 1 + (at % 4) }, (_, place) => at + place * 200),
  }))

describe('blocks of postings', () => {
  test('hold what was added, in several steps and over several blocks', () => {
    const [first, second] = [some(300), some(700, 5000)]
    const blocks = new Map<number, Block>()
    for (const added of [first, second])
      for (const block of appended('word', [...blocks.values()].at(-1), added)) blocks.set(block.first, block)
    const all = [...blocks.values()]
    expect(all.map(({ count }) => count)).toEqual([maxBlock, 1000 - maxBlock])
    expect(all.flatMap(postingsOf)).toEqual([...first, ...second])
    expect(all.map(({ last }) => last)).toEqual(all.map(block => postingsOf(block).at(-1)?.doc))
  })

  test('lose documents that are gone', async () => {
    const [block] = appended('word', undefined, some(20))
    if (!block) throw new Error('there is a block')
    const gone = new DocumentSet([1, 7, 58], 60)
    const left = some(20).filter(({ doc }) => ![1, 7, 58].includes(doc))
    expect([...(await toList([block], { gone, pause: createPause() })).docs]).toEqual(left.map(({ doc }) => doc))
    expect(reduced(block, doc => !gone.has(doc))).toMatchObject({ first: 1, last: 55, count: 17 })
    expect(postingsOf(reduced(block, doc => !gone.has(doc)) ?? block)).toEqual(left)
    expect(reduced(block, () => false)).toBeNull()
  })
})

test('numbers come back from their text', () => {
  for (const numbers of [[], [0], [1, 2, 127, 128, 129, 70_000, 2 ** 31 - 1]])
    expect(numbersFromText(numbersToText(numbers))).toEqual(numbers)
})
