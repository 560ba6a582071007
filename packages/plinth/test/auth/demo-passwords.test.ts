// Data that were used in demo mode, and then without it: everyone knows the passwords of the demo users.

import { plinthHere } from '@plinth/test-kit/command-process'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { loadConfig } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'

const problems = { Accept: 'application/problem+json' }
const admin = { username: 'admin', password: 'admin' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('outside demo mode, demo passwords open nothing until others are set', async () => {
    const kept = await keepDatabase(database, { 'app.modules': '' })
    onTestFinished(kept.remove)
    const settings = { ...kept.settings, 'app.modules': '' }
    const demo = await startService(database, { settings: { ...settings, 'app.demo': 'true' } })
    expect((await openBrowser(demo.url).post('/api/auth/jwt/access', admin)).status).toBe(201)
    await demo.stop()

    const logged: string[] = []
    const service = await startService(database, {
      settings: { ...settings, 'app.demo': 'false', 'app.log.level': 'warn' },
      logTo: { write: line => void logged.push(line) },
    })
    onTestFinished(service.stop)
    for (const path of ['/api/auth/jwt/access', '/api/auth/userDetails', '/apiauth/userDetails']) {
      const refused = await openBrowser(service.url).post(path, admin)
      expect([refused.status, refused.body?.code]).toEqual([401, 'demo_password'])
      expect(refused.body.detail).toContain('plinth admin reset-password admin')
      expect(refused.cookies.size).toBe(0)
    }
    expect(logged.filter(line => line.includes('plinth admin reset-password'))).toHaveLength(1)
    const byMail = { username: 'admin@plinth.example', password: 'admin' }
    expect((await openBrowser(service.url).post('/api/auth/jwt/access', byMail)).status).toBe(401)
    expect((await service.as('admin').get('/api/rest/userCredentials', problems)).body.code).toBe('demo_password')
    // Others learn nothing from it.
    const wrong = await openBrowser(service.url).post('/api/auth/jwt/access', { ...admin, password: 'admin1' })
    expect([wrong.status, wrong.text]).toEqual([401, ''])
    expect((await service.app.greeting()).join('\n')).toMatch(
      /demo passwords.*\n {2}admin, operator, staff, client, simple\n/,
    )

    const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
    expect((await plinthHere(['admin', 'reset-password', 'admin', ...options], 'wide open fields\n')).code).toBe(0)
    expect((await openBrowser(service.url).signIn('admin', 'wide open fields')).status).toBe(201)
  })
})

describe('demo mode with NODE_ENV=production', () => {
  const load = (overrides: Record<string, string>, NODE_ENV = 'production') =>
    loadConfig({ env: { NODE_ENV }, cwd: '/', overrides: { 'app.demo': 'true', ...overrides } })

  test('is refused beyond loopback', () => {
    expect(() => load({ 'app.baseUrl': 'https://plinth.example' })).toThrow(/app\.demo.*NODE_ENV=production/)
    expect(() => load({ 'server.trustedProxies': '10.0.0.1' })).toThrow(/app\.demo.*NODE_ENV=production/)
    expect(() => load({ 'server.host': '0.0.0.0' })).toThrow(/server\.host/)
  })

  test('is allowed on loopback, and so is a public address elsewhere', () => {
    expect(() => load({})).not.toThrow()
    expect(() => load({ 'app.baseUrl': 'http://localhost:8080' })).not.toThrow()
    expect(() => load({ 'app.baseUrl': 'https://plinth.example' }, 'development')).not.toThrow()
  })
})
