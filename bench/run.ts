// The service against its bare floor, in one run, on both databases. What counts are the ratios: machines differ and are noisy.
// `npm run build && npm run bench [-- sqlite|postgres]`

import { measureWith } from './connections/load.ts'
import { fillHosts, onePath, parents, records, requests } from './run/requests.ts'
import { compareAnswers } from './run/same-answers.ts'
import { quantile } from './support/ask.ts'
import { fillLocalities } from './support/fill.ts'
import { type FilledDatabase, onDatabases, withRecords } from './support/filled.ts'
import { connections, type LoadMeasures, measure } from './support/load.ts'
import { authorization, type Running, startFloor } from './support/servers.ts'
import { size } from './support/size.ts'

const seconds = size('BENCH_SECONDS', 4, 1)
const rounds = size('BENCH_ROUNDS', 3, 1)
const warmUp = 1
const pageSize = 20

/** One measurement of so many seconds. */
type Measuring = (url: string, seconds: number) => Promise<LoadMeasures>

/** Processor time per request changes less than throughput when other programs use the machine. */
interface Sample extends LoadMeasures {
  readonly cpuMicros: number
}

const sample = async (server: Running, measuring: Measuring): Promise<Sample> => {
  const before = server.cpu()
  const measured = await measuring(server.url, seconds)
  return { ...measured, cpuMicros: ((server.cpu() - before) * 1000) / measured.requests }
}

const middle = (all: readonly Sample[]): Omit<Sample, 'requests'> => {
  const median = (part: keyof Sample): number =>
    quantile(
      all.map(one => one[part]),
      0.5,
    )
  return { perSecond: median('perSecond'), p50: median('p50'), p99: median('p99'), cpuMicros: median('cpuMicros') }
}

const compare = (name: string, place: FilledDatabase): Promise<void> =>
  withRecords(
    place,
    () => fillLocalities(place.database, records, parents),
    async plinth => {
      await fillHosts(plinth.url)
      const floor = await startFloor(place.database)
      await report(name, { plinth, floor }).finally(floor.stop)
    },
  )

interface Sides {
  readonly plinth: Running
  readonly floor: Running
}

const report = async (name: string, sides: Sides): Promise<void> => {
  const { plinth } = sides
  console.log(
    `\n${name}: ${records.toLocaleString('en')} records, start to first answer ${plinth.startMs.toFixed(0)} ms`,
  )
  console.log(
    '                        floor/s   p50   p99    plinth/s   p50   p99   ratio   CPU µs per request    ratio',
  )
  for (const [what, request] of Object.entries(requests)) {
    if ('method' in request) await compareAnswers(sides, what, request)
    console.log(await compareSpeed(sides, what, (url, time) => measure(url, request, time)))
  }
  console.log(await compareSpeed(sides, 'new connections', onNewConnections))
  await compareDeepPage(plinth)
  console.log(`memory after the run: ${plinth.memory().toFixed(0)} MB`)
}

/** Each request opens a connection, and its time begins there. */
const onNewConnections: Measuring = (url, time) =>
  measureWith(url + onePath, { connections, isKept: false, seconds: time, headers: authorization })

const compareSpeed = async ({ plinth, floor }: Sides, what: string, measuring: Measuring): Promise<string> => {
  const [own, bare]: [Sample[], Sample[]] = [[], []]
  for (const server of [floor, plinth]) await measuring(server.url, warmUp)
  for (let round = 0; round < rounds; round++) {
    bare.push(await sample(floor, measuring))
    own.push(await sample(plinth, measuring))
  }
  const [f, p] = [middle(bare), middle(own)]
  const cells = [
    ...[f.perSecond.toFixed(0).padStart(8), f.p50.toFixed(0), f.p99.toFixed(0)],
    ...[p.perSecond.toFixed(0).padStart(11), p.p50.toFixed(0), p.p99.toFixed(0)],
  ]
  const costs = [f.cpuMicros, p.cpuMicros].map(micros => micros.toFixed(0).padStart(8))
  return [
    `${what.padEnd(22)}${cells.map(cell => cell.padStart(6)).join('')}`,
    (p.perSecond / f.perSecond).toFixed(2),
    `${costs.join(' →')}    `,
    (p.cpuMicros / f.cpuMicros).toFixed(2),
  ].join('   ')
}

/** Page 1,000 by cursor against page 1. */
const compareDeepPage = async ({ url }: Running): Promise<void> => {
  const deep = Math.min(1000, Math.floor(records / pageSize / 2))
  const first = `/api/rest/localities?sort=name&_ps=${pageSize}&_total=none`
  let path = first
  for (let page = 1; page < deep; page++) {
    const answer = await fetch(url + path, { headers: { ...authorization, accept: 'application/json' } })
    const { links } = (await answer.json()) as { readonly links: readonly { rel: string; href: string }[] }
    const next = new URL(links.find(link => link.rel === 'next')?.href ?? '')
    path = next.pathname + next.search
  }
  const one = await measure(url, { method: 'GET', path: first, expects: 200 }, seconds)
  const thousandth = await measure(url, { method: 'GET', path, expects: 200 }, seconds)
  console.log(
    `page 1: ${one.perSecond.toFixed(0)}/s; page ${deep.toLocaleString('en')} by cursor: ${thousandth.perSecond.toFixed(0)}/s, ` +
      `ratio ${(thousandth.perSecond / one.perSecond).toFixed(2)}`,
  )
}

const [only] = process.argv.slice(2)
await onDatabases(only, async (name, newPlace) => compare(name, await newPlace()))
