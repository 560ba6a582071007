// How much one connection may ask for.

export const limits = {
  framesPerSecond: 50,
  framesAtOnce: 300,
  /** Bytes that may wait for a client to read them when there is more to tell. */
  bufferedBytes: 1_048_576,
  /** Bytes that may wait when the next step of a catch-up begins. */
  bytesBetweenSteps: 262_144,
  /** To say CONNECT after the handshake. */
  connectMs: 10_000,
} as const

/** A token bucket: so much at once, and so much again in each second. */
export class TokenBucket {
  readonly #most: number
  readonly #perSecond: number
  #left: number
  #at = performance.now()

  constructor(most: number, perSecond: number) {
    this.#most = most
    this.#perSecond = perSecond
    this.#left = most
  }

  take(count: number): boolean {
    const now = performance.now()
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#left < count) return false
    this.#left -= count
    return true
  }
}
