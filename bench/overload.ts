// Who is refused under load? One administrator who creates many records while the service gets a quarter of a processor, many people
// who sign in at once, and more busy connections than the service can answer in time: only those are to be refused.
// `npm run build && npm run bench -- overload`

import { setTimeout as sleep } from 'node:timers/promises'
import { apiSettings } from '../packages/plinth/src/core/config/api-settings.ts'
import { quantile } from './support/ask.ts'
import { fillLocalities } from './support/fill.ts'
import { type FilledDatabase, onDatabases, withRecords } from './support/filled.ts'
import { PlainConnection, type PlainResponse, toText } from './support/plain-connection.ts'
import { authorization, type Running } from './support/servers.ts'
import { isSmall, size } from './support/size.ts'

const seconds = size('BENCH_SECONDS', 15, 2)
const signIns = size('BENCH_SIGN_INS', 500, 10)
const busyConnections = size('BENCH_CONNECTIONS', 2000, 20)
const bulks = isSmall ? [20, 20] : [...Array(12).fill(500), ...Array(8).fill(1000)]

const summary = (all: readonly PlainResponse[]): string => {
  const statuses = [...new Set(all.map(({ status }) => status))].toSorted()
  return statuses
    .map(index => {
      const times = all.filter(({ status }) => status === index).map(({ ms }) => ms)
      return `${times.length} × ${index} (p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms)`
    })
    .join(', ')
}

const json = { 'content-type': 'application/json', accept: 'application/json' }

/** Stops the process for three quarters of the time. */
const starved = async <T>(pid: number, work: () => Promise<T>): Promise<T> => {
  let pause: NodeJS.Timeout | undefined
  const round = setInterval(() => {
    process.kill(pid, 'SIGSTOP')
    pause = setTimeout(() => process.kill(pid, 'SIGCONT'), 75)
  }, 100)
  try {
    return await work()
  } finally {
    clearInterval(round)
    clearTimeout(pause)
    process.kill(pid, 'SIGCONT')
  }
}

let serial = 0
const createMany = async (server: URL): Promise<readonly PlainResponse[]> => {
  const connection = new PlainConnection(server)
  const all: PlainResponse[] = []
  const headers = { ...json, ...authorization, prefer: 'return=minimal' }
  for (const count of bulks) {
    const places = Array.from({ length: count }, () => ({ pk: `N${++serial}`, name: `Place ${serial}`, parent: 'GR' }))
    const body = JSON.stringify(places)
    all.push(await connection.ask(toText(server, { method: 'POST', path: '/api/rest/localities', headers, body })))
  }
  connection.close()
  return all
}

const people = ['admin', 'operator', 'staff', 'client', 'simple'] as const

const signInAtOnce = (server: URL): Promise<readonly PlainResponse[]> =>
  Promise.all(
    Array.from({ length: signIns }, async (_, at) => {
      const name = people[at % people.length]
      const body = JSON.stringify({ username: name, password: name })
      const connection = new PlainConnection(server)
      const text = toText(server, { method: 'POST', path: '/api/auth/userDetails', headers: json, body })
      return connection.ask(text).finally(() => connection.close())
    }),
  )

/**
 * Sends requests that come back, when they are refused, at the time that the answer names. It counts what is asked after the last
 * connection had its first answer: until then they are opened, and overload is not known yet.
 */
const keepBusy = async (server: URL): Promise<readonly PlainResponse[]> => {
  const all: PlainResponse[] = []
  const headers = { ...json, ...authorization }
  const text = toText(server, { path: '/api/rest/localities?_ps=50&sort=name', headers })
  let opening = busyConnections
  let end = Number.POSITIVE_INFINITY
  const one = async (): Promise<void> => {
    const connection = new PlainConnection(server)
    for (let requestCount = 0; performance.now() < end; requestCount++) {
      const isCounted = opening === 0
      const reply = await connection.ask(text)
      if (isCounted) all.push(reply)
      if (requestCount === 0 && --opening === 0) end = performance.now() + seconds * 1000
      if (reply.status !== 200) await sleep(Math.max(1, reply.retryAfter) * 1000)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: busyConnections }, one))
  return all
}

const bench = async (name: string, { url, pid }: Running): Promise<void> => {
  const server = new URL(url)
  console.log(`\n${name}`)
  console.log(`many records, at a quarter of a processor: ${summary(await starved(pid, () => createMany(server)))}`)
  console.log(`${signIns} sign-ins at once: ${summary(await signInAtOnce(server))}`)
  console.log(`${busyConnections} busy connections: ${summary(await keepBusy(server))}`)
}

const limited = ({ settings, ...place }: FilledDatabase): FilledDatabase => ({
  ...place,
  settings: {
    ...settings,
    'app.api.maxEventLoopLag': String(apiSettings.fields.maxEventLoopLag.options.default),
    'server.maxConnectionsPerAddress': '4000',
  },
})

await onDatabases('sqlite', async (name, newPlace) => {
  const place = limited(await newPlace())
  await withRecords(
    place,
    () => fillLocalities(place.database, 1000),
    plinth => bench(name, plinth),
  )
})
