// What another service sends back: good once, in the browser that was sent there, and only when it is signed for us.

import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { describe, expect, test } from 'vitest'
import type { IdToken } from './nonconforming-provider.ts'
import { errorPage, openSocialScene } from './social-sign-in.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { scene, real, crooked, somebody, visit, begin, callback, audited } = openSocialScene(database)

  /** Needs a recent sign-in. */
  const makeKey = async (browser: Browser) => {
    const expirationDate = new Date(scene().now.getTime() + 86_400_000).toISOString()
    return (await browser.post('/api/rest/apiKeys', { name: 'a program', scopes: ['read'], expirationDate })).status
  }

  describe('what comes back', () => {
    const arrive = async () => {
      const browser = visit()
      const url = await real().signIn(await begin(browser), somebody().subject)
      return { browser, url }
    }
    const changed = (url: URL, name: string, value: string | null) => {
      const copy = new URL(url)
      if (value === null) copy.searchParams.delete(name)
      else copy.searchParams.set(name, value)
      return copy
    }

    test.each<[string, (url: URL) => URL]>([
      ['another state', url => changed(url, 'state', 'another')],
      ['no state', url => changed(url, 'state', null)],
      ['another code', url => changed(url, 'code', 'another')],
      ['no code', url => changed(url, 'code', null)],
      ['another issuer', url => changed(url, 'iss', 'https://evil.example')],
      ['no issuer, though the provider names itself', url => changed(url, 'iss', null)],
    ])('with %s is refused', async (_, change) => {
      const { browser, url } = await arrive()
      const reply = await callback(browser, change(url))
      expect([reply.status, reply.headers.location]).toEqual([302, errorPage('failed')])
      expect(browser.jar.size).toBe(0)
    })

    test('is a recent sign-in', async () => {
      const { browser, url } = await arrive()
      await callback(browser, url)
      expect(await makeKey(browser)).toBe(201)
    })

    test('is worth nothing in another browser, or in none', async () => {
      const { browser, url } = await arrive()
      expect((await callback(visit(), url)).headers.location).toBe(errorPage('expired'))
      const thief = visit()
      await begin(thief)
      expect((await callback(thief, url)).headers.location).toBe(errorPage('failed'))
      expect((await callback(browser, url)).headers.location).toBe('/client/')
    })

    test('works once', async () => {
      const { browser, url } = await arrive()
      const copy = browser.copy()
      expect((await callback(browser, url)).headers.location).toBe('/client/')
      expect((await callback(browser, url)).headers.location).toBe(errorPage('expired'))
      expect((await callback(copy, url)).headers.location).toBe(errorPage('failed'))
      expect(copy.jar.size).toBe(0)
    })

    test('is bound to the provider to which the browser was sent', async () => {
      const browser = visit()
      const url = await real().signIn(await begin(browser), somebody().subject)
      const elsewhere = new URL(url)
      elsewhere.pathname = '/api/auth/oauth/signin/crooked'
      expect((await callback(browser, elsewhere)).headers.location).toBe(errorPage('expired'))
    })

    test('comes too late after ten minutes', async () => {
      const { browser, url } = await arrive()
      scene().now = new Date(scene().now.getTime() + 10 * 60_000)
      expect((await callback(browser, url)).headers.location).toBe(errorPage('expired'))
    })

    test('may be a no', async () => {
      // Refusals of one address are noted so many a minute; this one has none yet.
      const browser = openBrowser(scene().service.url, '127.0.30.1')
      const url = await real().refuse(await begin(browser))
      expect((await callback(browser, url)).headers.location).toBe(errorPage('denied'))
      expect((await audited('AUTHENTICATION_FAILURE')).at(-1)).toMatchObject({ data: { reason: 'real: denied' } })
    })
  })

  describe('a token of a provider that does not keep to the standard', () => {
    const at = '/api/auth/oauth/signin/crooked'
    const tryWith = async (change: (token: IdToken) => IdToken) => {
      const browser = visit()
      const query = new URL(await begin(browser, '', at)).searchParams
      crooked().give(change(crooked().good(query.get('nonce') ?? '')))
      const search = new URLSearchParams({ code: 'a-code', state: query.get('state') ?? '' })
      const reply = await browser.get(`${at}?${search}`)
      return { browser, location: reply.headers.location, cookies: browser.jar.size }
    }
    const claiming = (more: object) => (token: IdToken) => ({ ...token, claims: { ...token.claims, ...more } })
    const now = Math.floor(Date.now() / 1000)

    test('is taken when it is in order after all', async () => {
      expect(await tryWith(token => token)).toMatchObject({ location: '/client/', cookies: 2 })
    })

    test.each([
      ['at once', now, 201],
      ['ten minutes ago', now - 600, 201],
      ['an hour ago', now - 3600, 403],
      ['at a time that is not known', undefined, 403],
    ])('of a user who signed in there %s allows an API key accordingly', async (_, auth_time, status) => {
      const { browser } = await tryWith(claiming({ auth_time }))
      expect(await makeKey(browser)).toBe(status)
    })

    test.each<[string, (token: IdToken) => IdToken]>([
      ['another nonce', claiming({ nonce: 'another' })],
      ['no nonce', claiming({ nonce: undefined })],
      ['another audience', claiming({ aud: 'another-app' })],
      ['no audience', claiming({ aud: undefined })],
      ['several audiences and another party', claiming({ aud: ['plinth', 'another-app'], azp: 'another-app' })],
      ['several audiences without ours', claiming({ aud: ['one', 'two'] })],
      ['a foreign issuer', claiming({ iss: 'https://evil.example' })],
      ['no subject', claiming({ sub: undefined })],
      ['an end in the past', claiming({ iat: now - 7200, exp: now - 3600 })],
      ['no end', claiming({ exp: undefined })],
      ['a foreign signature', token => ({ ...token, by: 'another key' })],
      ['no signature', token => ({ ...token, by: 'nobody' })],
      ['alg none', token => ({ ...token, header: { alg: 'none' }, by: 'nobody' })],
      ['alg nOnE', token => ({ ...token, header: { alg: 'nOnE' }, by: 'nobody' })],
      ['alg HS256 by the secret of the client', token => ({ ...token, header: { alg: 'HS256' }, by: 'client secret' })],
      ['an unknown key', token => ({ ...token, header: { ...token.header, kid: 'unknown' } })],
    ])('with %s is refused', async (_, change) => {
      expect(await tryWith(change)).toMatchObject({ location: errorPage('failed'), cookies: 0 })
    })
  })
})
