// Pages of development servers, such as that of Vite: their proxy forwards requests with the origin of the page and the host of the
// service.

import { featureDatabases } from '@plinth/test-kit/databases'
import { type ServiceOptions, startService, type TestService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hosts } from '../../src/modules/hosts/index.ts'

const signIn = '/api/auth/jwt/access'
const staff = { username: 'staff', password: 'staff' }
const problems = { Accept: 'application/problem+json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const start = async (options: ServiceOptions): Promise<TestService> => {
    const service = await startService(database, { ...options, settings: { 'app.modules': '', ...options.settings } })
    onTestFinished(() => service.stop())
    return service
  }

  const statusOf = async (service: TestService, origin: string): Promise<number> =>
    (await service.as('anonymous').post(signIn, staff, { Origin: origin })).status

  test('in demo mode, pages of this machine sign in and change records, and others do not', async () => {
    const service = await start({})
    for (const origin of ['http://127.0.0.1:5173', 'http://localhost:5173', 'http://[::1]:3000'])
      expect([origin, await statusOf(service, origin)]).toEqual([origin, 201])
    for (const origin of [
      'https://evil.example',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
      'null',
    ])
      expect([origin, await statusOf(service, origin)]).toEqual([origin, 403])
    const signedIn = await service.as('anonymous').post('/api/auth/userDetails', staff)
    const cookie = signedIn.headers.getSetCookie().map(one => one.split(';')[0])
    const change = { Cookie: cookie.join('; '), Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'same-origin' }
    const ended = await service.as('anonymous').delete('/api/auth/userDetails', change)
    expect(ended.status).toBe(204)
  })

  test('so it is in development; otherwise their origins are refused, in the problem and once in the log', async () => {
    const development = await start({ settings: { 'app.demo': 'false' }, isDevelopment: true })
    // The password is wrong; the origin is not.
    expect(await statusOf(development, 'http://127.0.0.1:5173')).toBe(401)
    const lines: string[] = []
    const settings = { 'app.demo': 'false', 'app.log.level': 'warn' }
    const service = await start({ settings, logTo: { write: line => void lines.push(line) } })
    const sent = { ...problems, Origin: 'http://127.0.0.1:5173' }
    for (const _ of [1, 2]) {
      const refused = await service.as('anonymous').post(signIn, staff, sent)
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
      expect(refused.body.detail).toContain('The origin http://127.0.0.1:5173 is not allowed')
    }
    const warnings = lines.filter(line => line.includes('http://127.0.0.1:5173'))
    expect(warnings).toHaveLength(1)
    expect(JSON.parse(warnings[0] ?? '')).toMatchObject({ origin: 'http://127.0.0.1:5173', path: signIn })
  })

  test('of the hosts, only loopback names stand for plain http too', async () => {
    const service = await start({ settings: { 'app.demo': 'false' } })
    await service.app.platform.records.create(hosts, { name: 'localhost:3000', aliases: ['127.0.0.1:3000'] })
    const allowed = async (origin: string): Promise<string | null> => {
      const response = await service.as('anonymous').get('/api/rest/countries', { Origin: origin })
      return response.headers.get('access-control-allow-origin')
    }
    for (const origin of ['http://localhost:3000', 'https://localhost:3000', 'http://127.0.0.1:3000'])
      expect(await allowed(origin)).toBe(origin)
    for (const origin of ['http://localhost', 'http://localhost:3001', 'http://localhost.evil.example:3000'])
      expect([origin, await allowed(origin)]).toEqual([origin, null])
  })
})
