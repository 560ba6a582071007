// Many connections that ask again and again: by `wrk`, or by this process where it is not installed.

import { execFile, spawnSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { quantile } from '../support/ask.ts'

export interface Load {
  readonly connections: number
  /** Or each request has a connection of its own. */
  readonly isKept: boolean
  readonly seconds: number
  readonly headers: Readonly<Record<string, string>>
}

export interface Measured {
  readonly perSecond: number
  readonly requests: number
  /** In milliseconds. */
  readonly p50: number
  readonly p99: number
}

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

export const name = hasWrk ? 'measured by wrk' : 'measured by connections of this process'

export const measureWith = (url: string, load: Load): Promise<Measured> =>
  hasWrk ? measureByWrk(url, load) : measureHere(url, load)

const headersOf = ({ headers, isKept }: Load): Readonly<Record<string, string>> => ({
  ...headers,
  accept: 'application/json',
  ...(!isKept && { connection: 'close' }),
})

const inMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

const measureByWrk = async (url: string, load: Load): Promise<Measured> => {
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

/** On a busy machine a short load may end before its first response. */
const longer = (load: Load): Load => {
  if (load.seconds > 60) throw new Error('no request was answered within a minute')
  return { ...load, seconds: 2 * load.seconds }
}

const measureHere = async (url: string, load: Load): Promise<Measured> => {
  const { hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host: hostname, ...headersOf(load) }).map(header => header.join(': '))
  const text = [`GET ${pathname}${search} HTTP/1.1`, ...lines, '', ''].join('\r\n')
  const began = performance.now()
  const end = began + load.seconds * 1000
  const times: number[] = []
  const open = (): Socket => connect(Number(port), hostname)
  const ask = async (): Promise<void> => {
    let socket: Socket | null = null
    while (performance.now() < end) {
      const asked = performance.now()
      socket ??= open()
      await exchange(socket, text)
      times.push(performance.now() - asked)
      if (!load.isKept) {
        socket.destroy()
        socket = null
      }
    }
    socket?.destroy()
  }
  await Promise.all(Array.from({ length: load.connections }, ask))
  const perSecond = (times.length * 1000) / (performance.now() - began)
  return { perSecond, requests: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

/** Settles when the whole response is there. */
const exchange = (socket: Socket, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let received = ''
    const take = (part: Buffer): void => {
      received += part.toString('latin1')
      const head = received.indexOf('\r\n\r\n')
      const [, length] = /content-length: (\d+)/i.exec(received) ?? []
      if (head === -1 || received.length < head + 4 + Number(length)) return
      socket.off('data', take).off('error', reject)
      if (received.startsWith('HTTP/1.1 200')) resolve()
      else reject(new Error(received.slice(0, 20)))
    }
    socket.on('data', take).once('error', reject)
    socket.write(text)
  })
