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
    if (Number(raw.headers['content-length'] ?? 0) > this.#limits.maxBytes) done(new Problem('too_large'))
    else this.#receive(raw, done)
  }

  /** Refuses bodies that have stopped arriving, or arrive too slowly; is called regularly. */
  sweep(now: number): void {
    for (const body of this.#arriving)
      if (body.pace.isTooSlow(now, body.content.size)) body.settle(new Problem('request_timeout'))
    this.#memory.shrink()
  }

  /** The exchange is over. */
  release(raw: IncomingMessage): void {
    this.#bySocket.get(raw.socket)?.get(raw)?.release()
  }

  #bodiesOn(socket: Socket): Map<IncomingMessage, Body> {
    const known = this.#bySocket.get(socket)
    if (known) return known
    const bodies = new Map<IncomingMessage, Body>()
    this.#bySocket.set(socket, bodies)
    return bodies
  }

  #receive(raw: IncomingMessage, done: BodyDone): void {
    const bodies = this.#bodiesOn(raw.socket)
    const pace = new Pace(this.#limits, performance.now(), 0)
    const content = new GrowingBody(this.#memory)
    const release = () => {
      if (bodies.delete(raw)) this.#bytes -= content.capacity
    }
    const settled = (error: Error | null) => {
      this.#arriving.delete(body)
      this.#arrivingBytes -= content.capacity
      if (error) {
        release()
        content.clear()
        done(error)
      } else
        done(
          null,
          this.#counted(content, () => content.finish()),
        )
    }
    const body = new Body(pace, content, { settled, release })
    bodies.set(raw, body)
    this.#arriving.add(body)
    raw.on('data', (part: Buffer) => {
      // What still arrives after a refusal is dropped.
      if (!body.isSettled) this.#add(body, part)
      if (body.isSettled || content.size > freeBytes) this.#pace(raw.socket)
      if (part.length < smallPart && body.countPart() % manyParts === 0) this.#crowded(raw.socket, manyParts * partMs)
    })
    raw.once('end', () => body.settle(null))
    raw.once('error', cause => body.settle(new Problem('bad_request', { cause })))
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
    if (body.content.size + part.length > this.#limits.maxBytes) {
      body.settle(new Problem('too_large'))
      return
    }
    const before = body.content.capacity
    this.#counted(body.content, () => body.content.append(part))
    this.#arrivingBytes += body.content.capacity - before
    for (const oldest of this.#arriving) {
      if (this.#bytes <= this.#limits.bodyBytes && this.#arrivingBytes <= this.#maxArriving) break
      oldest.settle(busy())
    }
  }

  #counted<T>(content: GrowingBody, change: () => T): T {
    const before = content.capacity
    const result = change()
    this.#bytes += content.capacity - before
    return result
  }
}

const busy = (): Problem =>
  new Problem('overloaded', { detail: 'Too many request bodies are being received.', headers: { 'Retry-After': '2' } })

interface BodyEvents {
  readonly settled: (error: Error | null) => void
  readonly release: () => void
}

class Body {
  readonly pace: Pace
  readonly content: GrowingBody
  /** Takes it out of the budget. */
  readonly release: () => void
  readonly #settled: (error: Error | null) => void
  #smallParts = 0
  isSettled = false

  constructor(pace: Pace, content: GrowingBody, { settled, release }: BodyEvents) {
    this.pace = pace
    this.content = content
    this.release = release
    this.#settled = settled
  }

  /** How many small parts there are with this one. */
  countPart(): number {
    this.#smallParts += 1
    return this.#smallParts
  }

  settle(error: Error | null): void {
    if (this.isSettled) return
    this.isSettled = true
    this.#settled(error)
  }
}
