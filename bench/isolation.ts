// Does one caller hold up the others? Latency of cheap requests without load, and while others send the slowest searches that
// the budget allows, searches over the budget, catch up on events, and pipeline requests without reading the answers.
// `npm run build -w server && npx tsx bench/isolation.ts [records] [sqlite|postgres]`; BENCH_LOAD=slow,refused,events,pipelines chooses.

import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { settings } from '../server/src/config.ts'
import { createDatabase, startPostgres } from '../server/test/support/postgres.ts'
import { fillLocalities } from './fill.ts'
import { authorization, type Running, startPlinth } from './servers.ts'

const [records = '100000', only] = process.argv.slice(2)
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
const events = Number(process.env.BENCH_EVENTS ?? 100_000)

/** From cheap to hopeless: which of them the budget allows depends on the number of records. */
const searches = [
  '/api/rest/localities?filter=path==*zzz*',
  '/api/rest/localities?filter=name=ilike=*zq*&sort=-path',
  '/api/rest/localities?sort=path&_ps=500',
  '/api/rest/localities?sort=-createdDate&_pn=150',
  '/api/rest/localities?filter=parent.name==*ee*&sort=path',
  '/api/rest/countries?filter=children.path==*zzz*',
  '/api/rest/localities?filter=parent.children.name==*zzz*',
  `/api/rest/countries?filter=${Array.from({ length: 100 }, (_, at) => `parent.children.parent.children.name==z${at}`)}`,
]

const cheap: Readonly<Record<string, string>> = {
  'point read': '/api/rest/localities/L500',
  'who am I': '/api/auth/userDetails',
  health: '/api/management/health',
}

/** One request at a time on a kept connection. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const timeOf = (address: string): Promise<{ status: number; ms: number }> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    get(address, { agent, headers: { accept: '*/*', ...authorization } }, answer => {
      answer.resume().once('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - began }))
    }).once('error', reject)
  })

const probe = async (url: string, until: () => boolean): Promise<ReadonlyMap<string, number[]>> => {
  const times = new Map(Object.keys(cheap).map(name => [name, [] as number[]]))
  while (!until()) {
    for (const [name, path] of Object.entries(cheap)) {
      const { status, ms } = await timeOf(url + path)
      if (status !== 200) throw new Error(`${path} was answered with ${status}`)
      times.get(name)?.push(ms)
    }
    await sleep(5)
  }
  return times
}

const quantile = (values: readonly number[], share: number): string =>
  ([...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN).toFixed(1)

const report = (title: string, times: ReadonlyMap<string, readonly number[]>): void => {
  for (const [name, all] of times) {
    const figures = [0.5, 0.99, 0.999].map(share => quantile(all, share).padStart(9)).join('')
    console.log(`  ${title.padEnd(14)}${name.padEnd(12)}${figures}   of ${all.length}`)
  }
}

/** Splits the searches into those that run and those that the budget refuses. */
const sort = async (url: string) => {
  const allowed: { path: string; ms: number }[] = []
  const refused: string[] = []
  for (const path of searches) {
    const { status, ms } = await timeOf(url + path)
    if (status === 400) refused.push(path)
    else allowed.push({ path, ms })
  }
  allowed.sort((left, right) => right.ms - left.ms)
  return { allowed: allowed.slice(0, 4), refused }
}

const writeEvents = async (url: string): Promise<void> => {
  const headers = { ...authorization, 'content-type': 'application/json', prefer: 'return=minimal' }
  for (let from = 0; from < events; from += 500) {
    const hosts = Array.from({ length: Math.min(500, events - from) }, (_, at) => ({ name: `e${from + at}.example` }))
    const answer = await fetch(`${url}/api/rest/hosts`, { method: 'POST', headers, body: JSON.stringify(hosts) })
    await answer.arrayBuffer()
    if (answer.status !== 201) throw new Error(`events were answered with ${answer.status}`)
  }
}

const underLoad = async (plinth: Running, paths: readonly string[]) => {
  const file = fileURLToPath(new URL('isolation-load.ts', import.meta.url))
  const load = fork(file, [plinth.url, String(seconds), ...paths], { execArgv: ['--import', 'tsx'] })
  let counts: Record<string, number> | undefined
  load.once('message', message => {
    counts = message as Record<string, number>
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
  const times = await probe(plinth.url, () => isOver)
  clearInterval(watch)
  return { times, memory, counts }
}

const run = async (name: string, settings: Record<string, string>, databaseUrl: string): Promise<void> => {
  const first = await startPlinth(settings)
  await first.stop()
  await fillLocalities(databaseUrl, Number(records))
  const plinth = await startPlinth(settings)
  try {
    await writeEvents(plinth.url)
    const { allowed, refused } = await sort(plinth.url)
    console.log(`\n${name}: ${Number(records).toLocaleString('en')} records, ${events.toLocaleString('en')} events`)
    for (const { path, ms } of allowed) console.log(`  allowed, ${ms.toFixed(0)} ms: ${path}`)
    console.log(`  over the budget: ${refused.length} of ${searches.length}`)
    console.log(`${''.padEnd(28)}      p50      p99    p99.9`)
    const stop = performance.now() + 5000
    report('without load', await probe(plinth.url, () => performance.now() > stop))
    const half = allowed.map(({ path }) => path)
    const over = half.map((path, at) => refused[at % refused.length] ?? path)
    const { times, memory, counts } = await underLoad(plinth, [...half, ...over])
    report('under load', times)
    console.log(`  memory at most ${memory.toFixed(0)} MB; ${JSON.stringify(counts)}`)
  } finally {
    await plinth.stop()
  }
}

const folder = await mkdtemp(join(tmpdir(), 'plinth-isolation-'))
const usual = {
  'app.demo': 'true',
  'server.port': '0',
  'app.log.level': 'silent',
  // As in production; other benchmarks run without limits.
  'app.api.rateLimit.anonymousRequests': String(settings['app.api.rateLimit.anonymousRequests'].default),
  'app.api.rateLimit.anonymousCost': String(settings['app.api.rateLimit.anonymousCost'].default),
}
try {
  if (only !== 'postgres') {
    const data = join(folder, 'sqlite')
    await run('SQLite', { ...usual, 'app.dataDir': data }, join(data, 'plinth.db'))
  }
  if (only !== 'sqlite') {
    const server = await startPostgres()
    try {
      const url = await createDatabase(server.url)
      await run('PostgreSQL', { ...usual, 'app.dataDir': join(folder, 'postgres'), 'app.database.url': url }, url)
    } finally {
      await server.stop()
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
