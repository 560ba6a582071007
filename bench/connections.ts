// How long requests wait while many connections are opened at once, kept or not: the service against its bare floor, in one run.
// Latency begins when a connection is opened, so the first request of each counts with its wait.
// `npm run build && npm run bench -- connections [sqlite|postgres]`. Uses `wrk` where it is installed.

import { type ConnectionMeasures, name as generator, type Load, measureWith } from './connections/load.ts'
import { quantile } from './support/ask.ts'
import { fillLocalities } from './support/fill.ts'
import { type FilledDatabase, onDatabases, withRecords } from './support/filled.ts'
import { authorization, type Running, startFloor } from './support/servers.ts'
import { size } from './support/size.ts'

const [only] = process.argv.slice(2)
const records = size('BENCH_RECORDS', 10_000, 1000)
const seconds = size('BENCH_SECONDS', 5, 1)
const rounds = size('BENCH_ROUNDS', 3, 1)

const path = '/api/rest/localities?filter=name==Al*&sort=-name&_ps=20'

const loads: Readonly<Record<string, Omit<Load, 'headers'>>> = {
  '32 kept connections': { connections: 32, isKept: true, seconds },
  '200 kept connections': { connections: 200, isKept: true, seconds },
  '32 at a time, new for each request': { connections: 32, isKept: false, seconds },
  '200 at a time, new for each request': { connections: 200, isKept: false, seconds },
}

const signIn = async ({ url }: Running): Promise<Readonly<Record<string, string>>> => {
  const body = JSON.stringify({ username: 'admin', password: 'admin' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/auth/userDetails`, { method: 'POST', headers, body })
  const [, token] = /access_token=([^;]+)/.exec(answer.headers.getSetCookie().join()) ?? []
  if (token === undefined) throw new Error(`signing in was answered with ${answer.status}`)
  return { authorization: `Bearer ${token}` }
}

interface Sample extends ConnectionMeasures {
  readonly cpuMicros: number
}

const sample = async (server: Running, load: Load): Promise<Sample> => {
  const before = server.cpu()
  const measured = await measureWith(server.url + path, load)
  return { ...measured, cpuMicros: ((server.cpu() - before) * 1000) / measured.requests }
}

const middle = (all: readonly Sample[], part: keyof Sample): number =>
  quantile(
    all.map(one => one[part]),
    0.5,
  )

const cells = (all: readonly Sample[]): string =>
  [
    middle(all, 'perSecond').toFixed(0).padStart(9),
    middle(all, 'p50').toFixed(1).padStart(8),
    middle(all, 'p99').toFixed(1).padStart(8),
    (middle(all, 'p99') / middle(all, 'p50')).toFixed(1).padStart(7),
    middle(all, 'cpuMicros').toFixed(0).padStart(7),
  ].join('')

const report = async (name: string, plinth: Running, floor: Running): Promise<void> => {
  console.log(`\n${name}, ${generator}`)
  console.log(
    `${''.padEnd(36)}  floor/s     p50     p99  p99/50     CPU    own/s     p50     p99  p99/50     CPU   ratio`,
  )
  const bearer = await signIn(plinth)
  for (const [what, load] of Object.entries(loads)) {
    const sides: readonly [Sample[], Sample[]] = [[], []]
    for (let round = 0; round <= rounds; round++) {
      const bare = await sample(floor, { ...load, headers: authorization })
      const own = await sample(plinth, { ...load, headers: bearer })
      // The first round warms up.
      if (round > 0 || rounds === 1) [bare, own].forEach((one, at) => void sides[at]?.push(one))
    }
    const ratio = middle(sides[1], 'perSecond') / middle(sides[0], 'perSecond')
    console.log(`${what.padEnd(36)}${cells(sides[0])}${cells(sides[1])}${ratio.toFixed(2).padStart(8)}`)
  }
}

const compare = (name: string, place: FilledDatabase): Promise<void> =>
  withRecords(
    place,
    () => fillLocalities(place.database, records),
    async plinth => {
      const floor = await startFloor(place.database)
      await report(name, plinth, floor).finally(floor.stop)
    },
  )

await onDatabases(only, async (name, newPlace) => compare(name, await newPlace()))
