import { createHash } from 'node:crypto'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, extent, testAll } from '@plinth/test-kit/extent'
import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { type Answer, type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatsByName } from '../../src/core/formats/index.ts'
import { defineModule } from '../../src/core/module.ts'
import { Problem } from '../../src/core/problem.ts'
import { respond } from '../../src/core/rest/pipeline.ts'
import { until } from '../../src/testing/waiting.ts'

const signingKey = 'canary/signing+key/0123456789abcdefghijklmnopqrstuvwxyz'

/** Each in a function of its own: a failure is known by its frames. */
const ways: Record<string, () => unknown> = {
  unavailable: function unavailable() {
    return new Problem('unavailable', { cause: new Error('no route to the database') })
  },
  text: () => 'a text with a secret',
  flood: function flood() {
    return new Error('it rains')
  },
  secret: function secret() {
    return new Error(`cannot sign with ${signingKey}`, { cause: new Error(`key=${encodeURIComponent(signingKey)}`) })
  },
  deep: function deep() {
    return new Error('outer', { cause: new RangeError('the root of it') })
  },
}

/** Fails in the ways that its path names. */
const failing = defineModule({
  name: 'failing',
  about: 'Fails on request.',
  resources: [],
  routes: service => [
    {
      method: 'GET',
      path: '/api/rest/fail/{how}',
      handler: respond(service, {
        resource: null,
        format: formatsByName.json,
        takesBody: false,
        run: (_context, { request }) => {
          throw ways[request.params.how ?? '']?.() ?? new Error(`it broke ${request.params.how}`)
        },
      }),
    },
    { method: 'GET', path: '/api/bare', handler: () => Promise.reject(new Error('bare')) },
    { method: 'GET', path: '/api/half', handler: () => ({ status: 200, body: half() }) },
  ],
})

async function* half(): AsyncGenerator<string> {
  yield 'the first half'
  throw new Error('no second half')
}

const parts = { modules: [...modulesFor(loadConfig({ env: {}, cwd: '/' })), failing] }
const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let now = new Date()
  beforeAll(async () => {
    service = await startService(database, {
      ...parts,
      clock: () => now,
      settings: { 'app.log.level': 'fatal', 'app.jwt.tokenSigningKey': signingKey },
    })
  })
  afterAll(() => service.stop())

  const logOf = async (id: string) => (await service.as('admin').get(`/api/rest/errorLogs/${id}`, json)).body
  const errorsOf = async (id: string) =>
    (await service.as('admin').get(`/api/rest/systemErrors?errorLogId=${id}&_ps=500`, json)).body

  test('a failure is recorded with its request and its caller, and shown without internals', async () => {
    const failed = await service.as('client').get('/api/rest/fail/once?password=hidden', { 'User-Agent': 'a test' })
    expect([failed.status, failed.body.code]).toEqual([500, 'internal'])
    expect(failed.text).not.toMatch(/it broke|\.ts|at /)
    const { errorLogId } = failed.body
    expect(errorLogId).toMatch(/^[0-9a-f]{64}$/)
    await until('the failure to be recorded', async () => (await errorsOf(errorLogId)).page.totalElements === 1)
    const [error] = (await errorsOf(errorLogId)).content
    expect(error).toMatchObject({
      message: 'it broke once',
      requestMethod: 'GET',
      requestUrl: '/api/rest/fail/once',
      httpStatusCode: 500,
      httpStatusMessage: 'Internal Server Error',
      errorLogId,
      errorLog: { pk: errorLogId },
      remoteAddress: '127.0.0.1',
      createdBy: { username: 'client' },
      userAgent: { pk: createHash('sha256').update('a test').digest('hex'), value: 'a test' },
    })
    expect(JSON.stringify(error)).not.toContain('hidden')
    expect(await logOf(errorLogId)).toMatchObject({ errorCount: 1, rootCauseMessage: 'Error: it broke once' })
    expect((await logOf(errorLogId)).stacktrace).toContain('    at ')
    const whole = await service.as('operator').get(`/api/rest/allErrors/${error.pk}`, json)
    expect(whole.body).toMatchObject({ kind: 'system', message: 'it broke once' })
  })

  test.each(
    everyThird([
      ['text', 500, 'a text with a secret'],
      ['deep', 500, 'RangeError: the root of it'],
      ['unavailable', 503, 'Error: no route to the database'],
    ]),
  )('%s is a failure too', async (how, status, cause) => {
    const failed = await service.as('anonymous').get(`/api/rest/fail/${how}`)
    expect(failed.status).toBe(status)
    await until('the failure to be recorded', async () => (await logOf(failed.body.errorLogId)) !== undefined)
    expect((await logOf(failed.body.errorLogId)).rootCauseMessage).toBe(cause)
    expect((await errorsOf(failed.body.errorLogId)).content[0]).toMatchObject({
      httpStatusCode: status,
      createdBy: null,
    })
  })

  test.each(
    everyThird([
      ['bare', 'bare'],
      ['half', 'no second half'],
    ]),
  )('what fails outside the usual way (%s) is recorded once too', async (path, message) => {
    await service
      .as('anonymous')
      .get(`/api/${path}`)
      .catch(() => null)
    const found = async () =>
      (await service.as('admin').get(`/api/rest/systemErrors?requestUrl=/api/${path}`, json)).body.content
    await until('the failure to be recorded', async () => (await found()).length > 0)
    expect(await found()).toEqual([expect.objectContaining({ message, httpStatusCode: 500 })])
  })

  test('secrets of the configuration are struck out of what is recorded', async () => {
    const { body } = await service.as('anonymous').get('/api/rest/fail/secret')
    await until('the failure to be recorded', async () => (await logOf(body.errorLogId)) !== undefined)
    const kept = JSON.stringify([await logOf(body.errorLogId), await errorsOf(body.errorLogId)])
    expect(kept).toContain('cannot sign with ******')
    expect(kept).toContain('key=******')
    expect(kept).not.toContain('0123456789abcdefghijklmnopqrstuvwxyz')
  })

  testAll('a flood of one failure costs one log, a counter and a few records', async () => {
    const anonymous = service.as('anonymous')
    const floods = 500
    let id = ''
    for (let at = 0; at < floods; at += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => anonymous.get('/api/rest/fail/flood')))
      for (const { body } of answers) id = body.errorLogId
      expect(new Set(answers.map(({ body }) => body.errorLogId)).size).toBe(1)
    }
    await until('the failure to be recorded', async () => (await logOf(id))?.errorCount === floods)
    expect((await errorsOf(id)).page.totalElements).toBeLessThanOrEqual(20)
    now = new Date(now.getTime() + 61_000)
    await anonymous.get('/api/rest/fail/flood')
    await until('the failure to be recorded', async () => (await logOf(id))?.errorCount === floods + 1)
    const log = await logOf(id)
    expect(Date.parse(log.lastOccurred) - Date.parse(log.firstOccurred)).toBeGreaterThanOrEqual(61_000)
  })

  test('clients see the errors they reported, operators see all, other users see none', async () => {
    const reported = (await service.as('client').post('/api/rest/clientErrors', { message: 'my page broke' }, json))
      .body
    expect(reported).toMatchObject({
      message: 'my page broke',
      remoteAddress: '127.0.0.1',
      createdBy: { username: 'client' },
    })
    const statuses = async (path: string) => {
      const clients = [service.as('client'), service.as('simple'), service.as('operator'), service.as('admin')]
      return Promise.all(clients.map(async client => (await client.get(`${path}/${reported.pk}`)).status))
    }
    expect(await statuses('/api/rest/clientErrors')).toEqual([200, 404, 200, 200])
    expect(await statuses('/api/rest/allErrors')).toEqual([200, 404, 200, 200])
    expect(await statuses('/api/rest/systemErrors')).toEqual([403, 403, 404, 404])
    expect((await service.as('anonymous').get('/api/rest/clientErrors')).status).toBe(401)
    const whole = await service.as('client').get('/api/rest/allErrors', json)
    expect(whole.body.content.map((one: { pk: string }) => one.pk)).toEqual([reported.pk])
    expect((await service.as('client').patch(`/api/rest/clientErrors/${reported.pk}`, { message: 'x' })).status).toBe(
      403,
    )
    expect((await service.as('operator').delete(`/api/rest/allErrors/${reported.pk}`)).status).toBe(403)
  })

  testAll('what an administrator writes at one address is so at the other', async () => {
    const admin = service.as('admin')
    const send = { ...json, 'Content-Type': 'application/json' }
    const made = (
      await admin.post('/api/rest/allErrors', { kind: 'client', message: 'by hand', viewUrl: '/here' }, send)
    ).body
    expect((await admin.get(`/api/rest/clientErrors/${made.pk}`, json)).body).toMatchObject({ viewUrl: '/here' })
    expect((await admin.get(`/api/rest/systemErrors/${made.pk}`)).status).toBe(404)
    expect((await admin.patch(`/api/rest/systemErrors/${made.pk}`, { message: 'x' }, send)).status).toBe(404)
    expect((await admin.delete(`/api/rest/systemErrors/${made.pk}`)).status).toBe(404)
    await admin.patch(`/api/rest/clientErrors/${made.pk}`, { message: 'changed' }, send)
    expect((await admin.get(`/api/rest/allErrors/${made.pk}`, json)).body).toMatchObject({
      message: 'changed',
      version: 2,
    })
    expect((await admin.patch(`/api/rest/allErrors/${made.pk}`, { kind: 'system' }, send)).status).toBe(400)
    expect((await admin.delete(`/api/rest/clientErrors/${made.pk}`)).status).toBe(204)
    expect((await admin.get(`/api/rest/allErrors/${made.pk}`)).status).toBe(404)
  })

  test('anyone may report errors, as many as the address is allowed in a minute', async () => {
    now = new Date(now.getTime() + 120_000)
    const anonymous = service.as('anonymous')
    const report = () => anonymous.post('/api/rest/clientErrors', { message: 'again' }, json)
    const answers = await Promise.all(Array.from({ length: 40 }, report))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await anonymous.post('/api/rest/clientErrors', [{ message: 'a' }, { message: 'b' }])).status).toBe(429)
    expect((await service.as('admin').post('/api/rest/clientErrors', { message: 'not limited' }, json)).status).toBe(
      201,
    )
    now = new Date(now.getTime() + 61_000)
    expect((await report()).status).toBe(201)
  })

  test.each<[string, (client: Client) => Promise<Answer>]>([
    [
      'atomic operations',
      client =>
        client.post(
          '/api/rest/operations',
          {
            'atomic:operations': Array.from({ length: 31 }, () => ({
              op: 'add',
              data: { type: 'clientErrors', attributes: { message: 'in bulk' } },
            })),
          },
          { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' },
        ),
    ],
    [
      'a list',
      client =>
        client.post(
          '/api/rest/clientErrors',
          Array.from({ length: 31 }, () => ({ message: 'in bulk' })),
        ),
    ],
  ])('%s do not get round the limit, and leave nothing behind', async (_, send) => {
    now = new Date(now.getTime() + 61_000)
    const refused = await send(service.as('anonymous'))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const found = await service.as('admin').get('/api/rest/clientErrors?message=in bulk', json)
    expect(found.body.page.totalElements).toBe(0)
  })

  test('an error that others may not see cannot be made under a chosen identifier', async () => {
    now = new Date(now.getTime() + 61_000)
    const path = '/api/rest/clientErrors/01900000-0000-7000-8000-000000000001'
    expect((await service.as('anonymous').put(path, { message: 'chosen' }, json)).status).toBe(401)
    expect((await service.as('client').put(path, { message: 'chosen' }, json)).status).toBe(403)
  })

  test('who reports cannot choose who did, from where, or what log it belongs to', async () => {
    now = new Date(now.getTime() + 61_000)
    const body = { message: 'forged', createdBy: '00000000-0000-7000-8000-000000000001', remoteAddress: '10.0.0.1' }
    const made = await service.as('anonymous').post('/api/rest/clientErrors', body, json)
    expect(made.body).toMatchObject({ createdBy: null, remoteAddress: '127.0.0.1' })
    const [log] = (await service.as('admin').get('/api/rest/errorLogs?_ps=1', json)).body.content
    const linked = await service
      .as('anonymous')
      .post('/api/rest/clientErrors', { message: 'x', errorLog: log.pk }, json)
    expect(linked.status).toBe(422)
  })
})

testAll(
  'while the database fails nothing gets worse, and afterwards the failures are there',
  {
    timeout: 120_000,
  },
  async () => {
    const service = await startService('sqlite', { ...parts, settings: { 'app.log.level': 'fatal' } })
    const { store } = service.app.platform
    const { transaction } = store
    let tried = 0
    Object.assign(store, {
      transaction: () => {
        tried += 1
        return Promise.reject(new Problem('unavailable'))
      },
    })
    const count = extent(60, 200)
    const failed = await Promise.all(
      Array.from({ length: count }, () => service.as('anonymous').get('/api/rest/fail/now')),
    )
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([500]))
    // Written together, and after each failed try the wait doubles: far fewer tries than failures.
    await until('the second try to write the failures', () => tried >= 2)
    expect(tried).toBeLessThan(10)
    Object.assign(store, { transaction })
    const id = failed[0]?.body.errorLogId
    await until('the failure to be recorded', async () => {
      const { body } = await service.as('admin').get(`/api/rest/errorLogs/${id}`, json)
      return body?.errorCount === count
    })
    await service.stop()
  },
)
