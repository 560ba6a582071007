// Made-up words whose frequencies fall as those of a language do: the second is half as frequent as the first (Zipf's law).

import type { Random } from '@plinth/test-kit/seeded-random'

const syllables = 'al be cor da el fu gra hin is jo ka lu mon ne or pa qui ro sa ty ul va wi xe yr zo'.split(' ')

/** The number of different words. */
const vocabulary = 60_000
/** WordSource that are more frequent than these are no words that people search for. */
const stopWords = 20

/** The same word for a rank in every run. */
const wordOf = (rank: number): string => {
  let word = ''
  for (let rest = rank + 27; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

const sums = new Float64Array(vocabulary)
for (let rank = 0, sum = 0; rank < vocabulary; rank++) {
  sum += 1 / (rank + 2)
  sums[rank] = sum
}

const rankAt = (share: number): number => {
  const target = share * (sums[vocabulary - 1] ?? 1)
  let [low, high] = [0, vocabulary - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) < target) low = middle + 1
    else high = middle
  }
  return low
}

export interface WordSource {
  /** A word as texts have it, but none of the most frequent ones. */
  next(): string
  rare(): string
  frequent(): string
  text(length: number): string
}

export const createWords = (random: Random): WordSource => {
  const randomRank = () => rankAt(random.next())
  const searched = (): number => {
    const rank = randomRank()
    return rank < stopWords ? searched() : rank
  }
  return {
    next: () => wordOf(searched()),
    rare: () => wordOf(vocabulary - 1 - Math.floor(random.next() * (vocabulary / 2))),
    frequent: () => wordOf(stopWords + Math.floor(random.next() * 30)),
    text: length => Array.from({ length }, () => wordOf(randomRank())).join(' '),
  }
}
