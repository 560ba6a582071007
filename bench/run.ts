// The service against its bare floor, in one run, on both databases. What counts are the ratios: machines differ and are noisy.

import { type FilledDatabase, onDatabases, withLocalities } from './support/filled.ts'
import { type LoadRequest, type Measured, measure } from './support/load.ts'
import { authorization, type Running, startFloor } from './support/servers.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const records = 100_000

let serial = 0
const asks: Readonly<Record<string, LoadRequest>> = {
  'read one': { method: 'GET', path: '/api/rest/localities/L50000', expects: 200 },
  page: { method: 'GET', path: '/api/rest/localities?filter=name==Al*&sort=-name&_ps=20', expects: 200 },
  create: {
    method: 'POST',
    path: '/api/rest/hosts',
    body: () =>
      JSON.stringify({
        name: `host-${process.pid}-${++serial}.example.com`,
        description: 'A host for measuring.',
        country: 'GR',
      }),
    expects: 201,
  },
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Processor time per request changes less than throughput when other programs use the machine. */
interface Sample extends Measured {
  readonly cpuMicros: number
}

const sample = async (server: Running, ask: LoadRequest): Promise<Sample> => {
  const before = server.cpu()
  const measured = await measure(server.url, ask, seconds)
  return { ...measured, cpuMicros: ((server.cpu() - before) * 1000) / measured.requests }
}

const middle = (all: readonly Sample[]): Omit<Sample, 'requests'> => ({
  perSecond: median(all.map(one => one.perSecond)),
  p50: median(all.map(one => one.p50)),
  p99: median(all.map(one => one.p99)),
  cpuMicros: median(all.map(one => one.cpuMicros)),
})

const compare = (name: string, place: FilledDatabase): Promise<void> =>
  withLocalities(place, records, async plinth => {
    const floor = await startFloor(place.database)
    await report(name, { plinth, floor }).finally(floor.stop)
  })

interface Sides {
  readonly plinth: Running
  readonly floor: Running
}

const report = async (name: string, { plinth, floor }: Sides): Promise<void> => {
  console.log(
    `\n${name}: ${records.toLocaleString('en')} records, start to first answer ${plinth.startMs.toFixed(0)} ms`,
  )
  console.log('               floor/s   p50   p99    plinth/s   p50   p99   ratio   CPU µs per request    ratio')
  for (const [what, ask] of Object.entries(asks)) {
    const [own, bare]: [Sample[], Sample[]] = [[], []]
    for (const server of [floor, plinth]) await measure(server.url, ask, 1)
    for (let round = 0; round < rounds; round++) {
      bare.push(await sample(floor, ask))
      own.push(await sample(plinth, ask))
    }
    const [f, p] = [middle(bare), middle(own)]
    const cells = [f.perSecond.toFixed(0).padStart(8), f.p50, f.p99, p.perSecond.toFixed(0).padStart(11), p.p50, p.p99]
    const costs = [f.cpuMicros, p.cpuMicros].map(micros => micros.toFixed(0).padStart(8))
    console.log(
      [
        `${what.padEnd(13)}${cells.map(cell => String(cell).padStart(6)).join('')}`,
        (p.perSecond / f.perSecond).toFixed(2),
        `${costs.join(' →')}    `,
        (p.cpuMicros / f.cpuMicros).toFixed(2),
      ].join('   '),
    )
  }
  await compareDeepPage(plinth)
  console.log(`memory after the run: ${plinth.memory().toFixed(0)} MB`)
}

/** Page 1,000 by cursor against page 1. */
const compareDeepPage = async ({ url }: Running): Promise<void> => {
  const first = '/api/rest/localities?sort=name&_ps=20&_total=none'
  let path = first
  for (let page = 1; page < 1000; page++) {
    const body = (await (
      await fetch(url + path, { headers: { ...authorization, accept: 'application/json' } })
    ).json()) as {
      links: { rel: string; href: string }[]
    }
    const next = new URL(body.links.find(link => link.rel === 'next')?.href ?? '')
    path = next.pathname + next.search
  }
  const one = await measure(url, { method: 'GET', path: first, expects: 200 }, seconds)
  const thousandth = await measure(url, { method: 'GET', path, expects: 200 }, seconds)
  console.log(
    `page 1: ${one.perSecond.toFixed(0)}/s; page 1,000 by cursor: ${thousandth.perSecond.toFixed(0)}/s, ratio ${(thousandth.perSecond / one.perSecond).toFixed(2)}`,
  )
}

/** `npm run bench -- sqlite` measures that database alone. */
const [only] = process.argv.slice(2)
await onDatabases(only, async (name, newPlace) => compare(name, await newPlace()))
