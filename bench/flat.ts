// Do requests take longer when there are more records? The median at 10,000 records against that at more.
// `npm run build -w server && npx tsx bench/flat.ts [records] [sqlite|postgres]`

import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, startPostgres } from '../server/test/support/postgres.ts'
import { fillLocalities, nameOf } from './fill.ts'
import { authorization, type Running, startPlinth } from './servers.ts'

const few = 10_000
const [records = '200000', only] = process.argv.slice(2)
const rounds = Number(process.env.BENCH_ROUNDS ?? 100)
const pageSize = 20

interface Ask {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

type Makes = (count: number, round: number) => Ask

interface Page {
  readonly links: readonly { readonly rel: string; readonly href: string }[]
}

const list = '/api/rest/localities'
/** Another record in each round, spread over all of them. */
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

const timeOf = (url: string, { method = 'GET', path, body }: Ask): Promise<number> =>
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

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** As the first page links to it. */
const lastPage = async (url: string): Promise<Ask> => {
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
    medians.set(name, median(times))
  }
  return medians
}

interface Place {
  readonly settings: Readonly<Record<string, string>>
  readonly database: string
}

/** The service makes the tables, the records are put into them, and the service is measured. */
const measureWith = async ({ settings, database }: Place, count: number): Promise<ReadonlyMap<string, number>> => {
  const first = await startPlinth(settings)
  await first.stop()
  await fillLocalities(database, count)
  const plinth = await startPlinth(settings)
  try {
    return await measure(plinth, count)
  } finally {
    await plinth.stop()
  }
}

const report = async (name: string, place: () => Promise<Place>): Promise<void> => {
  const many = Number(records)
  const [small, large] = [await measureWith(await place(), few), await measureWith(await place(), many)]
  console.log(`\n${name}, ms at the median    ${few.toLocaleString('en')}   ${many.toLocaleString('en')}   ratio`)
  for (const [what, ms] of small) {
    const there = large.get(what) ?? Number.NaN
    console.log(
      `${what.padEnd(24)}${ms.toFixed(2).padStart(10)}${there.toFixed(2).padStart(10)}${(there / ms).toFixed(1).padStart(8)}`,
    )
  }
}

const folder = await mkdtemp(join(tmpdir(), 'plinth-flat-'))
const common = { 'app.demo': 'true', 'server.port': '0', 'app.log.level': 'error' }
const inFolder = async () => ({ ...common, 'app.dataDir': await mkdtemp(join(folder, 'data-')) })
try {
  if (only !== 'postgres') {
    await report('SQLite', async () => {
      const settings = await inFolder()
      return { settings, database: join(settings['app.dataDir'], 'plinth.db') }
    })
  }
  if (only !== 'sqlite') {
    const server = await startPostgres()
    try {
      await report('PostgreSQL', async () => {
        const database = await createDatabase(server.url)
        return { settings: { ...(await inFolder()), 'app.database.url': database }, database }
      })
    } finally {
      await server.stop()
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
