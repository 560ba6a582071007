// Numbers of the process for Prometheus, under the names that dashboards expect: memory, processor, event loop, garbage.

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { every, failureCounts, type Guard } from '../guarded.ts'
import type { Traffic } from '../http/options.ts'
import type { Lag, ProcessMetrics } from './observed.ts'

export const createProcessMetrics = (registry: Registry): ProcessMetrics => {
  let eventLoop: EventLoopLag | null = null
  const valuesOf = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? []
  return {
    start: (log, traffic) => {
      if (eventLoop) return
      measureTraffic(registry, traffic)
      collectDefaultMetrics({ register: registry })
      countFailures(registry)
      eventLoop = new EventLoopLag(log)
    },
    stop: async () => eventLoop?.stop(),
    lag: () => eventLoop?.read() ?? { mean: 0, max: 0, p99: 0 },
    garbage: async () => {
      const found = new Map<string, { count: number; seconds: number }>()
      for (const { value, labels, ...rest } of await valuesOf('nodejs_gc_duration_seconds')) {
        const kind = String('kind' in labels ? labels.kind : '')
        const one = found.get(kind) ?? { count: 0, seconds: 0 }
        found.set(kind, one)
        const name = 'metricName' in rest ? String(rest.metricName) : ''
        if (name.endsWith('_count')) one.count = value
        if (name.endsWith('_sum')) one.seconds = value
      }
      return found
    },
  }
}

/** What failed beside the requests, and what nothing caught. */
const countFailures = (registry: Registry): Counter =>
  new Counter({
    name: 'plinth_background_failures_total',
    help: 'Failures in background work, and uncaught errors.',
    labelNames: ['work'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [work, count] of failureCounts()) this.inc({ work }, count)
    },
  })

const measureTraffic = (registry: Registry, traffic: () => Traffic): void => {
  const registers = [registry]
  const gauge = (name: string, help: string, read: (now: Traffic) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(traffic()))
      },
    })
  const counter = (name: string, help: string, read: (now: Traffic) => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read(traffic()))
      },
    })
  gauge('plinth_http_connections', 'Open connections.', now => now.connections)
  gauge('plinth_http_waiting_requests', 'Pipelined requests that wait.', now => now.waitingRequests)
  gauge('plinth_http_response_bytes', 'Bytes of responses that clients have not read yet.', now => now.responseBytes)
  gauge('plinth_http_request_bytes', 'Bytes of request bodies in memory.', now => now.bodyBytes)
  counter('plinth_http_refused_connections_total', 'Connections beyond a limit.', now => now.refusedConnections)
  counter(
    'plinth_http_closed_connections_total',
    'Connections closed for unread responses.',
    now => now.closedConnections,
  )
}

// How late the event loop is: measured within the last minute, regardless of who reads it and how often.

const resolutionMs = 10
const renewMs = 30_000

/**
 * Two histograms that are reset in turn. The older one is read: it knows the last 30 to 60 seconds. Reading takes nothing
 * away, unlike the gauges for Prometheus, which are reset by each scrape.
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
