// Does the estimated cost of a query tell how long it takes? Random queries over all large tables, each estimated and then timed;
// prints Spearman's rank correlation, and the queries whose time differs most from their estimate.
// `npm run build -w server && npx tsx bench/query-costs.ts [records] [sqlite|postgres]`

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModel } from '../server/src/app/model.ts'
import { modulesFor } from '../server/src/app.ts'
import { loadConfig } from '../server/src/config.ts'
import type { Resource } from '../server/src/core/model/resource.ts'
import { createDatabase, startPostgres } from '../server/test/support/postgres.ts'
import { createRandom } from '../server/test/support/random.ts'
import { randomQuery } from '../server/test/support/random-queries.ts'
import { rankCorrelation } from '../server/test/support/rank-correlation.ts'
import { fillLocalities } from './fill.ts'
import { authorization, startPlinth } from './servers.ts'

const [records = '100000', only] = process.argv.slice(2)
const queries = Number(process.env.BENCH_QUERIES ?? 300)

const headers = { ...authorization, accept: 'application/json' }

interface Measured {
  readonly query: string
  readonly cost: number
  readonly ms: number
}

/** In smaller tables the answers take as long as a request takes anyway. */
const fewest = 200

const isLarge = async (url: string, name: string): Promise<boolean> => {
  const explained = await fetch(`${url}/api/rest/${name}?explain=cost`, { headers })
  return ((await explained.json()) as { records: number }).records >= fewest
}

const measure = async (url: string, query: string): Promise<Measured | null> => {
  const explained = await fetch(`${url}/api/rest/${query}&explain=cost`, { headers })
  const { cost } = (await explained.json()) as { cost: number }
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const began = performance.now()
    const answer = await fetch(`${url}/api/rest/${query}`, { headers })
    await answer.arrayBuffer()
    // What is refused takes no time, and what is ended takes longer than anyone knows.
    if (answer.status !== 200) return null
    times.push(performance.now() - began)
  }
  return { query, cost, ms: Math.min(...times) }
}

/** Where a query stands among the others, by time and by cost. */
const surprises = (measured: readonly Measured[]): readonly Measured[] => {
  const place = (by: 'ms' | 'cost') => measured.toSorted((one, other) => one[by] - other[by])
  const [byTime, byCost] = [place('ms'), place('cost')]
  const distance = (one: Measured) => Math.abs(byTime.indexOf(one) - byCost.indexOf(one))
  return measured.toSorted((one, other) => distance(other) - distance(one)).slice(0, 10)
}

const bench = async (name: string, settings: Readonly<Record<string, string>>, databaseUrl: string): Promise<void> => {
  const first = await startPlinth(settings)
  await first.stop()
  await fillLocalities(databaseUrl, Number(records))
  const plinth = await startPlinth(settings)
  const config = loadConfig({ env: {}, cwd: tmpdir() })
  const { registry } = createModel(modulesFor(config), config, () => new Date())
  const resources: Resource[] = []
  for (const resource of registry.resources)
    if (!resource.definition.internal && (await isLarge(plinth.url, resource.name))) resources.push(resource)
  const random = createRandom(1)
  const measured: Measured[] = []
  for (let number = 0; number < queries; number++) {
    const one = await measure(plinth.url, randomQuery(random, resources))
    if (one) measured.push(one)
  }
  const correlation = rankCorrelation(measured.map(({ cost, ms }) => [cost, ms]))
  console.log(`\n${name}, ${records} localities: ${measured.length} of ${queries} queries were measured`)
  console.log(`rank correlation of cost and time: ${correlation.toFixed(2)}`)
  for (const { query, cost, ms } of surprises(measured))
    console.log(`${ms.toFixed(1).padStart(9)} ms ${cost}  ${query}`)
  await plinth.stop()
}

const folder = await mkdtemp(join(tmpdir(), 'plinth-costs-'))
const usual = { 'app.demo': 'true', 'server.port': '0', 'app.log.level': 'silent' }
try {
  if (only !== 'postgres') {
    const data = join(folder, 'sqlite')
    await bench('SQLite', { ...usual, 'app.dataDir': data }, join(data, 'plinth.db'))
  }
  if (only !== 'sqlite') {
    const server = await startPostgres()
    try {
      const url = await createDatabase(server.url)
      await bench('PostgreSQL', { ...usual, 'app.dataDir': join(folder, 'postgres'), 'app.database.url': url }, url)
    } finally {
      await server.stop()
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
