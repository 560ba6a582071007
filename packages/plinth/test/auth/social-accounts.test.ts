// Which account a user of another service gets: their own, that of their verified address, or a new one.

import { enrol } from '@plinth/test-kit/authenticator'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, testAll } from '@plinth/test-kit/extent'
import { startIdentityProvider } from '@plinth/test-kit/identity-provider'
import { bodyOf, confirmationFor, mailFor, newPerson, settle, tokenIn } from '@plinth/test-kit/registering'
import { describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'
import { baseUrl, errorPage, openSocialScene, providerSettings, signInPath } from './social-sign-in.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { scene, real, somebody, visit, begin, callback, signIn, me, audited } = openSocialScene(database)

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

  test('the address is the one that the provider vouches for, whatever the request says', async () => {
    const { subject, email } = somebody()
    const victim = await settle(scene())
    const browser = visit()
    const claim = { email: victim.email, email_verified: true, username: victim.username, sub: victim.pk }
    const query = new URLSearchParams({ email: victim.email, login_hint: victim.email })
    const redirect = await browser.post(`${signInPath}?${query}`, claim)
    const back = await real().signIn(String(redirect.headers.location), subject)
    back.searchParams.set('email', victim.email)
    const reply = await browser.ask('GET', back.pathname + back.search)
    expect(reply.headers.location).toBe('/client/')
    const user = await me(browser)
    expect([user.pk === victim.pk, user.username === victim.username]).toEqual([false, false])
    const headers = { Accept: 'application/json' }
    const details = await browser.get(`/api/rest/contactDetails/${user.pk}`, { headers })
    expect(details.body.primaryEmail).toMatchObject({ email, verified: true })
  })

  test('a user who signs in again is the same user, even with another address', async () => {
    const { subject } = somebody()
    const first = visit()
    await signIn(subject, first)
    real().people.set(subject, { email: 'moved@example.org', email_verified: false })
    const second = visit()
    await signIn(subject, second)
    expect((await me(second)).pk).toBe((await me(first)).pk)
  })

  testAll('of many who come at once as one new person, all are the same user', async () => {
    const { subject } = somebody()
    const browsers = Array.from({ length: 5 }, visit)
    const returns: URL[] = []
    for (const browser of browsers) returns.push(await real().signIn(await begin(browser), subject))
    const replies = await Promise.all(browsers.map((browser, at) => callback(browser, returns[at] ?? new URL(baseUrl))))
    expect(replies.map(reply => reply.headers.location)).toEqual(browsers.map(() => '/client/'))
    const users = await Promise.all(browsers.map(me))
    expect(new Set(users.map(user => user.pk)).size).toBe(1)
  })

  test('a verified address leads to the account whose own address it is', async () => {
    const person = await settle(scene())
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

  test.each(
    everyThird([
      ['is not verified', { email_verified: false }],
      ['is said to be verified by a text', { email_verified: 'true' }],
      ['is not said to be verified', { email_verified: undefined }],
      ['is missing', { email: undefined }],
      ['is none', { email: 'no address' }],
      ['only looks like one', { email: 'ｆull@example.org' }],
    ]),
  )('an address that %s opens and makes no account', async (_, more) => {
    const person = await settle(scene())
    const { subject } = somebody({ email: person.email, ...more })
    const browser = visit()
    expect((await signIn(subject, browser)).headers.location).toBe(errorPage('email'))
    expect(browser.jar.size).toBe(0)
  })

  test('a registration that another user began with the address is not linked, but removed', async () => {
    const hijacker = newPerson()
    await scene().anonymous.post('/api/auth/account', bodyOf(hijacker))
    const token = await confirmationFor(scene(), hijacker)
    const { subject } = somebody({ email: hijacker.email })
    const owner = visit()
    expect((await signIn(subject, owner)).headers.location).toBe('/client/')
    expect((await me(owner)).username).not.toBe(hijacker.username)
    expect((await visit().signIn(hijacker.username, hijacker.password)).status).toBe(401)
    const confirmed = await scene().anonymous.put('/api/auth/account', {
      username: hijacker.username,
      resetPasswordToken: token,
    })
    expect(confirmed.status).toBe(422)
    expect((await visit().signIn(hijacker.email, hijacker.password)).status).toBe(401)
  })

  test('an account that has the address without having proved it is left alone', async () => {
    const claimant = { username: `claimant-${database}`, email: `claimed-${database}@example.org` }
    const body = { ...claimant, password: 'a meadow in spring' }
    expect((await scene().service.as('admin').post('/api/rest/users', body)).status).toBe(201)
    const { subject } = somebody({ email: claimant.email })
    const owner = visit()
    await signIn(subject, owner)
    expect((await me(owner)).username).not.toBe(claimant.username)
    const theirs = visit()
    expect((await theirs.signIn(claimant.username, 'a meadow in spring')).status).toBe(201)
    expect((await me(theirs)).pk).not.toBe((await me(owner)).pk)
  })

  testAll('an account of another service confirms a new address only with a password', async () => {
    const { subject } = somebody()
    const browser = visit()
    await signIn(subject, browser)
    const { pk, username } = await me(browser)
    const { service, server, anonymous } = scene()
    const details = `/api/rest/contactDetails/${pk}`
    const merge = { 'Content-Type': 'application/merge-patch+json' }
    expect((await service.as('admin').patch(details, { primaryEmail: null }, merge)).status).toBe(200)
    const { email } = newPerson()
    expect((await service.as('operator').patch(details, { primaryEmail: { email } })).status).toBe(200)
    const resetPasswordToken = tokenIn(await server.next(mailFor(email, /Confirm your e-mail address/)))
    const put = (more: object = {}) => anonymous.put('/api/auth/account', { username, resetPasswordToken, ...more })
    const refused = await put()
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/currentPassword'])
    expect((await put({ currentPassword: 'none at all' })).status).toBe(401)
    const password = 'a meadow in spring'
    await service.as('admin').patch(`/api/rest/userCredentials/${pk}`, { password })
    expect((await put({ currentPassword: password })).status).toBe(200)
  })

  test('a deactivated user is refused, known by the identity or by the address', async () => {
    const { subject, email } = somebody()
    const browser = visit()
    await signIn(subject, browser)
    const { pk } = await me(browser)
    await scene().service.as('admin').patch(`/api/rest/userCredentials/${pk}`, { active: false })
    expect((await signIn(subject)).headers.location).toBe(errorPage('inactive'))
    const other = somebody({ email })
    expect((await signIn(other.subject)).headers.location).toBe(errorPage('inactive'))
  })

  test('the second factor of the account is still asked for', async () => {
    const person = await settle(scene())
    const { subject } = somebody({ email: person.email })
    const owner = visit()
    await owner.signIn(person.username, person.password)
    const { telephone } = await enrol(owner, person.password, () => scene().now)
    const browser = visit()
    const reply = await signIn(subject, browser, '?to=/friends')
    expect(reply.headers.location).toBe('/client/sign-in?secondFactor=true&to=%2Ffriends')
    expect([...browser.jar.keys()]).toEqual(['mfa_pending'])
    expect((await browser.get('/api/auth/userDetails')).status).toBe(401)
    scene().now = new Date(scene().now.getTime() + 30_000)
    const whole = await browser.post('/api/auth/userDetails/secondFactor', { code: telephone.code() })
    expect([whole.status, whole.body.username]).toEqual([200, person.username])
  })

  testAll('the device is remembered when that was asked for', async () => {
    const browser = visit()
    const reply = await signIn(somebody().subject, browser, '?rememberMe=true')
    expect(reply.cookies.has('remember-me')).toBe(true)
  })
})

testAll('with registration codes, strangers are not registered, and those who are known get in', async () => {
  const real = await startIdentityProvider(baseUrl + signInPath)
  const settings = {
    'app.baseUrl': baseUrl,
    'app.registration.forceCodes': 'true',
    ...providerSettings('real', real.issuer),
  }
  const service = await startAccounts('sqlite', { settings })
  const signIn = async (email: string) => {
    real.people.set(email, { email, email_verified: true })
    const browser = openBrowser(service.url)
    const redirect = await browser.post(signInPath)
    const url = await real.signIn(String(redirect.headers.location), email)
    return (await browser.get(url.pathname + url.search)).headers.location
  }
  expect(await signIn('stranger@example.org')).toBe(errorPage('closed'))
  expect(await signIn('staff@plinth.example')).toBe('/client/')
  await service.stop()
  await real.stop()
})
