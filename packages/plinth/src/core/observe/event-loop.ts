// How late the event loop is: what was measured within the last minute, whoever reads it and however often.

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { every, type Guard } from '../guarded.ts'

/** In milliseconds. */
export interface Lag {
  readonly mean: number
  readonly max: number
  readonly p99: number
}

const resolutionMs = 10
const renewMs = 30_000

/**
 * Two histograms that begin anew in turn. The older one is read: it knows the last 30 to 60 seconds. Reading takes nothing
 * away, unlike the gauges for Prometheus, which begin anew with each scrape.
 */
export class EventLoopLag {
  #older: IntervalHistogram
  #newer: IntervalHistogram
  readonly #stopRenewing: () => Promise<void>

  constructor(log: Guard['log']) {
    this.#older = startHistogram()
    this.#newer = startHistogram()
    this.#stopRenewing = every(renewMs, { name: 'the measurement of the event loop', log }, () => this.#renew())
  }

  read(): Lag {
    const { mean, max } = this.#older
    return { mean: toLag(mean), max: toLag(max), p99: toLag(this.#older.percentile(99)) }
  }

  async stop(): Promise<void> {
    await this.#stopRenewing()
    for (const histogram of [this.#older, this.#newer]) histogram.disable()
  }

  #renew(): void {
    const renewed = this.#older
    this.#older = this.#newer
    this.#newer = renewed
    renewed.reset()
  }
}

const startHistogram = (): IntervalHistogram => {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  return histogram
}

/** Samples are nanoseconds from one tick of the timer to the next: what exceeds its period is late. Without samples, NaN. */
const toLag = (nanoseconds: number): number => {
  const late = nanoseconds / 1_000_000 - resolutionMs
  return late > 0 ? Math.round(late * 1000) / 1000 : 0
}
