// Request bodies as they arrive, before it is known who sends them. All that are in memory share a budget.

import type { IncomingMessage } from 'node:http'
import { Problem } from '../problem.ts'
import type { ConnectionLimits } from './options.ts'
import { Pace } from './pace.ts'
import { createOneByOne } from './turns.ts'

export interface BodyLimits extends Pick<ConnectionLimits, 'bodyBytes' | 'stallMs' | 'bytesPerSecond'> {
  /** Of one body. */
  readonly maxBytes: number
}

/** How much of a body arrives without waiting for its turn: all of most bodies. */
const freeBytes = 65_536

export type BodyDone = (error: Error | null, body?: Buffer) => void

export class Bodies {
  readonly #limits: BodyLimits
  /** Bodies in memory. Each is released when its exchange is over. */
  readonly held = new Map<IncomingMessage, Body>()
  /** The oldest first. */
  readonly #arriving = new Set<Body>()
  #bytes = 0
  readonly #inTurn = createOneByOne()

  constructor(limits: BodyLimits) {
    // Less could never hold the largest body.
    this.#limits = { ...limits, bodyBytes: Math.max(limits.bodyBytes, 2 * limits.maxBytes) }
  }

  get bytes(): number {
    return this.#bytes
  }

  read(raw: IncomingMessage, done: BodyDone): void {
    if (Number(raw.headers['content-length'] ?? 0) > this.#limits.maxBytes) done(new Problem('too_large'))
    else this.#receive(raw, done)
  }

  /** Refuses bodies that have stopped arriving, or arrive too slowly. */
  refuseSlow(now: number): void {
    for (const body of this.#arriving)
      if (body.pace.isTooSlow(now, body.size)) body.settle(new Problem('request_timeout'))
  }

  #receive(raw: IncomingMessage, done: BodyDone): void {
    const pace = new Pace(this.#limits, performance.now(), 0)
    const release = () => {
      if (this.held.delete(raw)) this.#bytes -= body.capacity
    }
    const settled = (error: Error | null) => {
      this.#arriving.delete(body)
      if (error) release()
      done(error, error ? undefined : body.content)
      if (error) body.clear()
    }
    const body = new Body(pace, { settled, release })
    this.held.set(raw, body)
    this.#arriving.add(body)
    raw.on('data', (piece: Buffer) => {
      // What still arrives after a refusal is dropped.
      if (!body.isSettled) this.#add(body, piece)
      if (body.isSettled || body.size > freeBytes) this.#pace(raw)
    })
    raw.once('end', () => body.settle(null))
    raw.once('error', cause => body.settle(new Problem('bad_request', { cause })))
  }

  /**
   * Node reads up to 2 MB from each connection before it turns to the next thing. Many large bodies at once would hold up all
   * other callers for seconds, so they arrive in turn, a piece at a time.
   */
  #pace(raw: IncomingMessage): void {
    raw.pause()
    this.#inTurn(() => raw.resume())
  }

  #add(body: Body, piece: Buffer): void {
    if (body.size + piece.length > this.#limits.maxBytes) {
      body.settle(new Problem('too_large'))
      return
    }
    const before = body.capacity
    body.append(piece)
    this.#bytes += body.capacity - before
    for (const oldest of this.#arriving) {
      if (this.#bytes <= this.#limits.bodyBytes) break
      oldest.settle(busy())
    }
  }
}

const busy = (): Problem =>
  new Problem('overloaded', { detail: 'Too many request bodies are being received.', headers: { 'Retry-After': '2' } })

interface BodyEvents {
  readonly settled: (error: Error | null) => void
  readonly release: () => void
}

/** One growing buffer: a list of pieces would take far more memory than their bytes when a caller sends tiny ones. */
class Body {
  size = 0
  readonly pace: Pace
  /** Takes it out of the budget. */
  readonly release: () => void
  readonly #settled: (error: Error | null) => void
  #buffer: Buffer = Buffer.alloc(0)
  isSettled = false

  constructor(pace: Pace, { settled, release }: BodyEvents) {
    this.pace = pace
    this.release = release
    this.#settled = settled
  }

  get capacity(): number {
    return this.#buffer.length
  }

  get content(): Buffer {
    return this.#buffer.subarray(0, this.size)
  }

  append(piece: Buffer): void {
    const size = this.size + piece.length
    // Most bodies come in one piece.
    if (this.size === 0) this.#buffer = piece
    else if (size > this.#buffer.length) this.#buffer = grown(this.content, size)
    if (this.#buffer !== piece) piece.copy(this.#buffer, this.size)
    this.size = size
  }

  settle(error: Error | null): void {
    if (this.isSettled) return
    this.isSettled = true
    this.#settled(error)
  }

  clear(): void {
    this.#buffer = Buffer.alloc(0)
  }
}

const grown = (content: Buffer, size: number): Buffer => {
  const buffer = Buffer.allocUnsafe(Math.max(size, 2 * content.length))
  content.copy(buffer)
  return buffer
}
