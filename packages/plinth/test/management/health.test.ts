// Health: what is well, what is not, and how little a flood of questions costs.

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'
import { defineModule } from '../../src/core/module.ts'
import type { Health } from '../../src/core/service.ts'
import { root } from './paths.ts'

const startWith = async (check: () => Promise<Health>): Promise<TestService> => {
  const probe = defineModule({ name: 'probe', about: 'For the test.', resources: [], health: { probe: check } })
  // Jobs that run at the start would ask the database.
  const settings = { 'app.jobs.enabled': 'false' }
  const service = await startService('sqlite', { modules: [...modules, probe], settings })
  onTestFinished(() => service.stop())
  return service
}

test('administrators see every part', async () => {
  const service = await startWith(async () => ({ status: 'UP', depth: 3 }))
  const { status, body } = await service.as('admin').get(`${root}/health`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'UP',
    db: { status: 'UP', database: 'sqlite' },
    diskSpace: { status: 'UP', free: expect.any(Number), total: expect.any(Number) },
    probe: { status: 'UP', depth: 3 },
  })
})

test.each<[string, () => Promise<Health>]>([
  ['says so', async () => ({ status: 'DOWN' })],
  ['fails', () => Promise.reject(new Error('password hunter2-canary for db.internal'))],
])('a part that %s takes the service down, and strangers do not see why', async (_, check) => {
  const service = await startWith(check)
  const stranger = await service.as('anonymous').get(`${root}/health`)
  expect([stranger.status, stranger.body]).toEqual([503, { status: 'DOWN' }])
  const admin = await service.as('admin').get(`${root}/health`)
  expect([admin.status, admin.body.status, admin.body.probe.status]).toEqual([503, 'DOWN', 'DOWN'])
  expect(admin.text + stranger.text).not.toContain('canary')
  const ready = await service.as('anonymous').get(`${root}/health/readiness`)
  expect([ready.status, ready.body]).toEqual([503, { status: 'DOWN' }])
  const alive = await service.as('anonymous').get(`${root}/health/liveness`)
  expect([alive.status, alive.body]).toEqual([200, { status: 'UP' }])
})

test('a part that does not know does not take the service down', async () => {
  const service = await startWith(async () => ({ status: 'UNKNOWN' }))
  expect((await service.as('anonymous').get(`${root}/health`)).body).toEqual({ status: 'UP' })
})

test('a flood of questions examines the parts once a second at most, and asks the database nothing', async () => {
  let checks = 0
  const service = await startWith(async () => {
    checks += 1
    return { status: 'UP' }
  })
  await service.as('anonymous').get(`${root}/health`)
  const before = { checks, statements: service.app.platform.store.statements, at: performance.now() }
  await Promise.all(Array.from({ length: extent(100, 300) }, () => service.as('anonymous').get(`${root}/health`)))
  const seconds = Math.ceil((performance.now() - before.at) / 1000)
  expect(checks - before.checks).toBeLessThanOrEqual(seconds)
  // Background work goes on during this time, and its statements grow with the seconds.
  expect(service.app.platform.store.statements - before.statements).toBeLessThan(30 * seconds)
})

testAll.each(featureDatabases(import.meta.url))(
  'on %s, a data folder that does not exist is created',
  async database => {
    const parent = await mkdtemp(join(tmpdir(), 'plinth-health-'))
    onTestFinished(() => rm(parent, { recursive: true }))
    const folder = join(parent, 'not', 'there')
    const service = await startService(database, { settings: { 'app.dataDir': folder } })
    onTestFinished(() => service.stop())
    const { status, body } = await service.as('admin').get(`${root}/health`)
    expect([status, body.status, body.diskSpace.status]).toEqual([200, 'UP', 'UP'])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  },
)
