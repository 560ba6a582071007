// Do floods of one address hold up the others, and what do they take of memory? Latency of a cheap request without a flood and during
// each: pipelined requests whose answers are never read, long headers, bodies whose end is held back, and bodies in tiny chunks.
// The floods and the measurement run on the last processor, the service on the others. `own p99` leaves out the time in which processes
// waited for a processor that other programs had.
// `npm run build && npm run bench -- floods [sqlite|postgres]`; BENCH_FLOODS=pipelines,bodies chooses.

import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@plinth/test-kit/postgres'
import { type Probed, probe, probeFor, quantile } from './support/ask.ts'
import { type FilledDatabase, onDatabases, withLocalities } from './support/filled.ts'
import { keepOffLastProcessor, onLastProcessor } from './support/processors.ts'
import type { Running } from './support/servers.ts'
import { size } from './support/size.ts'
import { serverOf, type WatchedProcesses } from './support/waiting.ts'

const [only] = process.argv.slice(2)
const seconds = size('BENCH_SECONDS', 10, 2)
const records = 1000
const floods = process.env.BENCH_FLOODS?.split(',') ?? ['pipelines', 'headers', 'bodies', 'chunks']

const cheap = (url: string) => ({ read: `${url}/api/rest/localities/L500` })

const figures = (probed: ReadonlyMap<string, Probed>): string => {
  const { times = [], ownTimes = [] } = probed.get('read') ?? {}
  return [...[0.5, 0.99, 1].map(share => quantile(times, share)), quantile(ownTimes, 0.99)]
    .map(ms => ms.toFixed(1).padStart(9))
    .join('')
}

/** Latency during the flood, and by how many MB the memory of the service grew at most. */
const measure = async (plinth: Running, watched: WatchedProcesses, flood: string): Promise<string> => {
  const file = fileURLToPath(new URL('floods/send.ts', import.meta.url))
  const sender = await onLastProcessor(async () =>
    spawn(process.execPath, ['--import', 'tsx', file, plinth.url, flood, String(seconds)], { stdio: 'inherit' }),
  )
  let isOver = false
  sender.once('exit', () => {
    isOver = true
  })
  const before = plinth.memory()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, plinth.memory())
  }, 50)
  const probed = await onLastProcessor(() => probe(cheap(plinth.url), () => isOver, watched))
  clearInterval(watch)
  return `${figures(probed)}${(most - before).toFixed(0).padStart(9)}`
}

const bench = async (name: string, plinth: Running, server: number | null): Promise<void> => {
  keepOffLastProcessor(plinth.pid)
  const watched = { service: plinth.pid, server }
  const quiet = await onLastProcessor(() => probeFor(cheap(plinth.url), seconds, watched))
  console.log(`\n${name}\n${''.padEnd(14)}      p50      p99      max  own p99       MB`)
  console.log(`${'without'.padEnd(14)}${figures(quiet)}        0`)
  for (const flood of floods) {
    console.log(`${flood.padEnd(14)}${await measure(plinth, watched, flood)}`)
    await sleep(1000)
  }
}

const withServer = async (name: string, place: FilledDatabase): Promise<void> =>
  withLocalities(place, records, async plinth => bench(name, plinth, await serverOf(place.database)))

await onDatabases(
  only,
  async (name, newPlace) => withServer(name, await newPlace()),
  () => onLastProcessor(startPostgres),
)
