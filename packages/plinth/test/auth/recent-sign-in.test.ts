// What counts as a recent sign-in, which API keys, webhooks and backups require: a password, a second factor, or a fresh sign-in
// at a provider. And sessions that begin while the clock is ahead.

import { days, minutes, seconds } from '@plinth/test-kit/clock'
import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { describe, expect, test } from 'vitest'
import { keysPath, openKeys } from './api-key-service.ts'

const path = '/api/auth/userDetails'
const simple = { username: 'simple', password: 'simple' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { clock, service, bodyOf } = openKeys(database)
  const visit = () => openBrowser(service().url)
  const makeKey = async (browser: Browser) => (await browser.post(keysPath, bodyOf())).status

  describe('a device that is remembered', () => {
    const remembered = async () => {
      const browser = visit()
      const { cookies } = await browser.post(path, { ...simple, rememberMe: true })
      return { browser, cookies: { 'remember-me': cookies.get('remember-me')?.value ?? '' } }
    }

    test('is no recent sign-in, even right after the password', async () => {
      const { cookies } = await remembered()
      const thief = visit()
      expect((await thief.get(path, { cookies })).status).toBe(200)
      expect(await makeKey(thief)).toBe(403)
      clock.pass(30 * seconds)
      expect((await thief.get(path, { cookies })).status).toBe(200)
      expect(await makeKey(thief)).toBe(403)
    })

    test('is one after the password was entered again', async () => {
      const { browser, cookies } = await remembered()
      clock.pass(2 * days)
      const later = visit()
      expect((await later.get(path, { cookies })).status).toBe(200)
      expect(await makeKey(later)).toBe(403)
      expect((await later.post(`${path}/verification`, { password: 'simple' })).status).toBe(200)
      expect(await makeKey(later)).toBe(201)
      expect((await browser.post(path, simple)).status).toBe(200)
      expect(await makeKey(browser)).toBe(201)
    })
  })

  describe('a clock that was ahead', () => {
    test('leaves no session that began then, nor any way to resume it', async () => {
      clock.pass(400 * days)
      const browser = visit()
      const { cookies: given } = await browser.post(path, { ...simple, rememberMe: true })
      const cookies = { 'remember-me': given.get('remember-me')?.value ?? '' }
      const copy = browser.copy()
      expect((await browser.get('/api/rest/users')).status).toBe(200)
      clock.pass(-400 * days)
      expect((await browser.get('/api/rest/users')).status).toBe(401)
      expect((await copy.post('/api/auth/jwt/refresh')).status).toBe(401)
      expect((await visit().get(path, { cookies })).status).toBe(401)
      const own = visit()
      await own.post(path, simple)
      const list = (await own.get('/api/auth/sessions')).body.content ?? (await own.get('/api/auth/sessions')).body
      expect(JSON.stringify(list)).not.toContain(
        new Date(clock.now().getTime() + 400 * days).toISOString().slice(0, 10),
      )
    })

    test('by a few minutes ends nothing', async () => {
      clock.pass(4 * minutes)
      const browser = visit()
      await browser.post(path, simple)
      clock.pass(-4 * minutes)
      expect((await browser.get('/api/rest/users')).status).toBe(200)
      expect(await makeKey(browser)).toBe(201)
    })

    test('does not make a verified password recent for as long', async () => {
      const browser = visit()
      await browser.post(path, simple)
      clock.pass(3 * days)
      const { status } = await browser.post('/api/auth/jwt/refresh')
      expect(status).toBe(201)
      expect((await browser.post(`${path}/verification`, { password: 'simple' })).status).toBe(200)
      clock.pass(-2 * days)
      await browser.post('/api/auth/jwt/refresh')
      expect((await browser.get('/api/rest/users')).status).toBe(200)
      expect(await makeKey(browser)).toBe(403)
    })

    test('does not let a refresh token work twice', async () => {
      const browser = visit()
      await browser.post(path, simple)
      const copy = browser.copy()
      clock.pass(1 * days)
      expect((await browser.post('/api/auth/jwt/refresh')).status).toBe(201)
      clock.pass(-1 * days)
      expect((await copy.post('/api/auth/jwt/refresh')).status).toBe(401)
    })
  })
})
