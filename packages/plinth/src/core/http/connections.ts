// The open connections of a server: when they are read and their requests begin, what they hold in memory, and how they end.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { after, every } from '../guarded.ts'
import type { Problem } from '../problem.ts'
import { startStopwatch } from '../thread-clock.ts'
import type { Bodies } from './bodies.ts'
import { networkOf, toPlainAddress } from './caller-address.ts'
import { ConnectionPlaces, type PlaceOptions } from './connection-places.ts'
import type { Traffic } from './options.ts'
import { createOneByOne, createPacedTasks } from './paced-tasks.ts'
import { Pipeline, type PipelineHost } from './pipeline.ts'
import { ReadingTurns } from './reading-turns.ts'
import { createRequestQueue } from './request-queue.ts'

export interface ConnectionOptions extends PlaceOptions {
  /** The bodies of requests, which are released when these are over. */
  readonly bodies: Pick<Bodies, 'release' | 'sweep'>
}

const sweepMs = 200
const drainSweepMs = 100

export interface Throughput {
  /** Requests on which work has begun. */
  readonly arrived: number
  /** Requests that got their response. */
  readonly answered: number
  /** The most requests in hand at a time. */
  readonly mostInHand: number
}

export class Connections {
  readonly #server: Server
  readonly #options: ConnectionOptions
  readonly #places: ConnectionPlaces
  readonly #pipelines = new Map<Socket, Pipeline>()
  readonly #reading = new ReadingTurns()
  readonly #longQueries = createPacedTasks()
  readonly #inTurn = createOneByOne()
  readonly #arrivals = createArrivals()
  /** Resolves when the work on a request that has arrived begins. */
  readonly arrived = this.#arrivals.arrived
  readonly #closing = new WeakSet<Pipeline>()
  #inHand = 0
  #work = { arrived: 0, answered: 0, mostInHand: 0 }
  #closed = 0
  readonly #stopSweeping: () => Promise<void>

  constructor(server: Server, options: ConnectionOptions) {
    this.#server = server
    this.#options = options
    this.#places = new ConnectionPlaces(server, options)
    server.on('connection', () => this.#arrivals.connected())
    const guard = { name: 'the check of connections', log: options.log }
    this.#stopSweeping = every(sweepMs, guard, () => this.#sweep())
  }

  /** How many requests are worked on and have no response yet. */
  get inHand(): number {
    return this.#inHand
  }

  /**
   * Hands over the requests of all connections, as many of each at a time as it may have. `addressOf` is the address of the caller,
   * who may be behind a proxy.
   */
  serve(handle: PipelineHost['handle'], addressOf: (raw: IncomingMessage) => string): Server {
    const { limits, isTls } = this.#options
    const begin: PipelineHost['handle'] = (raw, reply) => {
      if (!hasLongQuery(raw)) return handle(raw, reply)
      this.#longQueries(networkOf(addressOf(raw)), longQueryMs(raw), () => {
        // A pipelined response has no socket yet, and is not destroyed with it.
        if (!raw.socket.destroyed) handle(raw, reply)
      })
    }
    const host = {
      limits,
      handle: begin,
      ended: (reply: ServerResponse) => {
        this.#leave(reply)
        this.#options.bodies.release(reply.req)
      },
      inTurn: createRequestQueue(),
      crowded: (pipeline: Pipeline, ms: number) => this.#reading.crowd(pipeline, ms),
      flooded: (pipeline: Pipeline) => this.#expel(pipeline),
    }
    const event = isTls ? 'secureConnection' : 'connection'
    this.#server.on(event, (socket: Socket) => this.#watch(socket, host))
    this.#server.on('upgrade', ({ socket }: IncomingMessage) => this.#endRequests(socket))
    const receive = (raw: IncomingMessage, reply: ServerResponse) => this.#pipelines.get(raw.socket)?.take(reply)
    this.#server.on('checkContinue', (raw: IncomingMessage, reply: ServerResponse) => {
      continueWhenRead(raw, reply)
      receive(raw, reply)
    })
    return this.#server.on('request', receive)
  }

  /** The work on a request begins: it has arrived whole, and a route takes it. */
  take(reply: ServerResponse): void {
    const pipeline = this.#pipelines.get(reply.req.socket)
    if (!pipeline) return
    pipeline.inHand.add(reply)
    this.#inHand += 1
    this.#work.arrived += 1
    if (this.#inHand > this.#work.mostInHand) this.#work.mostInHand = this.#inHand
  }

  /** A body has brought so many small pieces at once that they took so many milliseconds, about. */
  crowd(socket: Socket, ms: number): void {
    const pipeline = this.#pipelines.get(socket)
    if (pipeline) this.#reading.crowd(pipeline, ms)
  }

  /** What was done since this was last asked. */
  takeThroughput(): Throughput {
    // Responses that have begun may never end, such as streams of events.
    for (const { inHand } of this.#pipelines.values())
      for (const reply of inHand) if (reply.headersSent) this.#leave(reply)
    const work = this.#work
    this.#work = { arrived: 0, answered: 0, mostInHand: this.#inHand }
    return work
  }

  /** Why a connection is not served. It is the answer to its first request: callers read no answer before they have asked. */
  refusalOf(socket: Socket): Problem | null {
    const { refused } = this.#places
    return refused.size === 0 ? null : (refused.get(socket) ?? null)
  }

  /** Runs the action when the requests that the connection has sent whole are answered. It is cut off if that takes too long. */
  finish(socket: Socket, action: () => void): void {
    const { limits, log } = this.#options
    const pipeline = this.#pipelines.get(socket)
    if (pipeline) pipeline.finish(action)
    else action()
    if (!socket.destroyed) after(limits.stallMs, { name: 'the end of a connection', log }, () => socket.destroy())
  }

  traffic(): Omit<Traffic, 'bodyBytes'> {
    let [waitingRequests, responseBytes] = [0, 0]
    for (const pipeline of this.#pipelines.values()) {
      waitingRequests += pipeline.waiting
      responseBytes += pipeline.waitingBytes
    }
    const { open, refusals } = this.#places
    return {
      connections: open.size,
      waitingRequests,
      responseBytes,
      refusedConnections: refusals,
      closedConnections: this.#closed,
    }
  }

  /** Closes what falls idle from now on, and what is left at the deadline; the answer stops this. */
  drain(deadlineMs: number): () => void {
    const { log } = this.#options
    const stopSweeping = every(drainSweepMs, { name: 'the sweep of idle connections', log }, () => this.#closeIdle())
    const deadline = after(deadlineMs, { name: 'the end of the last connections', log }, () => {
      for (const socket of [...this.#places.open, ...this.#places.refused.keys()]) socket.destroy()
    })
    return () => {
      void stopSweeping()
      void this.#stopSweeping()
      clearTimeout(deadline)
    }
  }

  #watch(socket: Socket, host: PipelineHost): void {
    const pipeline = new Pipeline(socket, networkOf(toPlainAddress(socket.remoteAddress ?? '')), host)
    this.#pipelines.set(socket, pipeline)
    this.#reading.add(pipeline)
    socket.once('close', () => {
      this.#reading.remove(pipeline)
      pipeline.close()
      for (const reply of pipeline.inHand) this.#leave(reply)
      this.#pipelines.delete(socket)
    })
  }

  /** What a WebSocket holds counts as well, but it brings no requests. */
  #endRequests(socket: Socket): void {
    const pipeline = this.#pipelines.get(socket)
    if (pipeline) this.#reading.remove(pipeline)
  }

  #leave(reply: ServerResponse): void {
    if (!this.#pipelines.get(reply.req.socket)?.inHand.delete(reply)) return
    this.#inHand -= 1
    this.#work.answered += 1
  }

  #expel({ socket, network }: Pipeline): void {
    if (!this.#places.expel(socket)) return
    for (const { socket: next } of this.#reading.unserved(network)) next.destroy()
  }

  #sweep(): void {
    const { limits, bodies } = this.#options
    const now = performance.now()
    let total = 0
    for (const pipeline of this.#pipelines.values()) {
      total += pipeline.waitingBytes
      pipeline.watch(now)
    }
    if (total > limits.responseBytes) this.#closeLargest(total - limits.responseBytes)
    bodies.sweep(now)
  }

  /** A caller who reads holds little, so those who do not are closed first. */
  #closeLargest(excess: number): void {
    const all = [...this.#pipelines.values()].map(pipeline => ({ pipeline, bytes: pipeline.waitingBytes }))
    all.sort((left, right) => right.bytes - left.bytes)
    let left = excess
    let count = 0
    for (const { pipeline, bytes } of all) {
      if (left <= 0) break
      left -= bytes
      if (this.#closing.has(pipeline)) continue
      this.#closing.add(pipeline)
      // Closing a connection with hundreds of requests takes milliseconds.
      this.#inTurn(() => pipeline.destroy())
      count += 1
    }
    if (count === 0) return
    this.#closed += count
    this.#options.log.warn({ count }, 'connections closed: they did not read their responses')
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections()
    // Connected and never used, which the server does not count among the idle.
    for (const socket of this.#places.open) if (socket.bytesRead === 0) socket.destroy()
  }
}

/** The characters from which a URL is long. Most searches are shorter. */
const longUrlLength = 500

/** Reading such a query and estimating its cost takes milliseconds: several at once would delay all other requests. */
export const hasLongQuery = ({ method, url = '' }: IncomingMessage): boolean =>
  url.length > longUrlLength && (method === 'GET' || method === 'HEAD')

const maxQueryMs = 10

/** How long that takes, about, in milliseconds. */
const longQueryMs = ({ url = '' }: IncomingMessage): number => Math.min(maxQueryMs, url.length / 250)

/**
 * A caller who asks whether to send a body (RFC 9110, 10.1.1) gets 100 when something begins to read it: a body that is refused before
 * never arrives. Then the connection ends, since the next bytes on it may be the body or another request.
 */
const continueWhenRead = (raw: IncomingMessage, reply: ServerResponse): void => {
  const { shouldKeepAlive } = reply
  reply.shouldKeepAlive = false
  const begin = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return
    raw.off('newListener', begin)
    if (reply.headersSent) return
    reply.shouldKeepAlive = shouldKeepAlive
    reply.writeContinue()
  }
  raw.on('newListener', begin)
}

// When the work on requests that have arrived begins.

interface Arrivals {
  readonly arrived: () => Promise<void>
  /** Is called when another connection was accepted. */
  readonly connected: () => void
}

/** The most turns of the event loop, and milliseconds of its work, for which requests wait while connections come. */
const maxTurnsHeld = 32
const maxMsHeld = 5
/** How many requests then begin at once. */
const besideConnections = 16

/**
 * Requests that are there at the same time are read one after the other before the first of them is worked on: then their
 * work and their answers go together, which costs the processor about half of what going back and forth does. But one connection
 * is accepted in each turn of the event loop. So while there are new ones, requests wait for a few short turns:
 * otherwise the last of many connections would wait for as many turns, in each of which all the others are served.
 */
const createArrivals = (): Arrivals => {
  let waiting: (() => void)[] = []
  let hasConnected = false
  let usage = { turns: 0, worked: () => 0 }
  const isHeld = (): boolean => {
    if (usage.turns === maxTurnsHeld) return false
    usage = usage.turns === 0 ? { turns: 1, worked: startStopwatch() } : { ...usage, turns: usage.turns + 1 }
    return usage.worked() < maxMsHeld
  }
  const begin = (): void => {
    const waits = hasConnected && isHeld()
    const count = hasConnected ? besideConnections : waiting.length
    hasConnected = false
    if (waits) {
      setImmediate(begin)
      return
    }
    usage = { turns: 0, worked: () => 0 }
    const next = waiting.slice(0, count)
    waiting = waiting.slice(count)
    if (waiting.length > 0) setImmediate(begin)
    for (const resolve of next) resolve()
  }
  return {
    arrived: () =>
      new Promise(resolve => {
        if (waiting.push(resolve) === 1) setImmediate(begin)
      }),
    connected: () => {
      hasConnected = true
    },
  }
}
