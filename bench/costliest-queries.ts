// Do the costliest queries that the budget allows delay point reads? Makes random queries over all resources, estimates them, and
// runs the costliest one after the other while point reads go on. Prints how long those took, and Spearman's rank correlation of
// estimated cost and measured time, for the costliest and for a sample of all.
// `npm run build && npm run bench -- costliest-queries [records] [sqlite|postgres]`

import { createRandom } from '@plinth/test-kit/random'
import { randomQuery } from '@plinth/test-kit/random-queries'
import { rankCorrelation } from '@plinth/test-kit/rank-correlation'
import { createAsk, explain, probe, probeFor, quantile } from './support/ask.ts'
import { onDatabases, withLocalities } from './support/filled.ts'
import { publishedResources } from './support/resources.ts'
import type { Running } from './support/servers.ts'
import { size } from './support/size.ts'

const [records = size('BENCH_RECORDS', 100_000, 1000), only] = process.argv.slice(2)
const queries = size('BENCH_QUERIES', 2000, 30)
const run = size('BENCH_RUN', 200, 10)

interface Estimated {
  readonly query: string
  readonly cost: number
}

/** Estimates all queries; returns those within the budget, the costliest first. */
const estimateAll = async (url: string): Promise<readonly Estimated[]> => {
  const random = createRandom(1)
  const resources = publishedResources()
  const allowed = new Map<string, number>()
  for (let number = 0; number < queries; number++) {
    const query = randomQuery(random, resources)
    const explained = await explain(url, query)
    if (explained && explained.cost <= explained.budget) allowed.set(query, explained.cost)
  }
  const all = [...allowed].map(([query, cost]) => ({ query, cost }))
  return all.toSorted((one, other) => other.cost - one.cost)
}

/** Every so many of them, from the costliest to the cheapest, each timed alone; the fastest of three times. */
const timeSample = async (url: string, all: readonly Estimated[]): Promise<readonly (readonly [number, number])[]> => {
  const sample = all.filter((_, at) => at % Math.ceil(all.length / run) === 0)
  const rounds = [await runAll(url, sample), await runAll(url, sample), await runAll(url, sample)]
  return sample.flatMap(({ query, cost }) => {
    const times = rounds.flatMap(({ answered }) => answered.filter(one => one.query === query).map(({ ms }) => ms))
    return times.length > 0 ? [[cost, Math.min(...times)] as const] : []
  })
}

/** Runs all queries; returns those that were answered, with their times. The others are counted by status. */
const runAll = async (url: string, all: readonly Estimated[]) => {
  const ask = createAsk()
  const answered: (Estimated & { readonly ms: number })[] = []
  const statuses = new Map<number, number>()
  for (const one of all) {
    const { status, ms } = await ask(`${url}/api/rest/${one.query}`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 200) answered.push({ ...one, ms })
  }
  return { answered, statuses: Object.fromEntries(statuses) }
}

const inWords = (times: readonly number[]): string =>
  [0.5, 0.99, 1].map(share => `${quantile(times, share).toFixed(1)} ms`).join(', ')

const bench = async (name: string, { url }: Running): Promise<void> => {
  const estimated = await estimateAll(url)
  const all = estimated.slice(0, run)
  const reads = { read: `${url}/api/rest/localities/L500` }
  const alone = await probeFor(reads, size('BENCH_SECONDS', 5, 1))
  let isOver = false
  const running = runAll(url, all).finally(() => {
    isOver = true
  })
  const beside = await probe(reads, () => isOver)
  const { answered, statuses } = await running
  console.log(
    `\n${name}, ${records} localities: the ${all.length} costliest of ${queries} queries, ${JSON.stringify(statuses)}`,
  )
  console.log(`estimated cost: ${all.at(-1)?.cost} to ${all[0]?.cost}; time: ${inWords(answered.map(({ ms }) => ms))}`)
  console.log(`point reads, p50, p99, max:  alone ${inWords(alone.get('read')?.times ?? [])}`)
  console.log(`                             beside ${inWords(beside.get('read')?.times ?? [])}`)
  const sample = await timeSample(url, estimated)
  const correlations = [answered.map(({ cost, ms }) => [cost, ms] as const), sample].map(pairs =>
    rankCorrelation(pairs).toFixed(2),
  )
  console.log(
    `rank correlation of cost and time: ${correlations[0]}; of a sample of ${sample.length}: ${correlations[1]}`,
  )
  for (const { query, cost, ms } of answered.toSorted((one, other) => other.ms - one.ms).slice(0, 5))
    console.log(`${ms.toFixed(1).padStart(9)} ms ${cost}  ${query}`)
}

await onDatabases(only, async (name, newPlace) =>
  withLocalities(await newPlace(), Number(records), plinth => bench(name, plinth)),
)
