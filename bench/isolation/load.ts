// The load of the isolation benchmark, in a process of its own: costly searches, searches over the budget, aggregates, searches by words, subscribers that
// catch up, connections that never read, imports, a hook that never ends, and writes beside them. Sends its counts to the parent when it ends.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { size } from '../support/size.ts'
import type { Searches } from './searches.ts'

const [url = '', seconds = '10', searches = ''] = process.argv.slice(2)
const { allowed, refused, byWords }: Searches = JSON.parse(searches)
const end = performance.now() + Number(seconds) * 1000
const isOver = (): boolean => performance.now() >= end

/** The counts by kind of load and status, or what went wrong. */
const counts = new Map<string, number>()
const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)

const asUser = (name: string) => ({ authorization: `Basic ${Buffer.from(`${name}:${name}`).toString('base64')}` })
const people = ['admin', 'operator', 'staff', 'client', 'simple'] as const

const search = async (kind: string, path: string, person: string): Promise<void> => {
  while (!isOver()) {
    try {
      const headers = { accept: 'application/json', ...asUser(person) }
      const answer = await fetch(`${url}/api/rest/${path}`, { headers, signal: AbortSignal.timeout(20_000) })
      await answer.arrayBuffer()
      count(`${kind} ${answer.status}`)
      // A refusal is quick: without a pause the load would be requests, not searches.
      if (answer.status !== 200) await sleep(20)
    } catch {
      count(`${kind} without an answer`)
    }
  }
}

/** Subscribes from the first event on, and begins again when all have arrived. */
const catchUp = (person: string): Promise<void> =>
  new Promise(resolve => {
    let bytes = 0
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, ['v12.stomp'], { headers: asUser(person) })
    const timer = setTimeout(() => socket.close(), Math.max(0, end - performance.now()))
    socket.once('open', () => {
      socket.send('CONNECT\naccept-version:1.2\nheart-beat:0,0\n\n\0')
      socket.send('SUBSCRIBE\nid:0\ndestination:/topic/hosts\nlast-sequence:0\n\n\0')
    })
    socket.on('message', (data: Buffer) => {
      bytes += data.length
      if (data.includes('ERROR')) count(`catch-up refused: ${/message:(.*)/.exec(data.toString())?.[1]}`)
    })
    const done = (): void => {
      clearTimeout(timer)
      counts.set('MB of events', (counts.get('MB of events') ?? 0) + bytes / 1e6)
      resolve()
    }
    socket.once('close', done).once('error', () => socket.terminate())
  })

const pipelined = 'GET /api/rest/countries HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n'

/** Sends 700 requests at once and never reads an answer; opens another connection when it is cut off. */
const pipeline = async (): Promise<void> => {
  const { hostname, port } = new URL(url)
  while (!isOver()) {
    const socket: Socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.once('connect', () => socket.write(pipelined.repeat(700)))
    socket.pause()
    await Promise.race([new Promise(resolve => socket.once('close', resolve)), sleep(end - performance.now())])
    count(socket.destroyed ? 'pipelines cut off' : 'pipelines held')
    socket.destroy()
    await sleep(50)
  }
}

const rowsOfImport = size('BENCH_IMPORT_ROWS', 10_000, 100)

const send = async (path: string, body: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${url}/api/${path}`, { method: 'POST', body, headers, signal: AbortSignal.timeout(600_000) })

/** Checks a file and imports it, all or nothing, again and again. The last import is not cut off. */
const importFiles = async (): Promise<void> => {
  const headers = { ...asUser('admin'), 'content-type': 'text/csv', accept: 'application/json' }
  for (let file = 0; !isOver(); file++) {
    const rows = Array.from({ length: rowsOfImport }, (_, at) => `I${file}-${at},Town ${at} of file ${file},GR`)
    const body = ['pk,name,parent', ...rows].join('\n')
    for (const [what, query] of [
      ['checks', 'dryRun=true'],
      ['imports', 'allOrNothing=true'],
    ]) {
      const began = performance.now()
      const answer = await send(`import/localities?${query}`, body, headers)
      const { created } = (await answer.json()) as { created?: number }
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      count(`${what} of ${created} rows: ${answer.status} after ${seconds} s`)
    }
  }
}

/** Creates records whose hook waits for ever. */
const callHook = async (): Promise<void> => {
  const headers = { 'content-type': 'application/json', ...asUser('admin') }
  while (!isOver()) {
    const answer = await send('rest/calls', JSON.stringify({ name: 'call' }), headers)
    const { code } = (await answer.json()) as { code?: string }
    count(`hooks ${answer.status} ${code}`)
    await sleep(100)
  }
}

/** The times of writes in milliseconds. */
const writeTimes: number[] = []
let hosts = 0

/** Creates records, and signs in after each tenth. */
const write = async (): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const name = `${Date.now()}-${process.pid}-`
  while (!isOver()) {
    const began = performance.now()
    hosts += 1
    const host = JSON.stringify({ name: `${name}${hosts}.example` })
    const signIn = JSON.stringify({ username: 'client', password: 'client' })
    const answer = await (hosts % 10 === 0
      ? send('auth/userDetails', signIn, headers)
      : send('rest/hosts', host, { ...headers, ...asUser('admin') }))
    await answer.arrayBuffer()
    writeTimes.push(performance.now() - began)
    count(`${hosts % 10 === 0 ? 'sign-ins' : 'writes'} ${answer.status}`)
    await sleep(50)
  }
  const sorted = writeTimes.sort((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  counts.set('ms of writes: p50', at(0.5)).set('ms of writes: p99', at(0.99)).set('ms of writes: longest', at(1))
}

/** Groups of whole tables: as many as there are records, periods in a time zone, and numbers of all. */
const aggregates = [
  'localities/aggregates?group=name&count&max=path&sort=-count',
  'localities/aggregates?group=createdDate:hour&timezone=Europe/Berlin&count&distinct=name',
  'localities/aggregates?count&min=name&max=path&distinct=path',
  'localities/aggregates?group=parent.name,parent.parent.name&count&sum=pathLevel&having=count=gt=1',
]

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

/** All of them, or those that BENCH_LOAD names. */
const kinds: Readonly<Record<string, () => Promise<void>[]>> = {
  slow: () => Array.from({ length: 8 }, (_, at) => search('slow search', pick(allowed, at), pick(people, at))),
  refused: () =>
    Array.from({ length: 8 }, (_, at) => search('search over the budget', pick(refused, at), pick(people, at))),
  aggregates: () => Array.from({ length: 8 }, (_, at) => search('aggregate', pick(aggregates, at), pick(people, at))),
  words: () => Array.from({ length: 8 }, (_, at) => search('search by words', pick(byWords, at), pick(people, at))),
  events: () => Array.from({ length: 20 }, (_, at) => catchUp(pick(people, at))),
  pipelines: () => Array.from({ length: 100 }, pipeline),
  imports: () => [importFiles()],
  // More than PostgreSQL has connections for transactions.
  hooks: () => Array.from({ length: 8 }, callHook),
  writes: () => [write()],
}
const chosen = process.env.BENCH_LOAD?.split(',') ?? Object.keys(kinds)

await Promise.all(chosen.flatMap(kind => kinds[kind]?.() ?? []))
process.send?.(Object.fromEntries(counts))
process.disconnect?.()
