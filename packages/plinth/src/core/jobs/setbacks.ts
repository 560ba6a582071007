// A clock that was ahead and is right again: what was planned before, such as the next attempt to send a mail, would wait for as long.

/** Clocks are corrected by this much without a consequence, in milliseconds. */
const toleranceMs = 60_000

export class Setbacks {
  #latest = Number.POSITIVE_INFINITY

  /** Does the work if the clock has been set back since the last call. At the first call, too: it may have been while nothing ran. */
  async follow(now: Date, work: () => Promise<unknown>): Promise<void> {
    if (this.#latest > now.getTime() + toleranceMs) await work()
    this.#latest = now.getTime()
  }
}
