// Does any request hold up the others? Fills tables of many shapes and sends random requests, one at a time: half of them new, half
// of them changed from the worst so far. Prints the worst with their estimated cost, and fails when one stands above the limit.
// On SQLite that is the time in which the service's thread stood still; on PostgreSQL also how long cheap requests of another caller
// waited. Both leave out the time in which a process only waited for a processor. What did not come again is listed and does not fail.
// `npm run build && npm run bench -- standstills [minutes] [sqlite|postgres] [seed]`. Each round has new data and the next seed: to
// go on where a run ended, give the seed of its last round. BENCH_PERCENT=10 fills a tenth of the tables.

import { seededRandom } from '@plinth/test-kit/seeded-random'
import postgres from 'postgres'
import {
  createHostileCaller,
  fill,
  type HostileFinding,
  type HostileOutcome,
  type Probing,
} from './standstills/ask-hostile.ts'
import { addressOf, changedRequest, randomRequest } from './standstills/queries.ts'
import { pkOf } from './standstills/tables.ts'
import { explain } from './support/ask.ts'
import { type FilledDatabase, onDatabases } from './support/filled.ts'
import { startPlinth } from './support/servers.ts'
import { serverOf } from './support/waiting.ts'

const [minutes = '10', only, seed = '1'] = process.argv.slice(2)
const percent = Number(process.env.BENCH_PERCENT ?? 100)
/** The limit in milliseconds. */
const limit = Number(process.env.BENCH_LIMIT ?? 250)
/** The minutes of a round, so that the data vary. */
const roundMinutes = 4
/** What runs where it holds up no others is ended soon, so that more requests can be tried. */
const quickRefusal = { 'app.api.queryTimeout': '2' }
/** The worst, from which others are made. */
const kept = 12
const reported = 10

const cheap = [`/api/rest/offices/${pkOf(0)}`, '/api/rest/offices?_ps=3', '/api/management/health']

/** A failure of the service is worse than any delay. */
const worstOf = ({ status, standstill, wait }: HostileFinding): number =>
  status === 500 || status === 'broken' ? Number.POSITIVE_INFINITY : Math.max(standstill, wait)

const worstFirst = (findings: readonly HostileFinding[]): readonly HostileFinding[] =>
  findings.toSorted((one, other) => worstOf(other) - worstOf(one))

const analyse = async (database: string): Promise<void> => {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe('VACUUM ANALYZE')
  } finally {
    await sql.end()
  }
}

interface Round {
  readonly seed: number
  readonly minutes: number
}

const search = async (probing: Probing, { seed, minutes }: Round): Promise<readonly HostileFinding[]> => {
  const random = seededRandom(seed)
  const ask = createHostileCaller(probing, { cheap, limit })
  let worst: readonly HostileFinding[] = []
  const statuses = new Map<HostileOutcome, number>()
  const end = performance.now() + minutes * 60_000
  while (performance.now() < end) {
    const known = worst.length > 0 && random.next() < 0.5 ? random.pick(worst) : null
    const found = await ask(known ? changedRequest(random, known.request) : randomRequest(random))
    statuses.set(found.status, (statuses.get(found.status) ?? 0) + 1)
    // Of requests that look alike only the worst is kept, so that they do not take all places.
    const others = worst.filter(
      ({ request }) => request.resource !== found.request.resource || request.common !== found.request.common,
    )
    const alike = worst.filter(one => !others.includes(one))
    worst = worstFirst([...others, ...worstFirst([...alike, found]).slice(0, 3)]).slice(0, kept)
    if (worstOf(found) > limit) console.log(`    ${inWords(found)}`)
    if (found.onlyOnce) console.log(`    once, and not again: ${inWords(found.onlyOnce).slice(0, 400)}`)
  }
  console.log(`  seed ${seed}: statuses ${JSON.stringify(Object.fromEntries(statuses))}`)
  return worst
}

const inWords = ({ request, address, status, standstill, collecting, wait, ms }: HostileFinding): string =>
  `${standstill.toFixed(0)} ms (${collecting.toFixed(0)} collecting garbage), others waited ${wait.toFixed(0)} ms: ${status} after ${ms.toFixed(0)} ms, ` +
  `${request.caller}, ${request.accept}: ${decodeURIComponent(address)}`

/** An export costs what the search costs, as far as that can be explained. */
const costOf = async (url: string, { request }: HostileFinding): Promise<number | undefined> => {
  const parameters = request.parameters.filter(parameter => !parameter.startsWith('_export'))
  return (await explain(url, addressOf({ ...request, parameters })))?.cost
}

const oneRound = async ({ settings, database }: FilledDatabase, round: Round): Promise<readonly HostileFinding[]> => {
  const plinth = await startPlinth({ ...settings, ...quickRefusal, app: 'bench/standstills/app.ts' })
  try {
    await fill(plinth.url, round.seed, percent)
    const server = await serverOf(database)
    if (server !== null) await analyse(database)
    const findings = await search({ plinth, server }, round)
    for (const one of worstFirst(findings).slice(0, 3)) {
      const cost = await costOf(plinth.url, one)
      console.log(`  cost ${cost ?? 'unknown'}: ${inWords(one).slice(0, 400)}`)
    }
    return findings
  } finally {
    await plinth.stop()
  }
}

let isSlow = false

await onDatabases(only, async (name, newPlace) => {
  console.log(`\n${name}: the longest standstills, searched for ${minutes} minutes, from seed ${seed} on`)
  const rounds = Math.ceil(Number(minutes) / roundMinutes)
  let findings: readonly HostileFinding[] = []
  for (let at = 0; at < rounds; at++) {
    const round = { seed: Number(seed) + at, minutes: Number(minutes) / rounds }
    findings = worstFirst([...findings, ...(await oneRound(await newPlace(), round))]).slice(0, reported)
  }
  console.log(`${name}: the worst of all`)
  for (const one of findings) console.log(`  ${inWords(one)}`)
  if (findings.some(one => worstOf(one) > limit)) isSlow = true
})

if (isSlow) {
  console.log(`\nAt least one request failed, or held up the others for more than ${limit} ms.`)
  process.exitCode = 1
}
