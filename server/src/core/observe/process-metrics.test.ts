import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createProcessMetrics } from './process-metrics.ts'

test('the lag of the event loop is a number also when nothing was sampled since the last look', async () => {
  const registry = new Registry()
  const metrics = createProcessMetrics(registry)
  metrics.start()
  await registry.metrics()
  await registry.metrics()
  const lag = await metrics.lag()
  expect([lag.mean, lag.max, lag.p99].every(Number.isFinite)).toBe(true)
})
