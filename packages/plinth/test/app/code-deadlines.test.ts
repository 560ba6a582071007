// Code of an application that never ends: it is cut off at its deadline, what it has written is undone, and others go on.

import { featureDatabases, featureTest } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { modules } from '@plinth/test-kit/platform'
import { type Answer, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defineJob } from '../../src/core/jobs/job.ts'
import { defineResource } from '../../src/core/model/define.ts'
import { extendResource } from '../../src/core/model/extend.ts'
import { text } from '../../src/core/model/fields.ts'
import type { Records } from '../../src/core/model/records.ts'
import { defineModule, type Seed } from '../../src/core/module.ts'
import { defineEndpoint } from '../../src/core/rest/endpoint.ts'
import type { Parsed } from '../../src/testing/client.ts'
import { until } from '../../src/testing/waiting.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const never = () => new Promise<never>(() => {})

const open = { read: 'true', write: 'true' }

const plainNotes = defineResource('plainNotes', {
  about: 'Notes without hooks.',
  label: 'name',
  fields: { name: text({ required: true }) },
  access: open,
})

const stuckNotes = defineResource('stuckNotes', {
  about: 'Notes whose hook waits for ever.',
  label: 'name',
  fields: { name: text({ required: true }) },
  access: open,
})

/** Outlives the deadline of its work, and tries to write then. */
class Straggler {
  #wake = () => {}
  outcome: Promise<unknown> = never()

  start(records: Records): Promise<never> {
    this.outcome = new Promise<void>(resolve => {
      this.#wake = resolve
    }).then(() => records.create(plainNotes, { name: 'too late' }).catch((error: unknown) => error))
    return never()
  }

  wake(): Promise<unknown> {
    this.#wake()
    return this.outcome
  }
}

const stuckModule = () => {
  const straggler = new Straggler()
  const stuckHooks = extendResource(stuckNotes, {
    hooks: {
      afterCreate: async ({ values, records }) => {
        if (values.name !== 'stuck') return
        await records.create(plainNotes, { name: 'written by the hook' })
        await straggler.start(records)
      },
    },
  })
  const stuckEndpoint = defineEndpoint({
    method: 'POST',
    path: '/api/stuck',
    summary: 'Wait for ever',
    access: 'true',
    answers: { 204: 'It is done.' },
    run: async ({ records }) => {
      await straggler.start(records)
    },
  })
  const stuckTransaction = defineEndpoint({
    method: 'POST',
    path: '/api/stuck/transaction',
    summary: 'Wait for ever in a transaction',
    access: 'true',
    answers: { 204: 'It is done.' },
    run: ({ records }) => records.transaction(transaction => straggler.start(transaction)),
  })
  const stuckJob = defineJob({
    name: 'stuck-job',
    cron: '0 0 1 1 *',
    run: async ({ records }) => {
      await straggler.start(records)
    },
  })
  const module = defineModule({
    name: 'stuck',
    about: 'Code that never ends.',
    resources: [plainNotes, stuckNotes],
    extensions: [stuckHooks],
    endpoints: [stuckEndpoint, stuckTransaction],
    jobs: [stuckJob],
  })
  return { module, straggler }
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const lines: string[] = []
  const { module, straggler } = stuckModule()
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      modules: [...modules, module],
      logTo: { write: line => void lines.push(line) },
      settings: {
        'app.database.transactionTimeout': '3',
        'app.api.endpointTimeout': '4',
        'app.jobs.timeout': '1',
        'app.webhooks.enabled': 'true',
        'app.webhooks.timeoutSeconds': '1',
        'app.webhooks.allowHttp': 'true',
        'app.webhooks.allowPrivateAddresses': 'true',
        'app.log.level': 'warn',
        // One connection for transactions: a single one that waits blocks all others.
        'app.database.poolSize': '5',
      },
    })
  })
  afterAll(() => service.stop())

  const readiness = async (): Promise<number> =>
    (await service.as('anonymous').get('/api/management/health/readiness')).status
  const signIn = (): Promise<Answer> =>
    service.as('anonymous').post('/api/auth/userDetails', { username: 'simple', password: 'simple' })
  const write = (name: string): Promise<Answer> => service.as('admin').post('/api/rest/plainNotes', { name })
  const namesOf = async (resource: string): Promise<readonly string[]> =>
    (await service.as('admin').get(`/api/rest/${resource}?_ps=100`, { Accept: 'application/json' })).body.content.map(
      ({ name }: Parsed) => name,
    )
  const logged = (): string => lines.join('')
  /** Posts with the same key each time: what was cut off can be repeated. */
  const postStuck = (name: string): Promise<Answer> =>
    service.as('admin').post('/api/rest/stuckNotes', { name }, { 'Idempotency-Key': `${name}-${database}` })

  test('a hook is cut off: others write and sign in, nothing of it is written, and readiness tells', async () => {
    expect(await readiness()).toBe(200)
    const stuck = postStuck('stuck')
    await until('readiness to be down', async () => (await readiness()) === 503)
    expect(logged()).toMatch(/Writing is blocked: hook afterCreate of stuckNotes \([^)]*code-deadlines\.test\.ts:\d+\)/)
    const [answer, written, signedIn] = await Promise.all([stuck, write('meantime'), signIn()])
    expect(answer).toMatchObject({ status: 503, body: { code: 'execution_timeout' } })
    expect(written.status).toBe(201)
    expect(signedIn.status).toBe(200)
    await until('readiness to be up', async () => (await readiness()) === 200)
    expect(await namesOf('stuckNotes')).toEqual([])
    expect(await namesOf('plainNotes')).not.toContain('written by the hook')
    expect(logged()).toMatch(
      /hook afterCreate of stuckNotes \([^)]*code-deadlines\.test\.ts:\d+\) kept its transaction waiting/,
    )
  })

  testAll(
    'the hook is suspended: requests that need it do not hold up others again, until it ends in time',
    async () => {
      expect(logged()).toMatch(
        /hook afterCreate of stuckNotes \([^)]*\) kept other transactions waiting for 3 s, and is suspended/,
      )
      const refused = await postStuck('stuck')
      expect(refused).toMatchObject({ status: 503, body: { code: 'suspended' } })
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect((await write('beside the suspended hook')).status).toBe(201)
      await until('the hook to run again', async () => (await postStuck('quick')).status === 201)
      expect(await namesOf('stuckNotes')).toEqual(['quick'])
    },
  )

  test('records of a transaction that was cut off fail, and write nothing', async () => {
    expect(await straggler.wake()).toMatchObject({ message: expect.stringContaining('transaction has ended') })
    expect(await namesOf('plainNotes')).not.toContain('too late')
  })

  featureTest(import.meta.url, database)('an endpoint is cut off, and its records fail from then on', async () => {
    const stuck = service.as('admin').post('/api/stuck', undefined)
    const others = await Promise.all([write('beside the endpoint'), signIn()])
    expect(others.map(({ status }) => status)).toEqual([201, 200])
    expect(await stuck).toMatchObject({ status: 503, body: { code: 'execution_timeout' } })
    expect(logged()).toMatch(/endpoint POST \/api\/stuck \([^)]*code-deadlines\.test\.ts:\d+\)/)
    expect(await straggler.wake()).toMatchObject({ message: expect.stringContaining('POST /api/stuck') })
    expect(await namesOf('plainNotes')).not.toContain('too late')
  })

  testAll('a transaction of an endpoint is cut off, and the log names the call', async () => {
    const stuck = await service.as('admin').post('/api/stuck/transaction', undefined)
    expect(stuck).toMatchObject({ status: 503, body: { code: 'execution_timeout' } })
    expect(logged()).toMatch(/records\.transaction[^"]*code-deadlines\.test\.ts:\d+/)
    expect((await write('after the transaction')).status).toBe(201)
  })

  featureTest(import.meta.url, database)(
    'a job is cut off: its run has failed, the log names it, and it can run again',
    async () => {
      const admin = service.as('admin')
      const runs = async (): Promise<readonly Parsed[]> => (await admin.get('/api/management/jobs/stuck-job')).body.runs
      expect((await admin.post('/api/management/jobs/stuck-job/run', undefined)).status).toBe(202)
      expect((await write('beside the job')).status).toBe(201)
      await until('the end of the run', async () => (await runs())[0].status !== 'running')
      const [run] = await runs()
      expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('1 s') })
      expect(logged()).toMatch(/job stuck-job \([^)]*code-deadlines\.test\.ts:\d+\)/)
      expect(await straggler.wake()).toMatchObject({ message: expect.stringContaining('stuck-job') })
      expect((await admin.post('/api/management/jobs/stuck-job/run', undefined)).status).toBe(202)
    },
  )

  testAll('a receiver of webhooks is cut off, and holds up neither writers nor other receivers', async () => {
    const [silent, other] = [await startReceiver({ isSilent: true }), await startReceiver()]
    onTestFinished(silent.stop)
    onTestFinished(other.stop)
    const admin = service.as('admin')
    for (const { url } of [silent, other])
      expect((await admin.post('/api/rest/webhooks', { name: url, url, resources: ['plainNotes'] })).status).toBe(201)
    expect((await write('sent')).status).toBe(201)
    await until('both messages', () => silent.received.length > 0 && other.received.length > 0)
    const others = await Promise.all([write('beside the receiver'), signIn()])
    expect(others.map(({ status }) => status)).toEqual([201, 200])
    expect(await readiness()).toBe(200)
    const failed = await until('the failure', async () => {
      const { body } = await admin.get('/api/rest/webhookDeliveries?_ps=100', { Accept: 'application/json' })
      return body.content.find(({ lastError }: Parsed) => lastError !== null)
    })
    expect(failed.lastError).toContain('in time')
  })

  testAll('a seed is cut off: the start fails with its name and file, and nothing of it is written', async () => {
    const kept = await keepDatabase(database)
    onTestFinished(kept.remove)
    const start = (seeds: readonly Seed[]) =>
      startService(database, {
        modules: [...modules, defineModule({ name: 'seeded', about: 'Notes.', resources: [plainNotes], seeds })],
        settings: { ...kept.settings, 'app.database.seedTimeout': '1' },
      })
    const run: Seed['run'] = async ({ records }) => {
      await records.create(plainNotes, { name: 'seeded' })
      await never()
    }
    await expect(start([{ name: 'stuck', run }])).rejects.toThrow(/^seed stuck \([^)]*code-deadlines\.test\.ts:\d+\)/)
    const next = await start([])
    onTestFinished(next.stop)
    const { body } = await next.as('admin').get('/api/rest/plainNotes', { Accept: 'application/json' })
    expect(body.content).toEqual([])
  })
})
