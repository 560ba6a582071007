// Does the estimated cost of a query tell how long it takes? Random queries over all large tables, each estimated and then timed;
// prints Spearman's rank correlation, and the queries whose time differs most from their estimate.
// `npm run build && npm run bench -- query-costs [records] [sqlite|postgres]`

import { createRandom } from '@plinth/test-kit/random'
import { randomQuery } from '@plinth/test-kit/random-queries'
import { rankCorrelation } from '@plinth/test-kit/rank-correlation'
import { createAsk, explain } from './support/ask.ts'
import { onDatabases, withLocalities } from './support/filled.ts'
import { publishedResources } from './support/resources.ts'
import type { Running } from './support/servers.ts'
import { size } from './support/size.ts'

const [records = size('BENCH_RECORDS', 100_000, 1000), only] = process.argv.slice(2)
const queries = size('BENCH_QUERIES', 300, 20)

interface Measured {
  readonly query: string
  readonly cost: number
  readonly ms: number
}

/** The fewest rows: in smaller tables the answers take as long as a request takes anyway. */
const fewest = 200

const ask = createAsk()

const measure = async (url: string, query: string): Promise<Measured | null> => {
  const explained = await explain(url, query)
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const { status, ms } = await ask(`${url}/api/rest/${query}`)
    // What is refused takes no time, and what is ended takes longer than anyone knows.
    if (status !== 200) return null
    times.push(ms)
  }
  return explained && { query, cost: explained.cost, ms: Math.min(...times) }
}

/** Returns the queries that stand elsewhere by time than by cost. */
const surprises = (measured: readonly Measured[]): readonly Measured[] => {
  const place = (by: 'ms' | 'cost') => measured.toSorted((one, other) => one[by] - other[by])
  const [byTime, byCost] = [place('ms'), place('cost')]
  const distance = (one: Measured) => Math.abs(byTime.indexOf(one) - byCost.indexOf(one))
  return measured.toSorted((one, other) => distance(other) - distance(one)).slice(0, 10)
}

const bench = async (name: string, { url }: Running): Promise<void> => {
  const resources = []
  for (const resource of publishedResources())
    if (((await explain(url, resource.name))?.records ?? 0) >= fewest) resources.push(resource)
  const random = createRandom(1)
  const measured: Measured[] = []
  for (let number = 0; number < queries; number++) {
    const one = await measure(url, randomQuery(random, resources))
    if (one) measured.push(one)
  }
  const correlation = rankCorrelation(measured.map(({ cost, ms }) => [cost, ms]))
  console.log(`\n${name}, ${records} localities: ${measured.length} of ${queries} queries were measured`)
  console.log(`rank correlation of cost and time: ${correlation.toFixed(2)}`)
  for (const { query, cost, ms } of surprises(measured))
    console.log(`${ms.toFixed(1).padStart(9)} ms ${cost}  ${query}`)
}

await onDatabases(only, async (name, newPlace) =>
  withLocalities(await newPlace(), Number(records), plinth => bench(name, plinth)),
)
