// Jobs after a clock that was wrong: they run again once it is right, and until then health and the doctor name them.

import { createClock, days, minutes } from '@plinth/test-kit/clock'
import { databases, featureTest } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { defineJob, hourMs } from '../../src/core/jobs/job.ts'
import { jobStates } from '../../src/core/jobs/runs.ts'
import { defineModule } from '../../src/core/module.ts'
import type { Parsed } from '../../src/testing/client.ts'
import { until } from '../../src/testing/waiting.ts'

/** A module with jobs that count their runs. */
const night = () => {
  const ran: string[] = []
  const job = (name: string) => ({ name, run: async () => void ran.push(name) })
  const jobs = [
    defineJob({ ...job('count-sheep'), everyMs: hourMs }),
    defineJob({ ...job('count-stars'), cron: '0 3 1 * *' }),
    // Shows that the scheduler has looked at the jobs before it, too.
    defineJob({ ...job('blink'), everyMs: 1000 }),
  ]
  const count = (name: string) => ran.filter(one => one === name).length
  return { count, module: defineModule({ name: 'night', about: 'The night.', resources: [], jobs }) }
}

const jobIn = async (service: TestService, name: string): Promise<Parsed> =>
  (await service.as('admin').get(`/api/management/jobs/${name}`)).body

const healthOfJobs = async (service: TestService): Promise<Parsed> =>
  (await service.as('admin').get('/api/management/health')).body.jobs

const findingsOf = async (service: TestService, check: string): Promise<readonly Parsed[]> => {
  const { body } = await service.as('admin').get('/api/management/doctor')
  return body.findings.filter((finding: Parsed) => finding.check === check)
}

describe.each(databases)('on %s', database => {
  const start = async (settings: Record<string, string>, clock?: () => Date) => {
    const { count, module } = night()
    const parts = { modules: [...modules, module], ...(clock && { clock }) }
    const service = await startService(database, { ...parts, settings })
    onTestFinished(service.stop)
    return { service, count }
  }
  const kept = async () => {
    const { settings, remove } = await keepDatabase(database)
    onTestFinished(remove)
    return settings
  }

  testAll(
    'jobs that ran while the clock was ahead run again when it is right, at once and after a restart',
    async () => {
      const settings = await kept()
      const clock = createClock()
      const { service, count } = await start(settings, clock.now)
      await until('the first run', () => count('count-sheep') === 1)
      await service.jobsEnded()
      clock.pass(400 * days)
      await until('the runs of the wrong time', () => count('count-sheep') === 2 && count('count-stars') === 1)
      await service.jobsEnded()
      clock.pass(-400 * days)
      await until('the runs of the right time', () => count('count-sheep') === 3 && count('count-stars') === 2)
      await service.jobsEnded()
      for (const name of ['count-sheep', 'count-stars'])
        expect(Date.parse((await jobIn(service, name)).nextRun)).toBeLessThan(clock.now().getTime() + 32 * days)

      clock.pass(400 * days)
      await until('more runs of the wrong time', () => count('count-sheep') === 4)
      await service.jobsEnded()
      await service.app.close()
      clock.pass(-400 * days)
      const again = await start(settings, clock.now)
      await until('the runs after the restart', () => again.count('count-sheep') + again.count('count-stars') === 2)
    },
  )

  testAll('a clock that is corrected by a little runs no job twice', async () => {
    const clock = createClock()
    const { service, count } = await start(await kept(), clock.now)
    await until('the first runs', () => count('blink') === 1)
    await service.jobsEnded()
    clock.pass(-10_000)
    await until('a job that is due after the correction', () => count('blink') === 2)
    expect(count('count-sheep')).toBe(1)
  })

  featureTest(import.meta.url, database)('health and the doctor name jobs that are late', async () => {
    const clock = createClock()
    const { service } = await start({ ...(await kept()), 'app.jobs.enabled': 'false' }, clock.now)
    const settle = async () =>
      service.app.platform.records.transaction(transaction =>
        transaction.updateMany(
          jobStates,
          { where: {} },
          { nextRun: new Date(clock.now().getTime() + 1000).toISOString() },
        ),
      )
    await settle()
    await expect.poll(() => healthOfJobs(service)).toEqual({ status: 'UP', late: [] })
    expect(await findingsOf(service, 'jobs')).toMatchObject([{ level: 'ok' }])
    clock.pass(10 * minutes)
    await expect
      .poll(() => healthOfJobs(service))
      .toMatchObject({ status: 'UNKNOWN', late: expect.arrayContaining(['count-sheep', 'sweep-core']) })
    expect((await service.as('anonymous').get('/api/management/health')).status).toBe(200)
    const findings = await findingsOf(service, 'jobs')
    expect(findings).toContainEqual({
      check: 'jobs',
      level: 'warning',
      explanation: expect.stringMatching(/^The job count-sheep was due at 2030-.* and has not run\.$/),
      remedy: expect.stringContaining('app.jobs.enabled'),
    })

    await settle()
    clock.pass(-30 * days)
    await expect.poll(async () => (await healthOfJobs(service)).late).toContain('count-sheep')
    expect(await findingsOf(service, 'jobs')).toContainEqual({
      check: 'jobs',
      level: 'warning',
      explanation: expect.stringContaining('count-sheep is planned for 2030-'),
      remedy: expect.stringContaining('clock'),
    })
  })
})

testAll('on PostgreSQL, jobs go by the clock of the database, and not by that of the machine', async () => {
  const { count, module } = night()
  const service = await startService('postgres', { modules: [...modules, module] })
  onTestFinished(service.stop)
  await until('the first runs', () => count('blink') > 0)
  await service.jobsEnded()
  const { nextRun } = await jobIn(service, 'count-sheep')
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * days, shouldAdvanceTime: true })
  const before = count('blink')
  await until('runs under the wrong clock', () => count('blink') > before + 1)
  vi.useRealTimers()
  expect(count('count-sheep')).toBe(1)
  expect((await jobIn(service, 'count-sheep')).nextRun).toBe(nextRun)
})
