// Sign-ins that are still being verified are no failures: those that turn out right keep no other one out.

import { openBrowser } from '@plinth/test-kit/cookie-client'
import { databases } from '@plinth/test-kit/databases'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

describe.each(databases)('on %s', database => {
  let service: TestService
  let other: TestService
  beforeAll(async () => {
    const settings = { 'app.auth.throttle.perAccount': '10', 'app.auth.throttle.perAccountEverywhere': '20' }
    service = await startAccounts(database, { settings })
    // Two instances on PostgreSQL count together.
    other =
      database === 'sqlite'
        ? service
        : await startAccounts(database, {
            settings: { ...settings, 'app.database.url': service.database, 'app.dataDir': service.folder },
          })
  })
  afterAll(async () => {
    if (other !== service) await other.stop()
    await service.stop()
  })

  const addresses = Array.from({ length: 20 }, (_, at) => `127.0.50.${at + 1}`)
  const from = (at: number) => openBrowser((at % 2 === 0 ? service : other).url, addresses[at % addresses.length] ?? '')

  test('of one account from many addresses at once, all right ones pass', async () => {
    const replies = await Promise.all(Array.from({ length: 60 }, (_, at) => from(at).signIn('client')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
  }, 60_000)

  test('wrong ones at once do not slip through', async () => {
    const guesses = Array.from({ length: 60 }, (_, at) => from(at).signIn('simple', 'wrong guess'))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter(status => status === 401).length).toBeLessThanOrEqual(20)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
  }, 60_000)
})
