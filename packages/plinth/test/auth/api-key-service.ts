// A service whose users make API keys and ask with them.

import { createClock, days, minutes } from '@plinth/test-kit/clock'
import type { TestedDatabase } from '@plinth/test-kit/databases'
import { type Client, clientFor, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { startAccounts } from './accounts-service.ts'

export const keysPath = '/api/rest/apiKeys'
export const json = { Accept: 'application/json' }
export const pks = {
  admin: '00000000-0000-7000-8000-000000000001',
  operator: '00000000-0000-7000-8000-000000000002',
  staff: '00000000-0000-7000-8000-000000000003',
  client: '00000000-0000-7000-8000-000000000004',
  simple: '00000000-0000-7000-8000-000000000005',
} as const
type Name = keyof typeof pks

/** `service()` is there once the tests run. */
export const openKeys = (database: TestedDatabase) => {
  const clock = createClock()
  let started: TestService
  const service = () => started
  beforeAll(async () => {
    started = await startAccounts(database, { clock: clock.now })
  })
  afterAll(() => started.stop())
  beforeEach(() => clock.pass(2 * minutes))

  const inDays = (count: number) => new Date(clock.now().getTime() + count * days).toISOString()
  const bodyOf = (more: object = {}) => ({ name: 'a program', scopes: ['read'], expirationDate: inDays(30), ...more })
  const make = async (user: Name, more: object = {}) => {
    const { status, body } = await service().as(user).post(keysPath, bodyOf(more), json)
    expect(status).toBe(201)
    return body as { pk: string; key: string; prefix: string }
  }
  const by = (key: string): Client => clientFor(service().url, { Authorization: `Bearer ${key}` })
  const audited = async (type: string) =>
    (await service().as('admin').get(`/api/management/auditevents?type=${type}`)).body.events
  const patchOwn = (client: Client, user: Name, description = `${Math.random()}`) =>
    client.patch(`/api/rest/users/${pks[user]}`, { description })
  return { clock, service, inDays, bodyOf, make, by, audited, patchOwn }
}
