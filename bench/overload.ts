// Who is refused under load? One administrator who creates many records while the service gets a quarter of a processor, many people
// who sign in at once, and more busy connections than the service can answer in time: only those are to be refused.
// `npm run build && npm run bench -- overload`

import { setTimeout as sleep } from 'node:timers/promises'
import { apiSettings } from '../packages/plinth/src/core/config/api-settings.ts'
import { quantile } from './support/ask.ts'
import { fillLocalities } from './support/fill.ts'
import { type FilledDatabase, onDatabases, withRecords } from './support/filled.ts'
import { authorization, type Running } from './support/servers.ts'
import { isSmall, size } from './support/size.ts'

const seconds = size('BENCH_SECONDS', 15, 2)
const signIns = size('BENCH_SIGN_INS', 500, 10)
const busyConnections = size('BENCH_CONNECTIONS', 2000, 20)
const bulks = isSmall ? [20, 20] : [...Array(12).fill(500), ...Array(8).fill(1000)]

interface Answered {
  readonly status: number
  readonly ms: number
}

const ask = async (url: string, request: RequestInit): Promise<Answered> => {
  const began = performance.now()
  const answer = await fetch(url, request)
  await answer.arrayBuffer()
  return { status: answer.status, ms: performance.now() - began }
}

const summary = (all: readonly Answered[]): string => {
  const statuses = [...new Set(all.map(({ status }) => status))].toSorted()
  return statuses
    .map(wanted => {
      const times = all.filter(({ status }) => status === wanted).map(({ ms }) => ms)
      return `${times.length} × ${wanted} (p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms)`
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
const createMany = async ({ url }: Running): Promise<readonly Answered[]> => {
  const all: Answered[] = []
  const headers = { ...json, ...authorization, prefer: 'return=minimal' }
  for (const count of bulks) {
    const places = Array.from({ length: count }, () => ({ pk: `N${++serial}`, name: `Place ${serial}`, parent: 'GR' }))
    all.push(await ask(`${url}/api/rest/localities`, { method: 'POST', headers, body: JSON.stringify(places) }))
  }
  return all
}

const people = ['admin', 'operator', 'staff', 'client', 'simple'] as const

const signInAtOnce = ({ url }: Running): Promise<readonly Answered[]> =>
  Promise.all(
    Array.from({ length: signIns }, (_, at) => {
      const name = people[at % people.length]
      const body = JSON.stringify({ username: name, password: name })
      return ask(`${url}/api/auth/userDetails`, { method: 'POST', headers: json, body })
    }),
  )

/** Those who are refused come back after a second. The first seconds, in which overload is not known yet, do not count. */
const keepBusy = async ({ url }: Running): Promise<readonly Answered[]> => {
  const [counts, end] = [0.6, 1].map(share => performance.now() + share * seconds * 1000) as [number, number]
  const all: Answered[] = []
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const isCounted = performance.now() > counts || isSmall
      const answered = await ask(`${url}/api/rest/localities?_ps=50&sort=name`, {
        headers: { ...json, ...authorization },
      })
      if (isCounted) all.push(answered)
      if (answered.status === 503) await sleep(1000)
    }
  }
  await Promise.all(Array.from({ length: busyConnections }, one))
  return all
}

const bench = async (name: string, plinth: Running): Promise<void> => {
  console.log(`\n${name}`)
  console.log(
    `many records, at a quarter of a processor: ${summary(await starved(plinth.pid, () => createMany(plinth)))}`,
  )
  console.log(`${signIns} sign-ins at once: ${summary(await signInAtOnce(plinth))}`)
  console.log(`${busyConnections} busy connections: ${summary(await keepBusy(plinth))}`)
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
