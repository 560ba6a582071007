// The open connections of a server: how many there may be, what they hold in memory, and how they end.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { after, every } from '../guarded.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import { createNetworkMatch, nearbyNetworks, networkOf, toPlainAddress } from './caller-address.ts'
import type { ConnectionLimits, ServerLog, Traffic } from './options.ts'
import { Pipeline, type PipelineHost } from './pipeline.ts'
import { ReadingTurns } from './reading-turns.ts'
import { createOneByOne, createPacedTasks, createRequestQueue } from './turns.ts'

export interface ConnectionOptions {
  readonly limits: ConnectionLimits
  readonly trustedProxies: readonly string[]
  readonly isTls: boolean
  readonly log: ServerLog
  /** A request is over, whatever came of it. */
  readonly ended: PipelineHost['ended']
  /** Once in a while. */
  readonly swept: (now: number) => void
}

const sweepMs = 200
const drainSweepMs = 100
/** How long a refused connection may take to send the request that is answered with the refusal. */
const refusedMs = 2000
/** Refused connections that wait for their answer at a time. Further ones are closed at once: they would take the places of others. */
const maxRefused = 100
/** How long connections from a network are closed at once after a flood of requests from it. */
const floodedMs = 10_000
const maxFlooded = 1000

export class Connections {
  readonly #server: Server
  readonly #options: ConnectionOptions
  readonly #isTrusted: (address: string) => boolean
  /** As accepted; under TLS requests come on other sockets, which lie on these. */
  readonly #open = new Set<Socket>()
  readonly #pipelines = new Map<Socket, Pipeline>()
  readonly #refused = new Map<Socket, Problem>()
  readonly #perNetwork = new Map<string, number>()
  readonly #flooded = new LRUCache<string, true>({ max: maxFlooded, ttl: floodedMs })
  readonly #reading = new ReadingTurns()
  readonly #longQueries = createPacedTasks()
  readonly #inTurn = createOneByOne()
  readonly #closing = new WeakSet<Pipeline>()
  #refusals = 0
  #closed = 0
  #hasWarned = false
  readonly #stopSweeping: () => Promise<void>

  constructor(server: Server, options: ConnectionOptions) {
    this.#server = server
    this.#options = options
    this.#isTrusted = createNetworkMatch(options.trustedProxies)
    server.maxConnections = options.limits.connections + maxRefused
    server.on('connection', (socket: Socket) => this.#accept(socket))
    const guard = { name: 'the check of connections', log: options.log }
    this.#stopSweeping = every(sweepMs, guard, () => this.#sweep())
  }

  /**
   * Hands over the requests of all connections, as many of each at a time as it may have. `addressOf` is the address of the caller,
   * who may be behind a proxy.
   */
  serve(handle: PipelineHost['handle'], addressOf: (raw: IncomingMessage) => string): Server {
    const { limits, ended, isTls } = this.#options
    const begin: PipelineHost['handle'] = (raw, reply) => {
      if (!hasLongQuery(raw)) return handle(raw, reply)
      this.#longQueries(networkOf(addressOf(raw)), parsingMs(raw), () => {
        // A pipelined response has no socket yet, and is not destroyed with it.
        if (!raw.socket.destroyed) handle(raw, reply)
      })
    }
    const host = {
      limits,
      handle: begin,
      ended,
      inTurn: createRequestQueue(),
      crowded: (pipeline: Pipeline, ms: number) => this.#reading.crowd(pipeline, ms),
      flooded: (pipeline: Pipeline) => this.#expel(pipeline),
    }
    const event = isTls ? 'secureConnection' : 'connection'
    this.#server.on(event, (socket: Socket) => this.#watch(socket, host))
    this.#server.on('upgrade', ({ socket }: IncomingMessage) => this.#endRequests(socket))
    return this.#server.on('request', (raw: IncomingMessage, reply: ServerResponse) =>
      this.#pipelines.get(raw.socket)?.take(reply),
    )
  }

  /** Why a connection is not served. It is the answer to its first request: callers read no answer before they have asked. */
  refusalOf(socket: Socket): Problem | null {
    return this.#refused.size === 0 ? null : (this.#refused.get(socket) ?? null)
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
      responseBytes += pipeline.heldBytes
    }
    const [connections, refusedConnections, closedConnections] = [this.#open.size, this.#refusals, this.#closed]
    return { connections, waitingRequests, responseBytes, refusedConnections, closedConnections }
  }

  /** Closes what falls idle from now on, and what is left at the deadline; the answer stops this. */
  drain(deadlineMs: number): () => void {
    const { log } = this.#options
    const stopSweeping = every(drainSweepMs, { name: 'the sweep of idle connections', log }, () => this.#closeIdle())
    const deadline = after(deadlineMs, { name: 'the end of the last connections', log }, () => {
      for (const socket of [...this.#open, ...this.#refused.keys()]) socket.destroy()
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
    socket.prependOnceListener('close', () => pipeline.waiting > 0 && withoutStackTraces())
    socket.once('close', () => {
      this.#pipelines.delete(socket)
      this.#reading.remove(pipeline)
      pipeline.close()
    })
  }

  /** What a WebSocket holds counts as well, but it brings no requests. */
  #endRequests(socket: Socket): void {
    const pipeline = this.#pipelines.get(socket)
    if (pipeline) this.#reading.remove(pipeline)
  }

  #accept(socket: Socket): void {
    const peer = toPlainAddress(socket.remoteAddress ?? '')
    const network = this.#isTrusted(peer) ? null : networkOf(peer)
    if (network !== null && this.#flooded.has(network)) socket.destroy()
    else this.#admit(socket, peer, network)
  }

  /** `network` is null for trusted proxies, which stand for many callers. */
  #admit(socket: Socket, peer: string, network: string | null): void {
    const { limits } = this.#options
    const ofNetwork = network === null ? 0 : (this.#perNetwork.get(network) ?? 0)
    if (this.#open.size >= limits.connections) {
      this.#refuse(socket, 'overloaded', 'Too many connections.')
      return
    }
    if (ofNetwork >= limits.connectionsPerAddress) {
      this.#warnOnce(peer)
      this.#refuse(socket, 'too_many_requests', 'Too many connections from this address.')
      return
    }
    this.#open.add(socket)
    if (network !== null) this.#perNetwork.set(network, ofNetwork + 1)
    socket.once('close', () => {
      this.#open.delete(socket)
      if (network !== null) this.#leave(network)
    })
  }

  #expel({ socket, network }: Pipeline): void {
    const peer = toPlainAddress(socket.remoteAddress ?? '')
    this.#options.log.warn({ peer }, 'connection closed: too many pipelined requests')
    socket.destroy()
    if (this.#isTrusted(peer)) return
    this.#flooded.set(network, true)
    for (const { socket: next } of this.#reading.unserved(network)) next.destroy()
  }

  #leave(network: string): void {
    const left = (this.#perNetwork.get(network) ?? 1) - 1
    if (left > 0) this.#perNetwork.set(network, left)
    else this.#perNetwork.delete(network)
  }

  #warnOnce(peer: string): void {
    const { log } = this.#options
    if (this.#hasWarned || !createNetworkMatch(nearbyNetworks)(peer)) return
    this.#hasWarned = true
    log.warn({ peer }, 'too many connections from one address; add it to server.trustedProxies if it is your proxy')
  }

  #refuse(socket: Socket, code: ProblemCode, detail: string): void {
    this.#refusals += 1
    // Under TLS no request can be read from it before a handshake, which costs more than it is worth.
    if (this.#options.isTls || this.#refused.size >= maxRefused) {
      socket.destroy()
      return
    }
    this.#refused.set(socket, new Problem(code, { detail, headers: { 'Retry-After': '5', Connection: 'close' } }))
    const guard = { name: 'the end of a refused connection', log: this.#options.log }
    const timer = after(refusedMs, guard, () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(timer)
      this.#refused.delete(socket)
    })
  }

  #sweep(): void {
    const { limits, swept } = this.#options
    const now = performance.now()
    let total = 0
    for (const pipeline of this.#pipelines.values()) {
      total += pipeline.heldBytes
      pipeline.watch(now)
    }
    if (total > limits.responseBytes) this.#closeLargest(total - limits.responseBytes)
    swept(now)
  }

  /** A caller who reads holds little, so those who do not are closed first. */
  #closeLargest(excess: number): void {
    const all = [...this.#pipelines.values()].map(pipeline => ({ pipeline, bytes: pipeline.heldBytes }))
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
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy()
  }
}

/** In characters. Most searches are shorter. */
const longUrlLength = 500

/** Reading such a query and estimating its cost takes milliseconds: several at once would delay all other requests. */
const hasLongQuery = ({ method, url = '' }: IncomingMessage): boolean =>
  url.length > longUrlLength && (method === 'GET' || method === 'HEAD')

const maxParsingMs = 10

/** How long that takes, about. */
const parsingMs = ({ url = '' }: IncomingMessage): number => Math.min(maxParsingMs, url.length / 250)

/** Several connections can close before the limit is restored. */
let hasNoStackTraces = false

/**
 * Turns stack traces off until the next tick. Node creates an error for each request of a closed connection; with hundreds of
 * requests, stack traces take most of the time.
 */
const withoutStackTraces = (): void => {
  if (hasNoStackTraces) return
  const { stackTraceLimit } = Error
  hasNoStackTraces = true
  Error.stackTraceLimit = 0
  process.nextTick(() => {
    hasNoStackTraces = false
    Error.stackTraceLimit = stackTraceLimit
  })
}
