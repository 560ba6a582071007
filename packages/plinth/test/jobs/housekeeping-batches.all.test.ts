// Housekeeping deletes in small batches: other writers hardly wait for it.

import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'

const expired = 10_000
const longAgo = '2020-01-01T00:00:00.000Z'

const insertExpiredKeys = ({ app }: TestService): Promise<void> =>
  app.platform.store.transaction(tx =>
    tx.insertAll(
      tx.resource('idempotencyKeys'),
      Array.from({ length: expired }, (_, at) => ({
        pk: `key-${at}`,
        values: { fingerprint: 'x', holder: 'x', heldUntil: longAgo, expires: longAgo },
      })),
    ),
  )

describe.each(featureDatabases(import.meta.url))('on %s', { timeout: 120_000 }, database => {
  test('many expired keys are deleted a few at a time', async () => {
    const service = await startService(database, { settings: { 'app.modules': '' } })
    onTestFinished(service.stop)
    const admin = service.as('admin')
    const job = '/api/management/jobs/sweep-core'
    await until('the first sweep', async () => (await admin.get(job)).body.lastRun?.status === 'succeeded')
    await insertExpiredKeys(service)
    const { store } = service.app.platform
    const keys = store.resource('idempotencyKeys')
    const counts = new Set<number>()
    expect((await admin.post(`${job}/run`, undefined)).status).toBe(202)
    await expect
      .poll(
        async () => {
          const count = await store.count(keys, null)
          counts.add(count)
          return count
        },
        { interval: 1, timeout: 60_000 },
      )
      .toBe(0)
    // In a single transaction, readers would never see only a part of them gone.
    expect([...counts].filter(count => count > 0 && count < expired).length).toBeGreaterThan(0)
  })
})
