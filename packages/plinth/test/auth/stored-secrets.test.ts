// No secret that the service issues can be read in its database, in its log or in what it shows.

import { createAuthenticator } from '@plinth/test-kit/authenticator'
import { createClock, minutes } from '@plinth/test-kit/clock'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { storedText } from '@plinth/test-kit/stored-text'
import { describe, expect, test } from 'vitest'
import type { Parsed } from '../../src/testing/client.ts'
import { startAccounts } from './accounts-service.ts'

const json = { headers: { Accept: 'application/json' } }
const pages = ['/api/management/auditevents', '/api/management/trace', '/api/rest/mails?page=no']

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('every secret of an account is kept as a hash or sealed', async () => {
    const clock = createClock()
    const lines: string[] = []
    const service = await startAccounts(database, {
      clock: clock.now,
      settings: { 'app.log.level': 'debug' },
      logTo: { write: line => void lines.push(line) },
    })
    const admin = service.as('admin')
    const [username, password] = ['owner', 'a password of the owner']
    expect((await admin.post('/api/rest/users', { username, password })).status).toBe(201)

    const open = () => openBrowser(service.url)
    const [own, sso, remembered, pending] = [open(), open(), open(), open()]
    await own.signIn(username, password)
    await sso.post('/api/auth/basic', { username, password })
    await remembered.post('/api/auth/userDetails', { username, password, rememberMe: true })
    const issue = async (path: string, values: object): Promise<Parsed> => {
      const made = await own.post(path, values, json)
      expect([path, made.status]).toEqual([path, 201])
      return made.body
    }
    const expirationDate = new Date(clock.now().getTime() + 60 * minutes).toISOString()
    const { key } = await issue('/api/rest/apiKeys', { name: 'k', scopes: ['read'], expirationDate })
    const url = 'https://receiver.example/hook'
    const { secret } = await issue('/api/rest/webhooks', { name: 'w', url, resources: ['countries'] })
    const factor = (await own.post('/api/auth/secondFactor', { password })).body.secret
    const code = createAuthenticator(factor, clock.now).code()
    const { recoveryCodes } = (await own.ask('PUT', '/api/auth/secondFactor', { body: { code } })).body
    await pending.signIn(username, password)

    const cookies = [own, sso, remembered, pending].flatMap(({ jar }) => [...jar])
    expect(new Set(cookies.map(([name]) => name))).toEqual(
      new Set(['access_token', 'refresh_token', 'app-sso', 'remember-me', 'known-device', 'mfa_pending']),
    )
    const lastOf = (token: string): string => token.split('.').at(-1) ?? ''
    const secrets = [
      password,
      factor,
      // Without their public prefixes.
      key.slice(20),
      secret.replace('whsec_', ''),
      ...recoveryCodes,
      ...cookies.map(([, value]) => lastOf(value)),
    ]
    for (const one of secrets) expect(one.length).toBeGreaterThan(8)
    const texts = [
      await storedText(service),
      lines.join(''),
      ...(await Promise.all(pages.map(async path => (await admin.get(path)).text))),
    ]
    await service.stop()
    expect(texts[0]).toContain(username)
    for (const [at, text] of texts.entries())
      expect([at, secrets.filter(one => text.includes(one) || text.includes(one.replaceAll('-', '')))]).toEqual([
        at,
        [],
      ])
  })
})
