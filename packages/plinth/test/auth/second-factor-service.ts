// A service at which one user has turned the second factor on.

import { type Enrolled, enrol } from '@plinth/test-kit/authenticator'
import { createClock, minutes } from '@plinth/test-kit/clock'
import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import type { TestedDatabase } from '@plinth/test-kit/databases'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startAccounts } from './accounts-service.ts'

/** The address to which the code is sent after the password. */
export const give = '/api/auth/userDetails/secondFactor'
/** The address at which the second factor is turned on and off. */
export const factor = '/api/auth/secondFactor'
export const pks = {
  operator: '00000000-0000-7000-8000-000000000002',
  staff: '00000000-0000-7000-8000-000000000003',
} as const

/** Staff has the second factor; `service()`, `owner()` and `enrolled()` are there once the tests run. */
export const openSecondFactor = (database: TestedDatabase) => {
  const clock = createClock()
  let started: { readonly service: TestService; readonly owner: Browser; readonly enrolled: Enrolled }
  const service = () => started.service
  const visit = (from?: string) => openBrowser(service().url, from)
  const login = (code?: string) => ({ username: 'staff', password: 'staff', ...(code && { code }) })
  const credentialsOf = async (pk: string) =>
    (await service().as('admin').get(`/api/rest/userCredentials/${pk}`, { Accept: 'application/json' })).body
  const audited = async (type: string) =>
    (await service().as('admin').get(`/api/management/auditevents?type=${type}`)).body.events

  beforeAll(async () => {
    const settings = { 'app.jwt.accessTokenMinutes': '1440' }
    const service = await startAccounts(database, { clock: clock.now, settings })
    const owner = openBrowser(service.url)
    await owner.signIn('staff')
    started = { service, owner, enrolled: await enrol(owner, 'staff', clock.now) }
  })
  afterAll(() => started.service.stop())
  // A code of its own for each test, and a clean slate for what was counted.
  beforeEach(() => clock.pass(16 * minutes))
  const owner = () => started.owner
  const enrolled = () => started.enrolled
  return { clock, service, owner, enrolled, visit, login, credentialsOf, audited }
}
