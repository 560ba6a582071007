// Loggers: levels that change while the service runs, and what a line says.

import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { actuator, root } from './paths.ts'

const lines: string[] = []
let service: TestService
beforeAll(async () => {
  service = await startService('sqlite', {
    logTo: { write: line => lines.push(line) },
    settings: { 'app.log.level': 'info', 'app.log.levels.mail': 'trace' },
  })
})
afterAll(() => service.stop())
beforeEach(async () => {
  for (const name of ['ROOT', 'http'])
    await service.as('admin').post(`${root}/loggers/${name}`, { configuredLevel: null })
})

const path = (name: string) => `${root}/loggers/${name}`
const logged = (requestId: string) => lines.map(line => JSON.parse(line)).filter(line => line.requestId === requestId)
const ask = async (requestId: string, query = '') =>
  service.as('admin').get(`/api/rest/continents${query}`, { 'X-Request-Id': requestId })

test('every logger is listed with its level', async () => {
  const { body } = await service.as('admin').get(`${root}/loggers`)
  expect(body.levels).toEqual(['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'])
  expect(body.loggers).toMatchObject({
    ROOT: { configuredLevel: 'INFO', effectiveLevel: 'INFO' },
    http: { configuredLevel: null, effectiveLevel: 'INFO' },
    mail: { configuredLevel: 'TRACE', effectiveLevel: 'TRACE' },
  })
})

test('a request is one line: who, what, how it ended and how long it took', async () => {
  await ask('one-line', '?name=query-canary')
  await expect.poll(() => logged('one-line').length).toBe(1)
  expect(logged('one-line')[0]).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    logger: 'http',
    requestId: 'one-line',
    method: 'GET',
    path: '/api/rest/continents',
    status: 200,
    ms: expect.any(Number),
    caller: expect.stringMatching(/^[\w-]{36}$/),
    msg: 'request',
  })
})

test.each([
  [actuator, 'DEBUG', 'DEBUG'],
  ['application/json', 'warn', 'WARN'],
  ['application/json; charset=utf-8', 'Off', 'OFF'],
])('a level sent as %s takes effect at once', async (type, sent, level) => {
  const answer = await service
    .as('admin')
    .post(path('http'), JSON.stringify({ configuredLevel: sent }), { 'Content-Type': type })
  expect([answer.status, answer.body]).toEqual([200, { configuredLevel: level, effectiveLevel: level }])
  expect((await service.as('admin').get(path('http'))).body).toEqual(answer.body)
  const id = `after-${sent}`
  await ask(id)
  await service.as('admin').post(path('http'), { configuredLevel: 'INFO' })
  await ask(`${id}-end`)
  await expect.poll(() => logged(`${id}-end`).length).toBe(1)
  expect(logged(id)).toHaveLength(level === 'DEBUG' ? 1 : 0)
})

test('loggers without a level of their own follow the root', async () => {
  await service.as('admin').post(path('ROOT'), { configuredLevel: 'ERROR' })
  const { loggers } = (await service.as('admin').get(`${root}/loggers`)).body
  expect(loggers.http).toEqual({ configuredLevel: null, effectiveLevel: 'ERROR' })
  expect(loggers.mail).toEqual({ configuredLevel: 'TRACE', effectiveLevel: 'TRACE' })
  await service.as('admin').post(path('ROOT'), { configuredLevel: null })
  expect((await service.as('admin').get(path('http'))).body.effectiveLevel).toBe('INFO')
})

describe('refusals', () => {
  test.each<[string, unknown, number, string]>([
    ['an unknown level', { configuredLevel: 'LOUD' }, 400, 'invalid'],
    ['no level', {}, 400, 'invalid'],
    ['a number', { configuredLevel: 3 }, 400, 'invalid'],
    ['no object', [], 400, 'invalid'],
    ['no JSON', '{', 400, 'bad_request'],
  ])('%s', async (_, body, status, code) => {
    const answer = await service.as('admin').post(path('http'), body, { 'Content-Type': 'application/json' })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test('another type of body', async () => {
    expect((await service.as('admin').post(path('http'), 'x', { 'Content-Type': 'text/plain' })).status).toBe(415)
  })

  test.each(['none', 'constructor', '__proto__', 'http.xml'])('the unknown logger %s', async name => {
    expect((await service.as('admin').get(path(name))).status).toBe(404)
    expect((await service.as('admin').post(path(name), { configuredLevel: 'INFO' })).status).toBe(404)
  })

  test.each([
    ['operator', 403],
    ['simple', 403],
    ['anonymous', 401],
  ] as const)('%s, who is no administrator', async (user, status) => {
    expect((await service.as(user).post(path('http'), { configuredLevel: 'OFF' })).status).toBe(status)
    expect((await service.as('admin').get(path('http'))).body.effectiveLevel).toBe('INFO')
  })
})
