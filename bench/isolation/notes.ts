// The texts of the isolation benchmark, and the searches by words that take longest.

import { seededRandom } from '@plinth/test-kit/seeded-random'
import { createWords } from '../search/words.ts'
import { fetchPatiently } from '../support/ask.ts'
import { authorization } from '../support/servers.ts'
import { size } from '../support/size.ts'

const notes = size('BENCH_NOTES', 20_000, 300)
/** The notes of one request, and the words of one note. */
const [together, length] = [100, 60]

export const writeNotes = async (url: string): Promise<void> => {
  const words = createWords(seededRandom(7))
  const headers = { ...authorization, 'content-type': 'application/json', prefer: 'return=minimal' }
  for (let from = 0; from < notes; from += together) {
    const batch = Array.from({ length: Math.min(together, notes - from) }, () => ({
      title: words.text(5),
      body: words.text(length),
    }))
    const request = { method: 'POST', headers, body: JSON.stringify(batch) }
    const answer = await fetchPatiently(`${url}/api/rest/notes`, request)
    await answer.arrayBuffer()
    if (answer.status !== 201) throw new Error(`notes were answered with ${answer.status}`)
  }
}

const searchOf = (words: readonly string[], more = ''): string =>
  `notes?search=${encodeURIComponent(words.join(' '))}&_total=exact${more}`

/** Frequent words, many of them, beginnings, errors in each word, and snippets. */
export const wordSearches = (): readonly string[] => {
  const words = createWords(seededRandom(8))
  const some = (count: number): readonly string[] => Array.from({ length: count }, () => words.frequent())
  return [
    searchOf(some(1)),
    searchOf(some(2), '&sort=title'),
    searchOf(some(12)),
    searchOf(['al', 'b'], '&_matches=true&_ps=500'),
    searchOf(some(12).map(word => `${word}q`)),
    searchOf([`"${words.frequent()} ${words.frequent()}"`, `-${words.frequent()}`]),
  ]
}
