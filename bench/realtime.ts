// Many subscribers of one topic while records are made: how long until all of them have heard, and what it costs.
// `npm run build && npm run bench -- realtime [sqlite|postgres]`

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createDatabase, startPostgres } from '@plinth/test-kit/postgres'
import { cpuOf } from './support/cpu.ts'
import { authorization, type Running, startPlinth } from './support/servers.ts'
import { size } from './support/size.ts'

const subscribers = size('BENCH_SUBSCRIBERS', 2000, 150)
const perSecond = size('BENCH_CHANGES', 200, 20)
const seconds = size('BENCH_SECONDS', 15, 1)

interface Heard {
  /** How many subscribers have received everything. */
  readonly received: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const ask = <T>(crowd: ChildProcess, question: object): Promise<T> =>
  new Promise((resolve, reject) => {
    crowd.once('message', answer => resolve(answer as T))
    crowd.once('exit', code => reject(new Error(`the subscribers ended with ${code}`)))
    crowd.send(question)
  })

/** Callers share connections, as those behind a proxy do. */
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

const post = (url: string, record: object): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { ...authorization, 'content-type': 'application/json', prefer: 'return=minimal' }
    const creation = request(`${url}/api/rest/hosts`, { method: 'POST', agent, headers }, answer => {
      answer.resume().once('end', resolve)
      if (answer.statusCode !== 201) reject(new Error(`a change was answered with ${answer.statusCode}`))
    })
    creation.once('error', reject).end(JSON.stringify(record))
  })

/** Writes at an even pace, whether or not the answers keep up. The name of each record says when it was requested. */
const write = async (url: string): Promise<number> => {
  const requests: Promise<void>[] = []
  const began = performance.now()
  for (let number = 0; number < perSecond * seconds; number++) {
    const due = began + (number * 1000) / perSecond
    if (due > performance.now()) await sleep(due - performance.now())
    const name = `at${Math.round((performance.timeOrigin + performance.now()) * 1000)}-${number}.example`
    requests.push(post(url, { name, description: 'A host for measuring.' }))
  }
  await Promise.all(requests)
  return (performance.now() - began) / 1000
}

const measure = async (name: string, plinth: Running): Promise<void> => {
  const crowd = fork(fileURLToPath(new URL('./realtime/subscribers.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  const before = plinth.memory()
  let peak = before
  const watching = setInterval(() => {
    peak = Math.max(peak, plinth.memory())
  }, 200)
  try {
    await ask(crowd, { connect: subscribers, url: plinth.url })
    const connected = plinth.memory()
    const [service, listeners] = [plinth.cpu(), cpuOf(crowd.pid ?? 0)]
    const took = await write(plinth.url)
    const { received, p50, p99, max } = await ask<Heard>(crowd, { changes: perSecond * seconds })
    console.log(`\n${name}: ${subscribers} subscribers, ${perSecond} changes/s for ${took.toFixed(1)} s`)
    console.log(`told of everything: ${received} subscribers`)
    console.log(`delivery p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, max ${max.toFixed(0)} ms`)
    // Whether the machine is shared shows in the delays; what the service needs of a processor does not.
    const busy = (now: number, then: number): string => ((now - then) / 1000 / seconds).toFixed(2)
    console.log(
      `processor per second of changes: service ${busy(plinth.cpu(), service)} s, ` +
        `subscribers ${busy(cpuOf(crowd.pid ?? 0), listeners)} s`,
    )
    console.log(`memory ${before.toFixed(0)} MB, connected ${connected.toFixed(0)} MB, peak ${peak.toFixed(0)} MB`)
  } finally {
    clearInterval(watching)
    crowd.removeAllListeners('exit')
    crowd.kill()
  }
}

const chosen = process.argv.slice(2)
const isChosen = (database: string): boolean => chosen.length === 0 || chosen.includes(database)
const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
const common = {
  'app.demo': 'true',
  'server.port': '0',
  'app.log.level': 'error',
  'app.modules': '',
  'app.dataDir': folder,
  'app.realtime.maxConnectionsPerUser': String(subscribers + 10),
  'app.realtime.maxSubscriptionsPerUser': String(subscribers + 10),
  'server.maxConnectionsPerAddress': String(subscribers + 10),
  // All sign in at once, as one user from one address.
  'app.auth.throttle.perAddress': '1000000',
  'app.auth.throttle.perAccount': '100000',
  'app.auth.throttle.perAccountEverywhere': '1000000',
}
const run = async (name: string, settings: Record<string, string>): Promise<void> => {
  const plinth = await startPlinth({ ...common, ...settings })
  try {
    await measure(name, plinth)
  } finally {
    await plinth.stop()
  }
}
if (isChosen('sqlite')) await run('SQLite', {})
if (isChosen('postgres')) {
  const postgres = await startPostgres()
  try {
    await run('PostgreSQL', { 'app.database.url': await createDatabase(postgres.url) })
  } finally {
    await postgres.stop()
  }
}
await rm(folder, { recursive: true, force: true })
