import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createProcessMetrics } from './process-metrics.ts'

test('the lag of the event loop is a number also before anything was sampled', async () => {
  const metrics = createProcessMetrics(new Registry())
  metrics.start({ error: () => {} })
  const { mean, max, p99 } = metrics.lag()
  expect([mean, max, p99].every(Number.isFinite)).toBe(true)
  await metrics.stop()
})
