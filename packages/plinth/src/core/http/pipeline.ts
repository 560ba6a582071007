// The requests of one connection (HTTP pipelining): a few are handled at a time. The others wait, and nothing more is read from
// the connection until they have begun, so that a caller who does not read responses cannot make the server produce more.
// Requests that have waited begin one by one for all connections, so that a flood of them delays other callers by one request.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLimits } from './options.ts'
import { Pace, takenFrom } from './pace.ts'
import { startReading, stopReading } from './reading.ts'
import type { RequestQueue } from './request-queue.ts'

export interface PipelineHost {
  readonly limits: ConnectionLimits
  readonly handle: (raw: IncomingMessage, reply: ServerResponse) => void
  /** A request is over, whatever came of it. */
  readonly ended: (reply: ServerResponse) => void
  /** The queue in which requests that have waited begin. */
  readonly inTurn: RequestQueue
  /** Much came at once: `ms` is what it took to parse, about. */
  readonly crowded: (pipeline: Pipeline, ms: number) => void
  /** Is called when more requests wait than may. */
  readonly flooded: (pipeline: Pipeline) => void
}

/**
 * The most waiting requests of one connection. Nothing is read while they wait, but Node parses up to 64 kB at once:
 * thousands.
 */
const maxWaiting = 1000

/** The number of requests at once, or lines of one header, that is much. */
const manyAtOnce = 8
const manyLines = 100

/** What it takes to parse a request, and a line of a header, about, in milliseconds. */
const requestMs = 0.015
const lineMs = 0.001

/** What a parsed request takes while it waits, about. */
const waitingRequestBytes = 4096

const maxListeners = 20

/** How long a connection stays open for its last response to be read. */
const lingerMs = 1000

export class Pipeline {
  readonly socket: Socket
  readonly network: string
  /** Requests that have begun so far. */
  served = 0
  /**
   * Requests that are worked on and have no response yet. Each connection has a set of its own, which is often empty. V8 links the former
   * tables of a set, so one set for all connections, which is never empty under load, would keep what is long answered until the next
   * full collection of garbage.
   */
  readonly inHand = new Set<ServerResponse>()
  readonly #host: PipelineHost
  readonly #active = new Set<ServerResponse>()
  readonly #waiting: ServerResponse[] = []
  #hasTurn = false
  /** The pace, while something waits to be taken. */
  #pace: Pace | null = null
  /** What to do once everything is answered: no further request is taken. */
  #last: (() => void) | null = null

  constructor(socket: Socket, network: string, host: PipelineHost) {
    this.socket = socket
    this.network = network
    this.#host = host
    socket.prependOnceListener('close', () => this.waiting > 0 && withoutStackTraces())
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Responses that are not read yet, and requests that wait. */
  get waitingBytes(): number {
    let bytes = this.socket.writableLength + this.#waiting.length * waitingRequestBytes
    // Only the first of them has the socket, whose bytes are counted already.
    for (const reply of this.#active) if (reply.socket === null) bytes += reply.writableLength
    return bytes
  }

  take(reply: ServerResponse): void {
    if (this.#last || this.socket.destroyed) return
    if (this.#waiting.length >= maxWaiting) {
      this.#host.flooded(this)
      return
    }
    const lines = reply.req.rawHeaders.length / 2
    if (lines > manyLines) this.#host.crowded(this, requestMs + lines * lineMs)
    if (this.#waiting.length === 0 && this.#active.size === 0) {
      this.#begin(reply)
      return
    }
    if (this.#waiting.length === 0) stopReading(this.socket, 'requests')
    this.#waiting.push(reply)
    if (this.#waiting.length === manyAtOnce) this.#host.crowded(this, manyAtOnce * requestMs)
    else if (this.#waiting.length > manyAtOnce) this.#host.crowded(this, requestMs)
    this.#askForTurn()
  }

  /** Takes no further request. Runs the action once those that arrived whole are answered, and not before. */
  finish(action: () => void): void {
    if (this.#last) return
    stopReading(this.socket, 'requests')
    if (this.#waiting.at(-1)?.req.complete === false) this.#waiting.pop()
    const [broken] = [...this.#active].filter(({ req }) => !req.complete)
    // Its response has begun, and is the last one.
    this.#last = broken?.headersSent ? () => this.socket.destroySoon() : action
    this.#finishWhenAnswered()
  }

  /** Cuts off a caller who takes responses too slowly. */
  watch(now: number): void {
    if (this.socket.writableLength === 0) this.#pace = null
    else if (this.#pace === null) this.#pace = new Pace(this.#host.limits, now, takenFrom(this.socket))
    else if (this.#pace.isTooSlow(now, takenFrom(this.socket))) this.socket.destroy()
  }

  close(): void {
    this.#waiting.length = 0
    for (const reply of this.#active) this.#host.ended(reply)
    this.#active.clear()
  }

  destroy(): void {
    this.socket.destroy()
  }

  #hasRoom(): boolean {
    const { requestsPerConnection, responseBytesPerConnection } = this.#host.limits
    const { size } = this.#active
    return size === 0 || (size < requestsPerConnection && this.waitingBytes < responseBytesPerConnection)
  }

  #begin(reply: ServerResponse): void {
    this.served += 1
    this.#active.add(reply)
    // For a static file the library adds more listeners than Node expects, and warns about a leak.
    reply.setMaxListeners(maxListeners)
    reply.on('close', () => this.#end(reply))
    this.#host.handle(reply.req, reply)
  }

  #end(reply: ServerResponse): void {
    if (!this.#active.delete(reply)) return
    this.#host.ended(reply)
    if (this.socket.destroyed) return
    if (!reply.req.complete && reply.req.headers['transfer-encoding'] !== undefined) {
      this.#hangUp()
      return
    }
    if (this.#waiting.length > 0) this.#askForTurn()
    if (this.#last) this.#finishWhenAnswered()
  }

  /**
   * A body without a length goes on although its request is answered. Thousands of small pieces cost more to drop than they are worth.
   * The caller has some time to read the response: closing at once would reset the connection.
   */
  #hangUp(): void {
    stopReading(this.socket, 'requests')
    setTimeout(() => this.socket.destroy(), lingerMs).unref()
  }

  #askForTurn(): void {
    if (this.#hasTurn || this.#waiting.length === 0 || !this.#hasRoom()) return
    this.#hasTurn = true
    this.#host.inTurn(() => {
      this.#hasTurn = false
      return this.#beginNext()
    })
  }

  #beginNext(): ServerResponse | null {
    const next = this.socket.destroyed ? undefined : this.#waiting.shift()
    if (!next) return null
    this.#begin(next)
    if (this.#waiting.length === 0 && !this.#last) startReading(this.socket, 'requests')
    this.#askForTurn()
    return next
  }

  #finishWhenAnswered(): void {
    const isOwed = ({ req, headersSent }: ServerResponse) => req.complete || headersSent
    if (this.#waiting.length > 0 || [...this.#active].some(isOwed)) return
    startReading(this.socket, 'requests')
    this.#last?.()
  }
}

/** Says whether errors have no stack traces: several connections can close before the limit is restored. */
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
