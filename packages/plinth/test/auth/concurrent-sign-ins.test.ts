// Sign-ins that are still being verified are no failures: those that turn out right keep no other one out.

import { openBrowser } from '@plinth/test-kit/cookie-client'
import { databases, type TestedDatabase } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'

describe.each(extent<readonly TestedDatabase[]>(['postgres'], databases))('on %s', database => {
  /** Each instance verifies four attempts on an account at the same time: more than these, so that some wait for others. */
  const places = database === 'sqlite' ? 3 : 6
  let service: TestService
  let other: TestService
  beforeAll(async () => {
    const settings = { 'app.auth.throttle.perAccount': '2', 'app.auth.throttle.perAccountEverywhere': `${places}` }
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
    const replies = await Promise.all(Array.from({ length: 40 }, (_, at) => from(at).signIn('client')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
  })

  test('wrong ones at once do not slip through', async () => {
    const guesses = Array.from({ length: 40 }, (_, at) => from(at).signIn('simple', 'wrong guess'))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter(status => status === 401).length).toBeLessThanOrEqual(places)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
  })
})
