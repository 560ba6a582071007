// Overload: when the event loop lags, requests are refused, so that those that run can end.

import { every } from '../guarded.ts'
import type { ServerLog } from './options.ts'

const sampleMs = 50
/** Once begun, requests are refused for so long at least: else the service would change its mind many times a second. */
const holdMs = 1000

/**
 * How late timers come, averaged over the last few samples. One long pause is not overload, however long it is: a single
 * sample counts at most one and a half times the limit, and is half of the average.
 */
export class Overload {
  readonly #maxLag: number
  readonly #log: ServerLog
  #stopSampling: (() => Promise<void>) | null = null
  #sampled = 0
  #average = 0
  #since: number | null = null

  /** `maxLag` in milliseconds; 0 never refuses. */
  constructor(maxLag: number, log: ServerLog) {
    this.#maxLag = maxLag
    this.#log = log
  }

  get isOn(): boolean {
    return this.#since !== null
  }

  start(): void {
    if (this.#maxLag === 0) return
    this.#sampled = performance.now()
    const guard = { name: 'the measurement of overload', log: this.#log }
    this.#stopSampling = every(sampleMs, guard, () => this.#sample(performance.now()))
  }

  stop(): void {
    void this.#stopSampling?.()
    this.#since = null
  }

  #sample(now: number): void {
    const lag = Math.max(0, now - this.#sampled - sampleMs)
    this.#sampled = now
    this.#average = (this.#average + Math.min(lag, 1.5 * this.#maxLag)) / 2
    if (this.#since === null) {
      if (this.#average > this.#maxLag) this.#begin(now)
    } else if (this.#average < this.#maxLag / 2 && now - this.#since > holdMs) this.#since = null
  }

  #begin(now: number): void {
    this.#since = now
    this.#log.warn(
      { lagMs: Math.round(this.#average) },
      'overloaded: requests are refused until the event loop recovers',
    )
  }
}
