import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createProcessMetrics } from './process-metrics.ts'

test('the lag of the event loop is a number also before anything was sampled', async () => {
  const metrics = createProcessMetrics(new Registry())
  metrics.start({ error: () => {} }, () => ({
    connections: 0,
    waitingRequests: 0,
    responseBytes: 0,
    bodyBytes: 0,
    refusedConnections: 0,
    closedConnections: 0,
  }))
  const { mean, max, p99 } = metrics.lag()
  expect([mean, max, p99].every(Number.isFinite)).toBe(true)
  await metrics.stop()
})
