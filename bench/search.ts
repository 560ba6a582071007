// Searches by words among many documents: alone, for a caller whose read rule leaves 1 % of them, and together with nine smaller resources. How long the index takes to build,
// its size, and what it adds to the creation of a record.
// `npm run build && npm run bench -- search [documents] [sqlite|postgres]`

import { modules } from '@plinth/test-kit/platform'
import { seededRandom } from '@plinth/test-kit/seeded-random'
import { users } from '../packages/plinth/src/modules/people/index.ts'
import { documentModule, searchedTables } from './search/documents.ts'
import { fillDocuments, sizeOf, untilBuilt } from './search/fill.ts'
import { createWords, type WordSource } from './search/words.ts'
import { quantile } from './support/ask.ts'
import { onDatabases } from './support/filled.ts'
import { createTimedFetch, headersOf, openApp, type TimedFetch } from './support/in-process.ts'
import { size } from './support/size.ts'

const [documents = size('BENCH_RECORDS', 1_000_000, 1000), only] = process.argv.slice(2)
const count = Number(documents)
const rounds = size('BENCH_ROUNDS', 100, 3)
const creations = size('BENCH_CREATIONS', 300, 5)

const kinds: Readonly<Record<string, (words: WordSource) => string>> = {
  'one word': words => `${words.next()} `,
  'two words': words => `${words.next()} ${words.next()} `,
  'three words': words => `${words.next()} ${words.next()} ${words.next()} `,
  'rare word': words => `${words.rare()} `,
  'frequent word': words => `${words.frequent()} `,
  'while typing': words => `${words.next()} ${words.next().slice(0, 4)}`,
}

const figures = (times: readonly number[]): string =>
  `p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`

const searchAs = async (timed: TimedFetch, url: string, user: string): Promise<readonly number[]> => {
  const words = createWords(seededRandom(7))
  const all: number[] = []
  for (const [kind, toSearch] of Object.entries(kinds)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const address = `${url}/api/rest/documents?search=${encodeURIComponent(toSearch(words))}`
      times.push(await timed(address, { headers: headersOf(user) }))
    }
    console.log(`  ${kind.padEnd(14)} ${figures(times)}`)
    all.push(...times)
  }
  return all
}

const searchAll = async (timed: TimedFetch, url: string, user: string): Promise<readonly number[]> => {
  const words = createWords(seededRandom(13))
  const times: number[] = []
  for (const toSearch of Object.values(kinds))
    for (let round = 0; round < rounds; round++) {
      const address = `${url}/api/search?q=${encodeURIComponent(toSearch(words))}`
      times.push(await timed(address, { headers: headersOf(user) }))
    }
  return times
}

const createIn = async (timed: TimedFetch, url: string, resource: string): Promise<readonly number[]> => {
  const words = createWords(seededRandom(11))
  const times: number[] = []
  for (let number = 0; number < creations; number++) {
    const body = JSON.stringify({ title: words.text(5), body: words.text(25) })
    const headers = { ...headersOf('staff'), 'Content-Type': 'application/json' }
    times.push(await timed(`${url}/api/rest/${resource}`, { method: 'POST', headers, body }))
  }
  return times
}

await onDatabases(only, async (name, newPlace) => {
  const place = await newPlace()
  console.log(`\n${name}, ${count} documents`)
  const first = await openApp(place, [...modules, documentModule])
  await first.listen()
  const owner = await first.platform.records.first(users, { where: { username: 'client' } })
  await first.close()
  await fillDocuments(place.database, searchedTables, { count, owner: owner?.pk ?? '' })
  const app = await openApp(place, [...modules, documentModule])
  const began = performance.now()
  const url = await app.listen()
  await untilBuilt(place.database)
  const seconds = (performance.now() - began) / 1000
  console.log(`index built online: ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(0)} documents/s`)
  const { records, index } = await sizeOf(place.database)
  console.log(`size: records ${(records / 1e6).toFixed(1)} MB, index ${(index / 1e6).toFixed(1)} MB`)
  await fetch(`${url}/api/rest/documents?search=al`, { headers: headersOf('staff') })
  const timed = await createTimedFetch(place.database)
  console.log('all documents visible')
  console.log(`alone: ${figures(await searchAs(timed, url, 'staff'))}`)
  console.log('1 % of the documents visible')
  console.log(`under a rule: ${figures(await searchAs(timed, url, 'client'))}`)
  console.log(
    `all ${searchedTables.length} resources: ${figures(await searchAll(timed, url, 'staff'))}; under a rule: ${figures(await searchAll(timed, url, 'client'))}`,
  )
  const [plain, searched] = [await createIn(timed, url, 'plainDocuments'), await createIn(timed, url, 'documents')]
  console.log(`create without search: ${figures(plain)}; with: ${figures(searched)}`)
  await app.close()
})
