// Everything that grows has an end: what is older than its setting says is deleted, at the next start at the latest.

import { createClock, days } from '@plinth/test-kit/clock'
import { featureDatabases } from '@plinth/test-kit/databases'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { bodyOf, newPerson } from '@plinth/test-kit/registering'
import { startService, type TestService } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'

const names = [
  'auditEvents',
  'allErrors',
  'errorLogs',
  'userAgents',
  'mails',
  'oneTimeTokens',
  'sessions',
  'apiKeys',
  'apiKeySecrets',
  'idempotencyKeys',
] as const

type Counts = Record<(typeof names)[number], number>

const countAll = async ({ app: { platform } }: TestService): Promise<Counts> => {
  const { store } = platform
  const counts = names.map(async name => [name, await store.count(store.resource(name), null)] as const)
  return Object.fromEntries(await Promise.all(counts)) as Counts
}

/** Makes one of each. */
const fill = async (service: TestService, now: Date): Promise<void> => {
  const expirationDate = new Date(now.getTime() + 20 * days).toISOString()
  const key = { name: 'a program', scopes: ['read'], expirationDate }
  expect((await service.as('client').post('/api/rest/apiKeys', key)).status).toBe(201)
  const anonymous = service.as('anonymous')
  const admin = service.as('admin')
  expect((await anonymous.post('/api/auth/jwt/access', { username: 'simple', password: 'simple' })).status).toBe(201)
  const { body: log } = await admin.post('/api/rest/errorLogs', { stacktrace: 'at once' })
  const report = { message: 'It broke', errorLog: { pk: log.pk } }
  expect((await admin.post('/api/rest/clientErrors', report, { 'User-Agent': 'a test' })).status).toBe(201)
  expect((await anonymous.post('/api/auth/account', bodyOf(newPerson()))).status).toBe(201)
  const host = { name: 'kept.example' }
  expect((await admin.post('/api/rest/hosts', host, { 'Idempotency-Key': 'one' })).status).toBe(201)
  await service.idle()
}

test.each(featureDatabases(import.meta.url))('on %s', { timeout: 120_000 }, async database => {
  const clock = createClock()
  const kept = await keepDatabase(database, { 'app.modules': '' })
  onTestFinished(kept.remove)
  const start = async () => {
    const settings = { ...kept.settings, 'app.modules': '' }
    const service = await startService(database, { clock: clock.now, settings })
    onTestFinished(service.stop)
    return service
  }
  const first = await start()
  await fill(first, clock.now())
  const full = await countAll(first)
  expect(Object.entries(full).filter(([, count]) => count === 0)).toEqual([])

  await first.jobsEnded()
  clock.pass(40 * days)
  const later = await start()
  const gone = { mails: 0, oneTimeTokens: 0, sessions: 0, idempotencyKeys: 0 }
  await expect.poll(() => countAll(later), { timeout: 20_000 }).toMatchObject(gone)
  const { allErrors, errorLogs, userAgents } = await countAll(later)
  expect([allErrors, errorLogs, userAgents]).toEqual([full.allErrors, full.errorLogs, full.userAgents])
  // The key has expired, and its owner still sees it.
  expect(await countAll(later)).toMatchObject({ apiKeys: 1, apiKeySecrets: 1 })
  expect((await countAll(later)).auditEvents).toBeGreaterThanOrEqual(full.auditEvents)

  // An old error log that a new error refers to stays.
  const { body: log } = await later.as('admin').post('/api/rest/errorLogs', { stacktrace: 'at twice' })
  await later.jobsEnded()
  clock.pass(80 * days)
  const again = { message: 'It broke again', errorLog: { pk: log.pk } }
  expect((await later.as('admin').post('/api/rest/clientErrors', again)).status).toBe(201)
  const muchLater = await start()
  await expect
    .poll(() => countAll(muchLater), { timeout: 20_000 })
    .toMatchObject({ allErrors: 1, errorLogs: 1, apiKeys: 0, apiKeySecrets: 0 })

  await muchLater.jobsEnded()
  clock.pass(400 * days)
  const last = await start()
  const nothing = { allErrors: 0, errorLogs: 0, userAgents: 0, auditEvents: 0 }
  await expect.poll(() => countAll(last), { timeout: 20_000 }).toMatchObject(nothing)
})
