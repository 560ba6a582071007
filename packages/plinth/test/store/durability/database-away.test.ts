// A PostgreSQL server that cannot be reached: every request is answered with 503 and Retry-After.

import { startDatabaseProxy } from '@plinth/test-kit/database-proxy'
import { testAll } from '@plinth/test-kit/extent'
import { type Answer, type ServiceOptions, startService } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'

const startBehindProxy = async (options: ServiceOptions = {}) => {
  const proxy = await startDatabaseProxy()
  const settings = { 'app.modules': '', 'app.database.url': proxy.url, 'app.log.level': 'silent', ...options.settings }
  const service = await startService('sqlite', { ...options, settings })
  onTestFinished(service.stop)
  return { proxy, service }
}

const mustBeUnavailable = (answer: Answer): void => {
  expect([answer.status, answer.body?.code ?? answer.body?.errors?.[0]?.code]).toEqual([503, 'unavailable'])
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}

const origins: readonly Record<string, string>[] = [{}, { Origin: 'https://stranger.example' }, { Origin: 'null' }]

test('reads and writes are 503 with Retry-After, whatever their Origin', async () => {
  const { proxy, service } = await startBehindProxy()
  const [admin, anonymous] = [service.as('admin'), service.as('anonymous')]
  proxy.cut()
  for (const headers of origins) {
    mustBeUnavailable(await anonymous.get('/api/rest/countries/GR', headers))
    mustBeUnavailable(await admin.get('/api/rest/hosts', headers))
    mustBeUnavailable(await admin.post('/api/rest/hosts', { name: 'a.example' }, headers))
    mustBeUnavailable(await anonymous.post('/api/auth/jwt/access', { username: 'admin', password: 'admin' }, headers))
  }
  const preflight = { Origin: 'https://stranger.example', 'Access-Control-Request-Method': 'POST' }
  mustBeUnavailable(await anonymous('/api/rest/hosts', { method: 'OPTIONS', headers: preflight }))
  // A report may be a second old.
  const health = () => anonymous.get('/api/management/health')
  await expect.poll(async () => (await health()).status).toBe(503)
  expect((await health()).body).toEqual({ status: 'DOWN' })
  expect((await health()).headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  await proxy.restore()
  await expect.poll(async () => (await admin.get('/api/rest/hosts')).status).toBe(200)
})

testAll('an outage is logged in one line without a stack trace, and summed up', async () => {
  const lines: string[] = []
  const { proxy, service } = await startBehindProxy({
    logTo: { write: line => void lines.push(line) },
    settings: { 'app.log.level': 'silent', 'app.log.levels.rest': 'info' },
  })
  proxy.cut()
  for (let at = 0; at < 20; at++) mustBeUnavailable(await service.as('anonymous').get('/api/rest/countries/GR'))
  await service.app.close()
  const logged = lines.map(line => JSON.parse(line)).filter(({ logger }) => logger === 'rest')
  const reason = 'The database is not responding.'
  expect(logged).toMatchObject([
    { level: 'warn', msg: 'unavailable', reason, method: 'GET', path: '/api/rest/countries/GR' },
    { level: 'warn', msg: 'still unavailable', requests: { [reason]: 19 } },
  ])
  expect(logged[0]).toMatchObject({ requestId: expect.any(String), cause: expect.any(String) })
  expect(lines.join('')).not.toMatch(/ {4}at /)
})
