// Do requests take longer when there are more records? The median at 10,000 records against that at more.
// `npm run build && npm run bench -- flat [records] [sqlite|postgres]`

import { Agent, request } from 'node:http'
import { quantile } from './support/ask.ts'
import { nameOf } from './support/fill.ts'
import { type NewFilledDatabase, onDatabases, withLocalities } from './support/filled.ts'
import { authorization, type Running } from './support/servers.ts'
import { size } from './support/size.ts'

const few = size('BENCH_FEW', 10_000, 1000)
const [records = size('BENCH_RECORDS', 200_000, 2000), only] = process.argv.slice(2)
const rounds = size('BENCH_ROUNDS', 100, 5)
const pageSize = 20

interface LoadRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

type Makes = (count: number, round: number) => LoadRequest

interface Page {
  readonly links: readonly { readonly rel: string; readonly href: string }[]
}

const list = '/api/rest/localities'
/** Returns another record in each round, spread over all of them. */
const spread = (count: number, round: number): number => (round * 7919 + 17) % count
const nameIn = (count: number, round: number): string => nameOf(spread(count, round)).toLowerCase()

let serial = 0
const asks: Readonly<Record<string, Makes>> = {
  'read one': (count, round) => ({ path: `${list}/L${spread(count, round)}` }),
  'page by name': () => ({ path: `${list}?sort=name&_ps=${pageSize}` }),
  'default search': (count, round) => ({ path: `${list}?name=${nameIn(count, round)}*&sort=name&_ps=${pageSize}` }),
  contains: (count, round) => ({ path: `${list}?name=*${nameIn(count, round).slice(1)}*&sort=name&_ps=${pageSize}` }),
  'of one parent, by name': () => ({ path: `${list}?filter=parent==GR&sort=name&_ps=${pageSize}` }),
  'the same, not counted': () => ({ path: `${list}?filter=parent==GR&sort=name&_ps=${pageSize}&_total=none` }),
  'page in the middle': count => ({ path: `${list}?sort=name&_ps=${pageSize}&_pn=${count / 2 / pageSize - 1}` }),
  create: () => ({
    method: 'POST',
    path: list,
    body: JSON.stringify({ pk: `new-${process.pid}-${++serial}`, name: nameOf(serial), parent: 'GR' }),
  }),
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const timeOf = (url: string, { method = 'GET', path, body }: LoadRequest): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const headers = { accept: 'application/json', 'content-type': 'application/json', ...authorization }
    request(url + path, { agent, method, headers }, answer => {
      const status = answer.statusCode ?? 0
      answer.resume().once('end', () => {
        if (status === 200 || status === 201) resolve(performance.now() - began)
        else reject(new Error(`${path} was answered with ${status}`))
      })
    })
      .once('error', reject)
      .end(body)
  })

/** The last page, as the first one links to it. */
const lastPage = async (url: string): Promise<LoadRequest> => {
  const first = await fetch(`${url}${list}?sort=name&_ps=${pageSize}`, {
    headers: { accept: 'application/json', ...authorization },
  })
  const { links } = (await first.json()) as Page
  const { pathname, search } = new URL(links.find(({ rel }) => rel === 'last')?.href ?? url)
  return { path: pathname + search }
}

const measure = async ({ url }: Running, count: number): Promise<ReadonlyMap<string, number>> => {
  const medians = new Map<string, number>()
  const last = await lastPage(url)
  const all: Readonly<Record<string, Makes>> = { ...asks, 'last page': () => last }
  for (const [name, makes] of Object.entries(all)) {
    const times: number[] = []
    for (let round = 0; round < rounds + 10; round++) {
      const ms = await timeOf(url, makes(count, round))
      // The first ones prepare statements.
      if (round >= 10) times.push(ms)
    }
    medians.set(name, quantile(times, 0.5))
  }
  return medians
}

const report = async (name: string, newPlace: NewFilledDatabase): Promise<void> => {
  const many = Number(records)
  const measureWith = async (count: number) => withLocalities(await newPlace(), count, plinth => measure(plinth, count))
  const [small, large] = [await measureWith(few), await measureWith(many)]
  console.log(`\n${name}, ms at the median    ${few.toLocaleString('en')}   ${many.toLocaleString('en')}   ratio`)
  for (const [what, ms] of small) {
    const there = large.get(what) ?? Number.NaN
    console.log(
      `${what.padEnd(24)}${ms.toFixed(2).padStart(10)}${there.toFixed(2).padStart(10)}${(there / ms).toFixed(1).padStart(8)}`,
    )
  }
}

await onDatabases(only, report)
