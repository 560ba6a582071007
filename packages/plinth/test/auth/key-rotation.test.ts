// Keys are replaced while the service runs: no user is signed out, and second factors go on working.

import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAuthenticator } from '@plinth/test-kit/authenticator'
import { createClock, minutes } from '@plinth/test-kit/clock'
import { runWithin } from '@plinth/test-kit/command-within'
import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { databases } from '@plinth/test-kit/databases'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeys } from '../../src/modules/auth/index.ts'
import { startAccounts } from './accounts-service.ts'

const part = (token: string | undefined, at: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(token?.split('.')[at] ?? '', 'base64url').toString())

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const signed = (header: object, claims: object, secret: string): string => {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

describe.each(databases)('on %s', database => {
  let service: TestService
  const clock = createClock()
  beforeAll(async () => {
    service = await startAccounts(database, { clock: clock.now })
  })
  afterAll(() => service.stop())

  const kidOf = (browser: Browser) => part(browser.jar.get('access_token'), 0).kid
  const signIn = async (name = 'client'): Promise<Browser> => {
    const browser = openBrowser(service.url)
    expect((await browser.signIn(name)).status).toBe(201)
    return browser
  }
  const isIn = async (browser: Browser): Promise<boolean> => (await browser.get('/api/auth/userDetails')).status === 200

  test('tokens name their key and are for this service', async () => {
    const browser = await signIn()
    const { app } = service
    const [key] = await createKeys(app.platform, app.service.config).tokens()
    const token = browser.jar.get('access_token')
    const [header, { aud, ...claims }] = [part(token, 0), part(token, 1)]
    expect([header.kid, aud]).toEqual([key?.name, 'plinth'])
    const statusOf = async (forged: string) =>
      (await openBrowser(service.url).get('/api/auth/userDetails', { cookies: { access_token: forged } })).status
    const secret = key?.secret ?? ''
    expect(await statusOf(signed(header, { ...claims, aud }, secret))).toBe(200)
    expect(await statusOf(signed(header, { ...claims, aud: 'elsewhere' }, secret))).toBe(401)
    expect(await statusOf(signed(header, { ...claims, aud: ['plinth-elsewhere'] }, secret))).toBe(401)
    expect(await statusOf(signed(header, claims, secret))).toBe(401)
    expect(await statusOf(signed({ ...header, kid: '000000000000' }, { ...claims, aud }, secret))).toBe(401)
    // As earlier versions have signed it.
    expect(await statusOf(signed({ alg: 'HS256', typ: 'JWT' }, claims, secret))).toBe(200)
  })

  test('a new key is used after a while, and no user is signed out', async () => {
    const before = await signIn()
    const output = await runWithin(service.app, 'keys rotate')
    expect(output).toContain('The new key is used from')
    const waiting = await signIn()
    expect(kidOf(waiting)).toBe(kidOf(before))
    clock.pass(11 * minutes)
    const after = await signIn()
    expect(kidOf(after)).not.toBe(kidOf(before))
    for (const browser of [before, waiting]) expect((await browser.post('/api/auth/jwt/refresh')).status).toBe(201)
    expect(kidOf(before)).toBe(kidOf(after))
    expect([await isIn(before), await isIn(waiting), await isIn(after)]).toEqual([true, true, true])
  })

  test('keys that no token can be of any more are forgotten', async () => {
    const { platform, service: running } = service.app
    const count = async () => (await createKeys(platform, running.config).tokens()).length
    for (let round = 0; round < 3; round++) {
      clock.pass(8 * 24 * 60 * minutes)
      await runWithin(service.app, 'keys rotate', ['tokens'])
    }
    expect(await count()).toBeLessThanOrEqual(3)
    await expect(runWithin(service.app, 'keys rotate', ['doors'])).rejects.toThrow('There are no keys')
  })

  test('a second factor that was sealed with the former key goes on working', async () => {
    const browser = await signIn('simple')
    const { secret } = (await browser.post('/api/auth/secondFactor', { password: 'simple' })).body
    const authenticator = createAuthenticator(secret, clock.now)
    const confirmed = await browser.ask('PUT', '/api/auth/secondFactor', { body: { code: authenticator.code() } })
    expect(confirmed.status).toBe(200)
    await runWithin(service.app, 'keys rotate', ['seals'])
    clock.pass(11 * minutes)
    const again = openBrowser(service.url)
    const code = { username: 'simple', password: 'simple', code: authenticator.code() }
    expect((await again.post('/api/auth/jwt/access', code)).status).toBe(201)
    expect(await runWithin(service.app, 'audit verify')).toContain('as it was written')
  })

  test('keys stay where they are: in files, or in the database', async () => {
    const file = readFile(join(service.folder, 'sealing.key'), 'utf8').catch(() => null)
    const lines = (await file)?.trim().split('\n')
    expect(lines?.length).toBe(database === 'sqlite' ? 2 : undefined)
  })
})
