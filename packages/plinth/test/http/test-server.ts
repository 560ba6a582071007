// A server of its own for each test, and connections below the level of HTTP.

import { connect, type Socket } from 'node:net'
import { loadConfig } from '@plinth/test-kit/platform'
import { expect, onTestFinished } from 'vitest'
import type { Request, Response, Route } from '../../src/core/http/exchange.ts'
import { plainProblem } from '../../src/core/http/faults.ts'
import { type ConnectionLimits, type HttpServer, readLimits, type ServerOptions } from '../../src/core/http/options.ts'
import { createServer } from '../../src/core/http/server.ts'
import { Problem } from '../../src/core/problem.ts'
import { waitingFor } from '../../src/testing/waiting.ts'

export interface Started {
  readonly url: string
  readonly port: number
  readonly server: HttpServer
  /** The faults that reached `onFault`. */
  readonly faults: unknown[]
  readonly logged: { level: string; fields: object; message: string }[]
}

export interface TestServerOptions extends Omit<Partial<ServerOptions>, 'limits'> {
  readonly limits?: Partial<ConnectionLimits>
}

const usualLimits = readLimits(loadConfig({ env: {}, cwd: '/nowhere' }))

type Made = Pick<Started, 'server' | 'faults' | 'logged'>

export const make = (routes: readonly Route[], { limits, ...options }: TestServerOptions = {}): Made => {
  const faults: unknown[] = []
  const logged: Started['logged'] = []
  const server = createServer({
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 1000,
    limits: { ...usualLimits, ...limits },
    log: {
      error: (fields, message) => logged.push({ level: 'error', fields, message }),
      warn: (fields, message) => logged.push({ level: 'warn', fields, message }),
    },
    routes,
    notFound: () => ({ status: 404 }),
    onFault: (_, error) => {
      faults.push(error)
      return error instanceof Problem ? plainProblem(error, error.details.headers) : plainProblem('internal')
    },
    ...options,
  })
  return { server, faults, logged }
}

export const start = async (routes: readonly Route[], options: TestServerOptions = {}): Promise<Started> => {
  const made = make(routes, options)
  const url = await made.server.listen()
  onTestFinished(() => made.server.close())
  return { ...made, url, port: Number(new URL(url).port) }
}

export const get = (path: string, handler: Route['handler']): Route => ({ method: 'GET', path, handler })

export const json = (value: unknown, headers: Record<string, string> = {}): Response => ({
  status: 200,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** Shows the handler's view of a request to the test. */
export const mirror = ({ method, path, search, params, body, base, id, remoteAddress }: Request): Response =>
  json({ method, path, search, params, body: body?.toString('latin1') ?? null, base, id, remoteAddress })

/** Answer every request to `/a` with what it says. */
export const mirrors: readonly Route[] = [get('/a', mirror), { method: 'POST', path: '/a', handler: mirror }]

export const requestText = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`

export const expectServed = async ({ url }: Started): Promise<void> =>
  expect((await fetch(`${url}/a`)).status).toBe(200)

/** A client that sends and never reads. */
export const openDeaf = (port: number, text: string): Socket => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(text)
  onTestFinished(() => {
    socket.destroy()
  })
  return socket
}

export interface RawConnection {
  readonly socket: Socket
  send(text: string): void
  /** All that has come once it holds the text. */
  until(text: string): Promise<string>
  /** All that came until the other side ended. */
  ended(): Promise<string>
}

export const open = (port: number): RawConnection => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const check of waiting) check()
  }
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    wake()
  })
  socket.on('error', wake)
  socket.on('end', wake)
  socket.on('close', wake)
  onTestFinished(() => {
    socket.destroy()
  })
  const when = (what: string, holds: () => boolean) =>
    waitingFor(
      what,
      new Promise<string>(resolve => {
        const check = () => {
          if (!holds()) return
          waiting.delete(check)
          resolve(received)
        }
        waiting.add(check)
        check()
      }),
    )
  return {
    socket,
    send: text => {
      socket.write(text)
    },
    until: text => when(`${JSON.stringify(text)} on a connection`, () => received.includes(text) || socket.destroyed),
    ended: () => when('the server to end a connection', () => socket.readableEnded || socket.destroyed),
  }
}

/** Sends the text, and gives everything that comes back until the server ends the connection. */
export const exchange = (port: number, text: string): Promise<string> => {
  const connection = open(port)
  connection.send(text)
  return connection.ended()
}

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])

export const bodyOf = (answer: string): string =>
  Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1').toString('utf8')

const ofTheExchange = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'x-request-id'])

/** The headers that belong to the answer rather than to the connection or the moment. */
export const lasting = (headers: Headers): [string, string][] =>
  [...headers].filter(([name]) => !ofTheExchange.has(name))

interface Signal {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

/** A promise and the function that resolves it. A test that times out while it waits for the promise prints `what`. */
export const signal = (what: string): Signal => {
  let resolve = () => {}
  const promise = new Promise<void>(settle => {
    resolve = settle
  })
  return {
    get promise() {
      return waitingFor(what, promise)
    },
    resolve,
  }
}
