// Many connections that ask again and again: by `wrk`, or by this process where it is not installed. `wrk` counts the first request of
// each connection from its opening, and corrects for requests that would have been sent while it waited; here they are sent.

import { execFile, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { quantile } from '../support/ask.ts'
import { PlainConnection, toText } from '../support/plain-connection.ts'

export interface Load {
  readonly connections: number
  /** Says whether requests keep their connection, or each has one of its own. */
  readonly isKept: boolean
  readonly seconds: number
  readonly headers: Readonly<Record<string, string>>
}

export interface ConnectionMeasures {
  readonly perSecond: number
  readonly requests: number
  /** The median in milliseconds. */
  readonly p50: number
  readonly p99: number
}

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

export const name = hasWrk ? 'measured by wrk' : 'measured by connections of this process'

export const measureWith = (url: string, load: Load): Promise<ConnectionMeasures> =>
  hasWrk ? measureByWrk(url, load) : measureHere(url, load)

const headersOf = ({ headers, isKept }: Load): Readonly<Record<string, string>> => ({
  ...headers,
  accept: 'application/json',
  ...(!isKept && { connection: 'close' }),
})

const inMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

const measureByWrk = async (url: string, load: Load): Promise<ConnectionMeasures> => {
  const headers = Object.entries(headersOf(load)).flatMap(([header, value]) => ['-H', `${header}: ${value}`])
  const shape = ['-t1', `-c${load.connections}`, `-d${load.seconds}`, '--timeout', '30', '--latency']
  const { stdout } = await promisify(execFile)('wrk', [...shape, ...headers, url])
  const failed = /Non-2xx.*|Socket errors: .*[1-9].*/.exec(stdout)
  // A connection that ends with the response is no error.
  if (failed && !/connect 0, read \d+, write 0, timeout 0/.test(failed[0])) throw new Error(failed[0])
  const time = (share: string): number => {
    const [, value, unit = ''] = new RegExp(`${share}%\\s+([\\d.]+)(\\w+)`).exec(stdout) ?? []
    return Number(value) * (inMs[unit] ?? Number.NaN)
  }
  const [, requests] = /(\d+) requests in/.exec(stdout) ?? []
  if (Number(requests) === 0) return measureByWrk(url, longer(load))
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  return { perSecond: Number(perSecond), requests: Number(requests), p50: time('50'), p99: time('99') }
}

/** Makes a load longer: on a busy machine a short one may end before its first response. */
const longer = (load: Load): Load => {
  if (load.seconds > 60) throw new Error('no request was answered within a minute')
  return { ...load, seconds: 2 * load.seconds }
}

/** How much of what the service can answer is asked for. */
const openShare = 0.8

/** Each connection asks again as soon as it has its answer, which shows what the service can answer; then requests are due at that rate. */
const measureHere = async (url: string, load: Load): Promise<ConnectionMeasures> => {
  const began = performance.now()
  const closed = await askFrom(url, load, () => performance.now())
  const perSecond = (closed.length * 1000) / (performance.now() - began)
  const first = performance.now()
  let count = 0
  const open = await askFrom(url, load, () => first + (count++ * 1000) / (openShare * perSecond))
  return { perSecond, requests: closed.length + open.length, p50: quantile(open, 0.5), p99: quantile(open, 0.99) }
}

/** Each connection takes the next request that is due. What it takes is counted from then on, also when no connection was free. */
const askFrom = async (url: string, load: Load, nextDue: () => number): Promise<readonly number[]> => {
  const server = new URL(url)
  const text = toText(server, { path: server.pathname + server.search, headers: headersOf(load) })
  const end = performance.now() + load.seconds * 1000
  const times: number[] = []
  const ask = async (): Promise<void> => {
    const connection = new PlainConnection(server)
    for (let due = nextDue(); due < end; due = nextDue()) {
      const wait = due - performance.now()
      if (wait > 0) await sleep(wait)
      const { status } = await connection.ask(text)
      if (status !== 200) throw new Error(`answered with ${status}`)
      times.push(performance.now() - due)
      if (!load.isKept) connection.close()
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: load.connections }, ask))
  return times
}
