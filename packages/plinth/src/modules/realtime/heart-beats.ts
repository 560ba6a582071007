// Signs of life in both directions (STOMP 1.2, "Heart-beating"); WebSocket pings where the client offers none.

import type { Socket } from '../../core/http/exchange.ts'
import { limits } from './limits.ts'

/** What the service offers and wants, in milliseconds. */
const every = 10_000
/** Beats are sent a little early, since they are looked after once in a second. */
const early = 1500
const pingEvery = 30_000

export class HeartBeats {
  readonly offer = `${every},${every}`
  readonly #socket: Socket
  readonly #opened = performance.now()
  #lastReceived = performance.now()
  #lastSent = performance.now()
  #lastPing = performance.now()
  #isAgreed = false
  #sendEvery = 0
  #expectEvery = 0

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** The client's header: what it can send, and what it wants. */
  agree(header: string | undefined): void {
    const [can = 0, wants = 0] = /^\d{1,9},\d{1,9}$/.test(header ?? '') ? (header ?? '').split(',').map(Number) : []
    this.#sendEvery = wants === 0 ? 0 : Math.max(every, wants)
    this.#expectEvery = can === 0 ? 0 : Math.max(every, can)
    this.#isAgreed = true
  }

  received(): void {
    this.#lastReceived = performance.now()
  }

  sent(): void {
    this.#lastSent = performance.now()
  }

  /** Returns false when the other side has been silent for too long. */
  tick(): boolean {
    const now = performance.now()
    if (!this.#isAgreed && now - this.#opened > limits.connectMs) return false
    const patience = 2 * (this.#expectEvery > 0 ? this.#expectEvery : pingEvery)
    if (now - this.#lastReceived > patience + early) return false
    if (this.#expectEvery === 0 && now - this.#lastPing > pingEvery) {
      this.#lastPing = now
      this.#socket.ping()
    }
    if (this.#sendEvery > 0 && now - this.#lastSent > this.#sendEvery - early) {
      this.#socket.send('\n')
      this.sent()
    }
    return true
  }
}
