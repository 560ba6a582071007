// Signing in at another service: against a provider that keeps to the standard, and against one that does not.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, confirmationFor, newPerson, type Scene, setScene, settle } from '../registration/people.ts'
import { databases } from '../support/service.ts'
import { startAccounts } from './accounts-service.ts'
import { enrol } from './authenticator.ts'
import { type Browser, openBrowser } from './browser.ts'
import { type CrookedProvider, type IdToken, startCrookedProvider } from './crooked-provider.ts'
import { clientSettings, type IdentityProvider, startIdentityProvider } from './identity-provider.ts'

const base = 'http://plinth.example'
const path = '/api/auth/oauth/signin/real'
const error = (code: string) => `/client/sign-in?error=${code}`

const providerSettings = (name: string, issuer: string): Record<string, string> => ({
  [`app.oauth.providers.${name}.issuer`]: issuer,
  [`app.oauth.providers.${name}.clientId`]: clientSettings.clientId,
  [`app.oauth.providers.${name}.clientSecret`]: clientSettings.clientSecret,
})

describe.each(databases)('on %s', database => {
  let scene: Scene
  let real: IdentityProvider
  let crooked: CrookedProvider
  beforeAll(async () => {
    real = await startIdentityProvider(base + path)
    crooked = await startCrookedProvider(clientSettings)
    scene = await setScene(database, {
      'app.baseUrl': base,
      ...providerSettings('real', real.issuer),
      'app.oauth.providers.real.label': 'The Real One',
      ...providerSettings('crooked', crooked.issuer),
      ...providerSettings('down', 'http://127.0.0.1:9'),
    })
  })
  afterAll(async () => {
    await scene.stop()
    await real.stop()
    await crooked.stop()
  })

  let serial = 0
  /** Somebody who has an account at the provider. */
  const somebody = (more: object = {}) => {
    serial += 1
    const subject = `subject-${serial}`
    const person = { email: `social${serial}@example.org`, email_verified: true, ...more }
    real.people.set(subject, person)
    return { subject, email: person.email }
  }
  const visit = () => openBrowser(scene.service.url)
  const begin = async (browser: Browser, query = '', at = path) => {
    const reply = await browser.post(at + query)
    expect(reply.status).toBe(302)
    return String(reply.headers.location)
  }
  const callback = (browser: Browser, url: URL) => browser.get(url.pathname + url.search)
  const signIn = async (subject: string, browser = visit(), query = '') =>
    callback(browser, await real.signIn(await begin(browser, query), subject))
  const me = async (browser: Browser) => (await browser.get('/api/auth/userDetails')).body
  const audited = async (type: string) =>
    (await scene.service.as('admin').get(`/api/management/auditevents?type=${type}`)).body.events

  test('the providers are listed by name and label, and nothing else', async () => {
    expect((await visit().get('/api/auth/oauth/providers')).body).toEqual([
      { name: 'real', label: 'The Real One' },
      { name: 'crooked', label: 'crooked' },
      { name: 'down', label: 'down' },
    ])
  })

  test('the way there carries a challenge, and the cookie tells nothing', async () => {
    const browser = visit()
    const reply = await browser.post(path)
    const location = new URL(String(reply.headers.location))
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      client_id: 'plinth',
      redirect_uri: base + path,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    const cookie = reply.given.get('oauth_pending')
    expect(Object.fromEntries(cookie?.attributes ?? [])).toMatchObject({
      httponly: '',
      samesite: 'Lax',
      'max-age': '600',
    })
    const told = Buffer.from(cookie?.value ?? '', 'base64url').toString('latin1')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(told).not.toContain(location.searchParams.get(name))
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test('a script is told where to go', async () => {
    const reply = await visit().post(path, undefined, { headers: { Accept: 'application/json' } })
    expect([reply.status, reply.body.location.startsWith(real.issuer)]).toEqual([200, true])
  })

  test('an unknown person is registered, signed in and sent to the client', async () => {
    const { subject, email } = somebody({ given_name: 'Ada', family_name: 'Byron', locale: 'de' })
    const browser = visit()
    const reply = await signIn(subject, browser)
    expect([reply.status, reply.headers.location]).toEqual([302, '/client/'])
    expect([...browser.jar.keys()].sort()).toEqual(['access_token', 'refresh_token'])
    const user = await me(browser)
    expect(user).toMatchObject({
      firstName: 'Ada',
      lastName: 'Byron',
      locale: 'de',
      active: true,
      roles: [{ authority: 'ROLE_USER' }],
    })
    const details = await browser.get(`/api/rest/contactDetails/${user.pk}`, {
      headers: { Accept: 'application/json' },
    })
    expect(details.body.primaryEmail).toMatchObject({ email, verified: true })
    expect((await audited('REGISTERED')).at(-1)).toMatchObject({ principal: user.username, data: { provider: 'real' } })
    const entries = (await audited('AUTHENTICATION_SUCCESS')).filter(
      (one: { principal: string }) => one.principal === user.username,
    )
    expect(entries).toMatchObject([{ data: { way: 'oauth' } }])
  })

  test('whoever comes again is the same user, also with another address', async () => {
    const { subject } = somebody()
    const first = visit()
    await signIn(subject, first)
    real.people.set(subject, { email: 'moved@example.org', email_verified: false })
    const second = visit()
    await signIn(subject, second)
    expect((await me(second)).pk).toBe((await me(first)).pk)
  })

  test('of many who come at once as one new person, all are the same user', async () => {
    const { subject } = somebody()
    const browsers = Array.from({ length: 5 }, visit)
    const returns: URL[] = []
    for (const browser of browsers) returns.push(await real.signIn(await begin(browser), subject))
    const replies = await Promise.all(browsers.map((browser, at) => callback(browser, returns[at] ?? new URL(base))))
    expect(replies.map(reply => reply.headers.location)).toEqual(browsers.map(() => '/client/'))
    const users = await Promise.all(browsers.map(me))
    expect(new Set(users.map(user => user.pk)).size).toBe(1)
  })

  test('a verified address leads to the account whose own address it is', async () => {
    const person = await settle(scene)
    const { subject } = somebody({ email: person.email.toUpperCase() })
    const browser = visit()
    expect((await signIn(subject, browser)).headers.location).toBe('/client/')
    expect((await me(browser)).username).toBe(person.username)
    expect((await audited('IDENTITY_LINKED')).at(-1)).toMatchObject({
      principal: person.username,
      data: { provider: 'real' },
    })
    const withPassword = await visit().signIn(person.username, person.password)
    expect(withPassword.status).toBe(201)
  })

  test.each([
    ['is not verified', { email_verified: false }],
    ['is said to be verified by a text', { email_verified: 'true' }],
    ['is not said to be verified', { email_verified: undefined }],
    ['is missing', { email: undefined }],
    ['is none', { email: 'no address' }],
    ['only looks like one', { email: 'ｆull@example.org' }],
  ])('an address that %s opens and makes no account', async (_, more) => {
    const person = await settle(scene)
    const { subject } = somebody({ email: person.email, ...more })
    const browser = visit()
    expect((await signIn(subject, browser)).headers.location).toBe(error('email'))
    expect(browser.jar.size).toBe(0)
  })

  test('a registration that somebody else began with the address is not joined, but removed', async () => {
    const hijacker = newPerson()
    await scene.nobody.post('/api/auth/account', bodyOf(hijacker))
    const token = await confirmationFor(scene, hijacker)
    const { subject } = somebody({ email: hijacker.email })
    const owner = visit()
    expect((await signIn(subject, owner)).headers.location).toBe('/client/')
    expect((await me(owner)).username).not.toBe(hijacker.username)
    expect((await visit().signIn(hijacker.username, hijacker.password)).status).toBe(401)
    const confirmed = await scene.nobody.put('/api/auth/account', {
      username: hijacker.username,
      resetPasswordToken: token,
    })
    expect(confirmed.status).toBe(422)
    expect((await visit().signIn(hijacker.email, hijacker.password)).status).toBe(401)
  })

  test('an account that has the address without having proved it is left alone', async () => {
    const claimant = { username: `claimant-${database}`, email: `claimed-${database}@example.org` }
    const body = { ...claimant, password: 'a meadow in spring' }
    expect((await scene.service.as('admin').post('/api/rest/users', body)).status).toBe(201)
    const { subject } = somebody({ email: claimant.email })
    const owner = visit()
    await signIn(subject, owner)
    expect((await me(owner)).username).not.toBe(claimant.username)
    const theirs = visit()
    expect((await theirs.signIn(claimant.username, 'a meadow in spring')).status).toBe(201)
    expect((await me(theirs)).pk).not.toBe((await me(owner)).pk)
  })

  test('a deactivated user is refused, known by the identity or by the address', async () => {
    const { subject, email } = somebody()
    const browser = visit()
    await signIn(subject, browser)
    const { pk } = await me(browser)
    await scene.service.as('admin').patch(`/api/rest/userCredentials/${pk}`, { active: false })
    expect((await signIn(subject)).headers.location).toBe(error('inactive'))
    const other = somebody({ email })
    expect((await signIn(other.subject)).headers.location).toBe(error('inactive'))
  })

  test('the second factor of the account is still asked for', async () => {
    const person = await settle(scene)
    const { subject } = somebody({ email: person.email })
    const owner = visit()
    await owner.signIn(person.username, person.password)
    const { telephone } = await enrol(owner, person.password, () => scene.now)
    const browser = visit()
    const reply = await signIn(subject, browser, '?to=/friends')
    expect(reply.headers.location).toBe('/client/sign-in?secondFactor=true&to=%2Ffriends')
    expect([...browser.jar.keys()]).toEqual(['mfa_pending'])
    expect((await browser.get('/api/auth/userDetails')).status).toBe(401)
    scene.now = new Date(scene.now.getTime() + 30_000)
    const whole = await browser.post('/api/auth/userDetails/secondFactor', { code: telephone.code() })
    expect([whole.status, whole.body.username]).toEqual([200, person.username])
  })

  test('the device is remembered when that was asked for', async () => {
    const browser = visit()
    const reply = await signIn(somebody().subject, browser, '?rememberMe=true')
    expect(reply.given.has('remember-me')).toBe(true)
  })

  test.each([
    ['/', '/client/'],
    ['/films?sort=title#top', '/client/films?sort=title#top'],
    ['/a/../b', '/client/b'],
    ['/@evil.example', '/client/@evil.example'],
  ])('who wanted to go to %s gets to %s', async (to, page) => {
    const reply = await signIn(somebody().subject, visit(), `?to=${encodeURIComponent(to)}`)
    expect(reply.headers.location).toBe(page)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'evil.example',
    'javascript:alert(1)',
    '/../api/rest',
    '/..//evil.example',
    '/%2e%2e/api/rest',
    '/x\r\nSet-Cookie: a=b',
    '',
  ])('nobody is sent to %j', async to => {
    const reply = await visit().post(`${path}?to=${encodeURIComponent(to)}`)
    expect([reply.status, reply.given.size]).toEqual([400, 0])
  })

  describe('what comes back', () => {
    const arrive = async () => {
      const browser = visit()
      const url = await real.signIn(await begin(browser), somebody().subject)
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
      ['the issuer of somebody else', url => changed(url, 'iss', 'https://evil.example')],
      ['no issuer, though the provider names itself', url => changed(url, 'iss', null)],
    ])('with %s is refused', async (_, change) => {
      const { browser, url } = await arrive()
      const reply = await callback(browser, change(url))
      expect([reply.status, reply.headers.location]).toEqual([302, error('failed')])
      expect(browser.jar.size).toBe(0)
    })

    test('is worth nothing in another browser, or in none', async () => {
      const { browser, url } = await arrive()
      expect((await callback(visit(), url)).headers.location).toBe(error('expired'))
      const thief = visit()
      await begin(thief)
      expect((await callback(thief, url)).headers.location).toBe(error('failed'))
      expect((await callback(browser, url)).headers.location).toBe('/client/')
    })

    test('works once', async () => {
      const { browser, url } = await arrive()
      const copy = browser.copy()
      expect((await callback(browser, url)).headers.location).toBe('/client/')
      expect((await callback(browser, url)).headers.location).toBe(error('expired'))
      expect((await callback(copy, url)).headers.location).toBe(error('failed'))
      expect(copy.jar.size).toBe(0)
    })

    test('is bound to the provider to which the browser was sent', async () => {
      const browser = visit()
      const url = await real.signIn(await begin(browser), somebody().subject)
      const elsewhere = new URL(url)
      elsewhere.pathname = '/api/auth/oauth/signin/crooked'
      expect((await callback(browser, elsewhere)).headers.location).toBe(error('expired'))
    })

    test('comes too late after ten minutes', async () => {
      const { browser, url } = await arrive()
      scene.now = new Date(scene.now.getTime() + 10 * 60_000)
      expect((await callback(browser, url)).headers.location).toBe(error('expired'))
    })

    test('may be a no', async () => {
      // Refusals of one address are noted so many a minute; this one has none yet.
      const browser = openBrowser(scene.service.url, '127.0.30.1')
      const url = await real.refuse(await begin(browser))
      expect((await callback(browser, url)).headers.location).toBe(error('denied'))
      expect((await audited('AUTHENTICATION_FAILURE')).at(-1)).toMatchObject({ data: { reason: 'real: denied' } })
    })
  })

  describe('a token of a provider that does not keep to the standard', () => {
    const at = '/api/auth/oauth/signin/crooked'
    const tryWith = async (change: (token: IdToken) => IdToken) => {
      const browser = visit()
      const asked = new URL(await begin(browser, '', at)).searchParams
      crooked.give(change(crooked.good(asked.get('nonce') ?? '')))
      const search = new URLSearchParams({ code: 'a-code', state: asked.get('state') ?? '' })
      const reply = await browser.get(`${at}?${search}`)
      return { location: reply.headers.location, cookies: browser.jar.size }
    }
    const claiming = (more: object) => (token: IdToken) => ({ ...token, claims: { ...token.claims, ...more } })
    const now = Math.floor(Date.now() / 1000)

    test('is taken when it is in order after all', async () => {
      expect(await tryWith(token => token)).toEqual({ location: '/client/', cookies: 2 })
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
      ['a key that nobody knows', token => ({ ...token, header: { ...token.header, kid: 'unknown' } })],
    ])('with %s is refused', async (_, change) => {
      expect(await tryWith(change)).toEqual({ location: error('failed'), cookies: 0 })
    })
  })

  test('a provider that is down leads back to the sign-in page, or is told to a script', async () => {
    const at = '/api/auth/oauth/signin/down'
    const browser = visit()
    const reply = await browser.post(at)
    expect([reply.status, reply.headers.location, browser.jar.size]).toEqual([302, error('unavailable'), 0])
    const script = await visit().post(at, undefined, { headers: { Accept: 'application/json' } })
    expect([script.status, script.body.code]).toEqual([503, 'unavailable'])
  })

  test('an unknown provider is not found, and a foreign page cannot begin', async () => {
    expect((await visit().post('/api/auth/oauth/signin/unknown')).status).toBe(404)
    expect((await visit().get('/api/auth/oauth/signin/unknown?code=a&state=b')).status).toBe(404)
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    expect((await visit().post(path, undefined, { headers })).status).toBe(403)
  })
})

test('with registration codes, strangers are not registered, and those who are known get in', async () => {
  const real = await startIdentityProvider(base + path)
  const settings = {
    'app.baseUrl': base,
    'app.registration.forceCodes': 'true',
    ...providerSettings('real', real.issuer),
  }
  const service = await startAccounts('sqlite', { settings })
  const signIn = async (email: string) => {
    real.people.set(email, { email, email_verified: true })
    const browser = openBrowser(service.url)
    const begun = await browser.post(path)
    const url = await real.signIn(String(begun.headers.location), email)
    return (await browser.get(url.pathname + url.search)).headers.location
  }
  expect(await signIn('stranger@example.org')).toBe(error('closed'))
  expect(await signIn('staff@plinth.example')).toBe('/client/')
  await service.stop()
  await real.stop()
})

test.each<[string, Record<string, string>, string]>([
  ['no issuer', { clientId: 'a' }, 'issuer'],
  ['no client', { issuer: 'https://accounts.example' }, 'clientId'],
  ['plain http elsewhere', { issuer: 'http://accounts.example', clientId: 'a' }, 'issuer'],
  ['no address', { issuer: 'accounts.example', clientId: 'a' }, 'issuer'],
  ['an address with a password', { issuer: 'https://a:b@accounts.example', clientId: 'a' }, 'issuer'],
])('a provider with %s stops the start', async (_, given, property) => {
  const settings = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [`app.oauth.providers.one.${name}`, value]),
  )
  const failure = await startAccounts('sqlite', { settings }).catch(thrown => thrown)
  expect(failure.message).toContain(`app.oauth.providers.one.${property}`)
})
