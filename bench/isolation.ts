// Does one caller hold up the others? Latency of cheap requests without load, and while others send the slowest searches that
// the budget allows, searches over the budget, aggregates and searches by words, catch up on events, pipeline requests without reading the answers, check and
// import files, all or nothing, and send requests whose hook waits for ever.
// The load, the measurement and PostgreSQL run on the last processor, the service on the others. `own p99` leaves out the time in which
// processes waited for a processor.
// `npm run build && npm run bench -- isolation [records] [sqlite|postgres]`; BENCH_LOAD=slow,refused,aggregates,words,events,pipelines,imports,hooks,writes
// chooses, BENCH_IMPORT_ROWS=100000 imports larger files.

import { type ChildProcess, spawn } from 'node:child_process'
import { constants, getPriority, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@plinth/test-kit/postgres'
import { apiSettings, rateLimitSettings } from '../packages/plinth/src/core/config/api-settings.ts'
import { writeNotes } from './isolation/notes.ts'
import { findSearches, type Searches } from './isolation/searches.ts'
import { createAsk, fetchPatiently, type Probed, probe, probeFor, quantile } from './support/ask.ts'
import { type FilledDatabase, onDatabases, withLocalities } from './support/filled.ts'
import { keepOffLastProcessor, onLastProcessor } from './support/processors.ts'
import { authorization, type Running } from './support/servers.ts'
import { isSmall, size } from './support/size.ts'
import { serverOf, type WatchedProcesses } from './support/waiting.ts'

const [records = size('BENCH_RECORDS', 100_000, 1000), only] = process.argv.slice(2)
const seconds = size('BENCH_SECONDS', 20, 3)
const events = size('BENCH_EVENTS', 100_000, 500)

const cheap = (url: string) => ({
  'point read': `${url}/api/rest/localities/L500`,
  'who am I': `${url}/api/auth/userDetails`,
  health: `${url}/api/management/health`,
})

const report = (title: string, probed: ReadonlyMap<string, Probed>): void => {
  for (const [name, { times, ownTimes, refused }] of probed) {
    const figures = [...[0.5, 0.99, 0.999].map(share => quantile(times, share)), quantile(ownTimes, 0.99)]
      .map(ms => ms.toFixed(1).padStart(9))
      .join('')
    const refusals = [...refused].map(([status, count]) => `, ${count} answered with ${status}`).join('')
    console.log(`  ${title.padEnd(14)}${name.padEnd(12)}${figures}   of ${times.length}${refusals}`)
  }
}

const writeEvents = async (url: string): Promise<void> => {
  const headers = { ...authorization, 'content-type': 'application/json', prefer: 'return=minimal' }
  for (let from = 0; from < events; from += 500) {
    const hosts = Array.from({ length: Math.min(500, events - from) }, (_, at) => ({ name: `e${from + at}.example` }))
    const request = { method: 'POST', headers, body: JSON.stringify(hosts) }
    const answer = await fetchPatiently(`${url}/api/rest/hosts`, request)
    await answer.arrayBuffer()
    if (answer.status !== 201) throw new Error(`events were answered with ${answer.status}`)
  }
}

/** How much lower the priority of the load is than that of the benchmark. */
const lowerPriority = 5

const startLoad = (url: string, searches: Searches): Promise<ChildProcess> => {
  const file = fileURLToPath(new URL('isolation/load.ts', import.meta.url))
  const args = ['--import', 'tsx', file, url, String(seconds), JSON.stringify(searches)]
  return onLastProcessor(async () => {
    const load = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    // It would be on other machines: neither PostgreSQL nor the measurement is to wait for it.
    if (load.pid !== undefined) setPriority(load.pid, getPriority() + lowerPriority)
    return load
  })
}

/** The measurement shares its processor with PostgreSQL and the load, and must not wait for them. Only root may do this. */
const goFirst = (): void => {
  try {
    setPriority(constants.priority.PRIORITY_HIGH)
  } catch {
    console.log('  the priority of the measurement could not be raised')
  }
}

const underLoad = async (plinth: Running, searches: Searches, watched: WatchedProcesses) => {
  const load = await startLoad(plinth.url, searches)
  let counts: unknown
  load.once('message', message => {
    counts = message
  })
  let isOver = false
  load.once('exit', () => {
    isOver = true
  })
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, plinth.memory())
  }, 200)
  await sleep(1000)
  goFirst()
  const probed = await onLastProcessor(() => probe(cheap(plinth.url), () => isOver, watched))
  clearInterval(watch)
  return { probed, memory, counts }
}

const bench = async (name: string, plinth: Running, server: number | null): Promise<void> => {
  keepOffLastProcessor(plinth.pid)
  const watched = { service: plinth.pid, server }
  await writeEvents(plinth.url)
  await writeNotes(plinth.url)
  const searches = await findSearches(plinth.url)
  console.log(`\n${name}: ${Number(records).toLocaleString('en')} records, ${events.toLocaleString('en')} events`)
  const ask = createAsk()
  for (const [kind, all] of Object.entries(searches))
    for (const search of all) {
      const { status, ms } = await ask(`${plinth.url}/api/rest/${search}`)
      console.log(`  ${kind}: ${status} after ${ms.toFixed(0)} ms: ${search.slice(0, 80)}`)
    }
  console.log(`${''.padEnd(28)}      p50      p99    p99.9  own p99`)
  report('without load', await onLastProcessor(() => probeFor(cheap(plinth.url), Math.min(5, seconds), watched)))
  const { probed, memory, counts } = await underLoad(plinth, searches, watched)
  report('under load', probed)
  console.log(`  memory at most ${memory.toFixed(0)} MB; ${JSON.stringify(counts)}`)
}

/** Sets limits as in production; other benchmarks run without any. */
const limited = ({ settings, ...place }: FilledDatabase): FilledDatabase => ({
  ...place,
  settings: {
    ...settings,
    app: 'bench/isolation/app.ts',
    // Few records cost little: searches over the budget need a smaller one.
    ...(isSmall && { 'app.api.maxQueryCost': '10000' }),
    // Short, so that the hook is tried several times.
    'app.database.transactionTimeout': '2',
    'app.log.level': 'silent',
    'app.api.maxEventLoopLag': String(apiSettings.fields.maxEventLoopLag.options.default),
    'app.api.rateLimit.anonymousRequests': String(rateLimitSettings.fields.anonymousRequests.options.default),
    'app.api.rateLimit.anonymousCost': String(rateLimitSettings.fields.anonymousCost.options.default),
    'app.api.rateLimit.cost': String(rateLimitSettings.fields.cost.options.default),
  },
})

const withServer = async (name: string, place: FilledDatabase): Promise<void> =>
  withLocalities(place, Number(records), async plinth => bench(name, plinth, await serverOf(place.database)))

await onDatabases(
  only,
  async (name, newPlace) => withServer(name, limited(await newPlace())),
  () => onLastProcessor(startPostgres),
)
