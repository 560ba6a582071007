// Sets of documents, compared with the sets of JavaScript.

import { seededRandom } from '@plinth/test-kit/seeded-random'
import { expect, test } from 'vitest'
import { difference, intersection, union } from './document-sets.ts'

test('sets of documents have in common, add and leave what sets do', () => {
  const random = seededRandom(5)
  const rising = (share: number): Uint32Array =>
    Uint32Array.from(Array.from({ length: 400 }, (_, at) => at).filter(() => random.next() < share))
  for (let round = 0; round < 50; round++) {
    const [one, other, third] = [rising(random.next()), rising(random.next() / 20), rising(random.next())]
    const isIn = (docs: Uint32Array) => (doc: number) => docs.includes(doc)
    expect([...intersection(one, other)]).toEqual([...one].filter(isIn(other)))
    expect([...difference(one, third)]).toEqual([...one].filter(doc => !third.includes(doc)))
    expect([...union([one, other, third])]).toEqual([...new Set([...one, ...other, ...third])].sort((a, b) => a - b))
  }
})
