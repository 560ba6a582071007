// Request bodies as they arrive, before it is known who sends them. All that are in memory share a budget.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../problem.ts'
import { BodyMemory, GrowingBody, pieceBytes } from './body-memory.ts'
import type { ConnectionLimits } from './options.ts'
import { Pace } from './pace.ts'
import { createOneByOne } from './paced-tasks.ts'
import { startReading, stopReading } from './reading.ts'

export interface BodyLimits extends Pick<ConnectionLimits, 'bodyBytes' | 'stallMs' | 'bytesPerSecond'> {
  /** The most bytes of one body. */
  readonly maxBytes: number
}

/** How much of a body arrives without waiting for its turn: all of most bodies. */
const freeBytes = 65_536

/** Parts of a body that are smaller cost more than their bytes do: so many milliseconds each, about. */
const smallPart = 256
const partMs = 0.005
/** The parts that are looked at together. */
const manyParts = 64

/** How much of the budget unfinished bodies may take. Their parts, already copied, take as much again until they are collected. */
const arrivingShare = 0.4

export type BodyDone = (error: Error | null, body?: Buffer) => void

/** A connection has brought so many small parts at once that they took so many milliseconds, about. */
export type Crowded = (socket: Socket, ms: number) => void

export class Bodies {
  readonly #limits: BodyLimits
  readonly #maxArriving: number
  readonly #crowded: Crowded
  readonly #memory = new BodyMemory()
  /**
   * Bodies in memory. Each is released when its exchange is over. One map for all requests would keep those that are over until the next
   * full collection of garbage, as `Pipeline.inHand` explains.
   */
  readonly #bySocket = new WeakMap<Socket, Map<IncomingMessage, Body>>()
  /** The oldest first. */
  readonly #arriving = new Set<Body>()
  #arrivingBytes = 0
  #bytes = 0
  readonly #inTurn = createOneByOne()

  constructor(limits: BodyLimits, crowded: Crowded) {
    // Less could never hold the largest body.
    this.#limits = { ...limits, bodyBytes: Math.max(limits.bodyBytes, 2 * limits.maxBytes) }
    this.#maxArriving = Math.max(arrivingShare * limits.bodyBytes, limits.maxBytes + pieceBytes)
    this.#crowded = crowded
  }

  get bytes(): number {
    return this.#bytes
  }

  read(raw: IncomingMessage, done: BodyDone): void {
    if (Number(raw.headers['content-length'] ?? 0) > this.#limits.maxBytes) {
      done(new Problem('too_large'))
      return
    }
    const pace = new Pace(this.#limits, performance.now(), 0)
    const body: Body = { raw, pace, content: new GrowingBody(this.#memory), done, smallParts: 0, isSettled: false }
    this.#bodiesOn(raw.socket).set(raw, body)
    this.#arriving.add(body)
    raw.on('data', (part: Buffer) => {
      // What still arrives after a refusal is dropped.
      if (!body.isSettled) this.#add(body, part)
      if (body.isSettled || body.content.size > freeBytes) this.#pace(raw.socket)
      if (part.length < smallPart && ++body.smallParts % manyParts === 0) this.#crowded(raw.socket, manyParts * partMs)
    })
    raw.once('end', () => this.#settle(body, null))
    raw.once('error', cause => this.#settle(body, new Problem('bad_request', { cause })))
  }

  /** Refuses bodies that have stopped arriving, or arrive too slowly; is called regularly. */
  sweep(now: number): void {
    for (const body of this.#arriving)
      if (body.pace.isTooSlow(now, body.content.size)) this.#settle(body, new Problem('request_timeout'))
    this.#memory.shrink()
  }

  /** The exchange is over. */
  release(raw: IncomingMessage): void {
    const bodies = this.#bySocket.get(raw.socket)
    const body = bodies?.get(raw)
    if (body && bodies?.delete(raw)) this.#bytes -= body.content.capacity
  }

  #bodiesOn(socket: Socket): Map<IncomingMessage, Body> {
    const known = this.#bySocket.get(socket)
    if (known) return known
    const bodies = new Map<IncomingMessage, Body>()
    this.#bySocket.set(socket, bodies)
    return bodies
  }

  /** The body has arrived whole, or is refused. */
  #settle(body: Body, error: Error | null): void {
    if (body.isSettled) return
    body.isSettled = true
    const { raw, content, done } = body
    this.#arriving.delete(body)
    this.#arrivingBytes -= content.capacity
    if (error) {
      this.release(raw)
      content.clear()
      done(error)
      return
    }
    const before = content.capacity
    const whole = content.finish()
    this.#bytes += content.capacity - before
    done(null, whole)
  }

  /**
   * Node reads up to 2 MB from each connection before it turns to the next thing. Many large bodies at once would hold up all
   * other callers for seconds, so they arrive in turn, a part at a time. The connection is stopped, not the request: that would
   * hold another part.
   */
  #pace(socket: Socket): void {
    stopReading(socket, 'body')
    this.#inTurn(() => startReading(socket, 'body'))
  }

  #add(body: Body, part: Buffer): void {
    const { content } = body
    if (content.size + part.length > this.#limits.maxBytes) {
      this.#settle(body, new Problem('too_large'))
      return
    }
    const before = content.capacity
    content.append(part)
    this.#bytes += content.capacity - before
    this.#arrivingBytes += content.capacity - before
    for (const oldest of this.#arriving) {
      if (this.#bytes <= this.#limits.bodyBytes && this.#arrivingBytes <= this.#maxArriving) break
      this.#settle(oldest, busy())
    }
  }
}

const busy = (): Problem =>
  new Problem('overloaded', { detail: 'Too many request bodies are being received.', headers: { 'Retry-After': '2' } })

interface Body {
  readonly raw: IncomingMessage
  readonly pace: Pace
  readonly content: GrowingBody
  readonly done: BodyDone
  /** How many small parts have arrived. */
  smallParts: number
  isSettled: boolean
}
