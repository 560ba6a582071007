// Numbers of the process for Prometheus, under the names that dashboards expect: memory, processor, event loop, garbage.

import { collectDefaultMetrics, type Registry } from 'prom-client'

export interface Collections {
  readonly count: number
  readonly seconds: number
}

export interface ProcessMetrics {
  /** Begins to watch the event loop and the garbage collector. */
  start(): void
  /** In milliseconds. */
  lag(): Promise<{ readonly mean: number; readonly max: number; readonly p99: number }>
  /** By kind of collection. */
  garbage(): Promise<ReadonlyMap<string, Collections>>
}

export const createProcessMetrics = (registry: Registry): ProcessMetrics => {
  let started = false
  const valuesOf = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? []
  const milliseconds = async (name: string) => {
    const [found] = await valuesOf(`nodejs_eventloop_lag_${name}_seconds`)
    // Right after a reading there is nothing to take a mean of, which is not a number.
    return Math.round((found?.value || 0) * 1_000_000) / 1000
  }
  return {
    start: () => {
      if (!started) collectDefaultMetrics({ register: registry })
      started = true
    },
    lag: async () => ({
      mean: await milliseconds('mean'),
      max: await milliseconds('max'),
      p99: await milliseconds('p99'),
    }),
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
