// What is over is removed, at the next start at the latest.

import { createClock, days } from '@plinth/test-kit/clock'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import type { TestService } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

const left = async ({ app }: TestService): Promise<number[]> => {
  const { store } = app.platform
  return Promise.all(['throttleCounters', 'sessions'].map(name => store.count(store.resource(name), null)))
}

test.each(featureDatabases(import.meta.url))('counters of failures and ended sessions, on %s', async database => {
  const clock = createClock()
  const kept = await keepDatabase(database, { 'app.modules': '' })
  onTestFinished(kept.remove)
  const start = () => startAccounts(database, { clock: clock.now, settings: kept.settings })
  const before = await start()
  await openBrowser(before.url).signIn('client', 'a wrong guess')
  await openBrowser(before.url).signIn('client')
  const [counters = 0, sessions = 0] = await left(before)
  expect(counters).toBeGreaterThan(0)
  expect(sessions).toBeGreaterThan(0)
  // Not while it removes what was over before.
  await before.stop()
  clock.pass(400 * days)
  const after = await start()
  onTestFinished(after.stop)
  await expect.poll(() => left(after), { timeout: 20_000 }).toEqual([0, 0])
})
