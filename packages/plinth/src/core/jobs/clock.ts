// The time that jobs and leases go by: that of the database, so that all instances agree and none depends on the clock of its machine.

import type { Platform } from '../rest/platform.ts'

/** How long a measurement is good for, in milliseconds. */
const freshMs = 60_000
/** Clocks that differ by less count as equal. */
const negligibleMs = 1000

export class DatabaseClock {
  readonly #platform: Platform
  #aheadMs = 0
  /** The time of the last measurement by `performance.now()`. */
  #measured = Number.NEGATIVE_INFINITY

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /** The time by the last measurement. */
  now(): Date {
    return new Date(this.#platform.clock().getTime() + this.#aheadMs)
  }

  /** Measured now: for what is stored. */
  async read(): Promise<Date> {
    const aheadMs = await this.#platform.store.clockOffset()
    this.#aheadMs = Math.abs(aheadMs) < negligibleMs ? 0 : aheadMs
    this.#measured = performance.now()
    return this.now()
  }

  /** Measures regularly. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#measured > freshMs) await this.read()
  }
}
