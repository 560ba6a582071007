// Does the service keep what it should forget? Mixed load and subscribers that come and go, in rounds; after each round the
// live heap is measured, and in the end its slope is printed.
// `npm run build && npm run bench -- soak`; BENCH_ROUNDS and BENCH_STREAMS set how long and how much.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createApp, loadConfig } from '@plinth/test-kit/platform'
import WebSocket from 'ws'
import { authorization } from './support/servers.ts'
import { size } from './support/size.ts'

const rounds = size('BENCH_ROUNDS', 8, 2)
const perRound = size('BENCH_STREAMS', 50, 10)
/** The first rounds fill caches. */
const warmUp = 2

// Within this process, so that garbage can be collected before the heap is looked at.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const liveHeapKb = async (): Promise<number> => {
  // What finalizers let go of is collected with the next round.
  for (let turn = 0; turn < 4; turn++) {
    collect()
    await sleep(50)
  }
  return process.memoryUsage().heapUsed / 1024
}

const comeAndGoByEvents = async (url: string): Promise<void> => {
  const leaving = new AbortController()
  const stream = await fetch(`${url}/api/rest/events?topic=hosts`, { headers: authorization, signal: leaving.signal })
  await stream.body?.getReader().read()
  leaving.abort()
}

const comeAndGoByStomp = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, ['v12.stomp'], { headers: authorization })
    socket.once('error', reject).once('close', () => resolve())
    socket.once('open', () => {
      socket.send('CONNECT\naccept-version:1.2\nheart-beat:0,0\n\n\0')
      socket.send('SUBSCRIBE\nid:0\ndestination:/topic/hosts\nreceipt:r\n\n\0')
    })
    socket.on('message', (data: Buffer) => data.includes('RECEIPT') && socket.close())
  })

/** One record from beginning to end, and a search. */
const work = async (url: string, name: string): Promise<void> => {
  const ask = async (path: string, method: string, body?: object) => {
    const headers = { ...authorization, accept: 'application/json', 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}`)
    return answer.text()
  }
  const { pk } = JSON.parse(await ask('/api/rest/hosts', 'POST', { name })) as { pk: string }
  await ask(`/api/rest/hosts/${pk}`, 'PATCH', { description: 'changed' })
  await ask('/api/rest/countries?filter=name==G*&sort=-name', 'GET')
  await ask(`/api/rest/hosts/${pk}`, 'DELETE')
}

const playRound = async (url: string, round: number): Promise<void> => {
  for (let at = 0; at < perRound; at += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, one) => [
        comeAndGoByEvents(url),
        comeAndGoByStomp(url),
        work(url, `soak-${round}-${at + one}.example`),
      ]).flat(),
    )
}

/** Least squares, in kB for each round. */
const slopeOf = (heaps: readonly number[]): number => {
  const middle = (heaps.length - 1) / 2
  const mean = heaps.reduce((sum, heap) => sum + heap, 0) / heaps.length
  const rise = heaps.reduce((sum, heap, at) => sum + (at - middle) * (heap - mean), 0)
  return rise / heaps.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
}

const folder = await mkdtemp(join(tmpdir(), 'plinth-soak-'))
const overrides = {
  ...{ 'app.demo': 'true', 'server.port': '0', 'app.log.level': 'error', 'app.modules': '' },
  'app.dataDir': folder,
  'app.api.maxEventLoopLag': '0',
  'app.realtime.maxConnectionsPerUser': '100',
}
const app = await createApp(loadConfig({ overrides, env: {} }))
try {
  const url = await app.listen()
  const heaps: number[] = []
  for (let round = 0; round < warmUp + rounds; round++) {
    await playRound(url, round)
    const heap = await liveHeapKb()
    console.log(`round ${round + 1}: live heap ${(heap / 1024).toFixed(1)} MB${round < warmUp ? ', warming up' : ''}`)
    if (round >= warmUp) heaps.push(heap)
  }
  const slope = slopeOf(heaps)
  console.log(`slope ${slope.toFixed(1)} kB a round, ${((slope * 1024) / perRound).toFixed(0)} bytes for each of the`)
  console.log(`${perRound} event streams, ${perRound} STOMP connections and ${perRound} records of a round`)
} finally {
  await app.close()
  await rm(folder, { recursive: true, force: true })
}
