// Jobs: they run by their schedule, at one instance at a time, and administrators see and start them over HTTP.

import { once } from 'node:events'
import { createClock } from '@plinth/test-kit/clock'
import { featureDatabases } from '@plinth/test-kit/databases'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defineJob, hourMs, type JobContext } from '../../src/core/jobs/job.ts'
import { startPolling } from '../../src/core/jobs/poll.ts'
import { defineModule, type Module } from '../../src/core/module.ts'
import { continents } from '../../src/modules/geography/index.ts'
import type { Parsed } from '../../src/testing/client.ts'
import { until } from '../../src/testing/waiting.ts'

const root = '/api/management/jobs'
const canary = 'kP7-signing-canary-q3Zr-81vXw-Lm52'

/** A module whose jobs record that they ran, and end when the test says so. */
const night = () => {
  const ran: string[] = []
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const note = (name: string) => async (_: JobContext) => void ran.push(name)
  const jobs = [
    defineJob({ name: 'count-stars', cron: '0 3 * * *', timeZone: 'Europe/Berlin', run: note('count-stars') }),
    defineJob({
      name: 'count-sheep',
      about: { en: 'Counts sheep.', de: 'Zählt Schafe.' },
      everyMs: hourMs,
      run: note('count-sheep'),
    }),
    defineJob({
      name: 'count-clouds',
      cron: '0 0 1 1 *',
      run: () => Promise.reject(new Error(`the key ${canary} does not fit`)),
    }),
    defineJob({
      name: 'sleep',
      cron: '0 0 1 1 *',
      run: async ({ signal }) => {
        ran.push('sleep')
        await Promise.race([gate, once(signal, 'abort')])
        signal.throwIfAborted()
      },
    }),
  ]
  const module = defineModule({ name: 'night', about: 'The night.', resources: [], jobs })
  return { module, ran, open: () => open() }
}

const jobIn = async (service: TestService, name: string): Promise<Parsed> =>
  (await service.as('admin').get(`${root}/${name}`)).body

const untilEnded = async (service: TestService, name: string): Promise<Parsed> => {
  await until(`the end of ${name}`, async () => {
    const { isRunning, lastRun } = await jobIn(service, name)
    return !isRunning && lastRun !== null && lastRun.status !== 'running'
  })
  return jobIn(service, name)
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const clock = createClock()
  const { module, ran, open } = night()
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      clock: clock.now,
      modules: [...modules, module],
      settings: { 'app.jwt.tokenSigningKey': canary },
    })
  })
  afterAll(() => service.stop())

  test('an interval begins at the start; a cron expression waits for its time, in its time zone', async () => {
    const sheep = await untilEnded(service, 'count-sheep')
    expect(sheep).toMatchObject({ module: 'night', about: 'Counts sheep.', everyMs: hourMs, cron: null })
    expect(sheep.lastRun).toMatchObject({ trigger: 'schedule', startedBy: null, status: 'succeeded', error: null })
    expect(Date.parse(sheep.nextRun) - Date.parse(sheep.lastRun.started)).toBe(hourMs)
    const stars = await jobIn(service, 'count-stars')
    expect(stars).toMatchObject({ cron: '0 3 * * *', timeZone: 'Europe/Berlin', lastRun: null, runs: [] })
    const hour = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: 'numeric', hourCycle: 'h23' })
    expect(hour.format(new Date(stars.nextRun))).toBe('03')
    expect(ran).not.toContain('count-stars')
  })

  test('a job that is due runs once, and its next run is in the future', async () => {
    const { nextRun } = await jobIn(service, 'count-stars')
    clock.pass(Date.parse(nextRun) - clock.now().getTime())
    const { lastRun, nextRun: following } = await untilEnded(service, 'count-stars')
    expect(lastRun).toMatchObject({ status: 'succeeded', trigger: 'schedule' })
    expect(Date.parse(following)).toBeGreaterThan(Date.parse(nextRun))
    expect(ran.filter(name => name === 'count-stars')).toHaveLength(1)
  })

  test('a failure is recorded without secrets, and counted', async () => {
    const started = await service.as('admin').post(`${root}/count-clouds/run`, undefined)
    expect(started).toMatchObject({ status: 202, body: { status: 'running', trigger: 'manual', startedBy: 'admin' } })
    const { runs } = await untilEnded(service, 'count-clouds')
    expect(runs).toHaveLength(1)
    expect(runs[0]).toMatchObject({ status: 'failed', startedBy: 'admin', error: expect.stringContaining('not fit') })
    expect(runs[0].error).not.toContain('canary')
    const { body: metrics } = await service.as('admin').get('/api/management/metrics')
    expect(Object.keys(metrics).filter(name => name.includes('count-clouds'))).not.toEqual([])
  })

  test('a job that runs cannot be started a second time', async () => {
    const admin = service.as('admin')
    expect((await admin.post(`${root}/sleep/run`, undefined)).status).toBe(202)
    expect(await admin.post(`${root}/sleep/run`, undefined)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await jobIn(service, 'sleep')).toMatchObject({ isRunning: true, lastRun: { status: 'running' } })
    open()
    expect((await untilEnded(service, 'sleep')).lastRun.status).toBe('succeeded')
  })

  test('all jobs are listed, those of the service too, in the language of the caller', async () => {
    const { body } = await service.as('admin').get(root, { 'Accept-Language': 'de' })
    const named = (name: string) => body.find((one: Parsed) => one.name === name)
    expect(named('count-sheep').about).toBe('Zählt Schafe.')
    expect(named('sweep-core')).toMatchObject({ module: 'core', everyMs: hourMs })
    expect(named('remove-old-files')).toMatchObject({ module: 'files' })
  })

  test('only administrators see and start jobs; each start is in the audit trail', async () => {
    for (const user of ['anonymous', 'operator', 'staff'] as const) {
      const status = user === 'anonymous' ? 401 : 403
      expect((await service.as(user).get(root)).status).toBe(status)
      expect((await service.as(user).get(`${root}/sleep`)).status).toBe(status)
      expect((await service.as(user).post(`${root}/sleep/run`, undefined)).status).toBe(status)
    }
    expect((await service.as('admin').post(`${root}/count-nothing/run`, undefined)).status).toBe(404)
    const { body } = await service.as('admin').get('/api/management/auditevents?type=JOB_STARTED')
    expect(body.events[0]).toMatchObject({ principal: 'admin', data: { path: `${root}/count-clouds/run` } })
  })
})

describe.each(featureDatabases(import.meta.url))('two instances on %s', database => {
  const start = async (settings: Record<string, string>, clock: () => Date, module: Module) => {
    const service = await startService(database, { clock, modules: [...modules, module], settings })
    onTestFinished(service.stop)
    return service
  }

  // On SQLite only one process may use the file at a time, so its second instance starts when the first has ended.
  test('a job runs once, and one that a stopping service interrupts runs again', async () => {
    const clock = createClock()
    const kept = await keepDatabase(database)
    onTestFinished(kept.remove)
    const { module, ran } = night()
    const first = await start(kept.settings, clock.now, module)
    await untilEnded(first, 'count-sheep')
    const second = database === 'postgres' ? await start(kept.settings, clock.now, module) : null
    if (second) {
      clock.pass(hourMs)
      await until('the second run', () => ran.length === 2)
      expect((await untilEnded(second, 'count-sheep')).runs).toHaveLength(2)
      expect((await first.as('admin').post(`${root}/sleep/run`, undefined)).status).toBe(202)
      expect((await second.as('admin').post(`${root}/sleep/run`, undefined)).status).toBe(409)
    } else {
      expect((await first.as('admin').post(`${root}/sleep/run`, undefined)).status).toBe(202)
    }
    await first.app.close()
    const heir = second ?? (await start(kept.settings, clock.now, module))
    await until('the interrupted job to run again', async () => {
      clock.pass(20_000)
      const { runs } = await jobIn(heir, 'sleep')
      return runs.length === 2 && runs[1].status === 'interrupted'
    })
  })
})

test('mistakes in jobs stop the start, all at once', async () => {
  const run = async () => {}
  const module = defineModule({
    name: 'night',
    about: 'The night.',
    resources: [],
    jobs: [
      { name: 'Count stars', everyMs: 1000, run },
      { name: 'count-sheep', cron: '61 * * * *', run },
      { name: 'count-sheep', everyMs: 10, run },
      { name: 'count-clouds', cron: '2026-01-01T00:00:00', run },
      { name: 'dream', cron: '@daily', timeZone: 'Europe/Nowhere', run },
      { name: 'sleep', cron: '0 0 30 2 *', run },
    ],
  })
  const starting = startService('sqlite', { modules: [...modules, module] })
  await expect(starting).rejects.toThrow(/The definitions have 7 errors/)
  const message = await starting.catch(error => String(error.message))
  for (const part of [
    "job 'Count stars': the name must be like 'send-reminders'",
    "job 'count-sheep': cron '61 * * * *':",
    "job 'count-sheep': everyMs must be 1000 or more",
    "several jobs have the name 'count-sheep'",
    "job 'count-clouds': cron '2026-01-01T00:00:00' is a date",
    "job 'dream': cron '@daily':",
    "job 'sleep': cron '0 0 30 2 *' never comes",
  ])
    expect(message).toContain(part)
})

test('a poll runs as soon as this service writes to its queue, and again if it writes during the run', async () => {
  let runs = 0
  let finish = () => {}
  const gate = new Promise<void>(resolve => {
    finish = resolve
  })
  const run = async (): Promise<void> => {
    runs += 1
    if (runs === 2) await gate
  }
  const module = defineModule({
    name: 'queue',
    about: 'A queue.',
    resources: [],
    start: async service => startPolling(service, { name: 'the queue', everyMs: hourMs, queue: continents, run }),
  })
  const service = await startService('sqlite', { modules: [...modules, module] })
  onTestFinished(service.stop)
  const create = async (path: string, body: object): Promise<void> => {
    expect((await service.as('admin').post(`/api/rest/${path}`, body)).status).toBe(201)
  }
  await until('the run at the start', () => runs === 1)
  await create('countries', { pk: 'XX', name: 'Utopia', parent: 'EU' })
  expect(runs).toBe(1)
  await create('continents', { pk: 'XX', name: 'Atlantis' })
  await until('the run for what was written', () => runs === 2)
  await create('continents', { pk: 'XY', name: 'Lemuria' })
  await create('continents', { pk: 'XZ', name: 'Mu' })
  expect(runs).toBe(2)
  finish()
  await until('the run for what was written during the last one', () => runs === 3)
  const refused = await service.as('admin').post('/api/rest/continents', { pk: 'XX', name: 'Atlantis' })
  expect([refused.status, runs]).toEqual([409, 3])
})
