// The time of the last login: set by every way to sign in, and not by entering the password again.

import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { accountPath, newPasswordTwice } from '@plinth/test-kit/new-passwords'
import {
  json,
  mailFor,
  type NewPerson,
  newPerson,
  type RegistrationScene,
  setScene,
  settle,
  tokenIn,
} from '@plinth/test-kit/registering'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Settled = NewPerson & { readonly pk: string }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  const visit = () => openBrowser(scene.service.url)
  const lastTimes = async ({ pk }: Settled) => {
    const admin = scene.service.as('admin')
    const credentials = await admin.get(`/api/rest/userCredentials/${pk}`, json)
    const user = await admin.get(`/api/rest/users/${pk}`, json)
    return [credentials.body.lastLogin, user.body.lastVisit]
  }
  /** A user who has been signed in on a device for a minute. */
  const arrive = async () => {
    const person = await settle(scene)
    const browser = visit()
    await browser.post('/api/auth/userDetails', { ...person, rememberMe: true })
    const came = scene.now.toISOString()
    expect(await lastTimes(person)).toEqual([came, came])
    scene.now = new Date(scene.now.getTime() + 60_000)
    return { person, browser, came }
  }

  type Act = (browser: Browser, person: Settled) => Promise<{ readonly status: number }>

  const acts: readonly (readonly [string, Act])[] = [
    ['a verification', (browser, { password }) => browser.post('/api/auth/userDetails/verification', { password })],
    [
      'a new password',
      (browser, { password }) =>
        browser.ask('PUT', accountPath, { body: { currentPassword: password, ...newPasswordTwice } }),
    ],
    [
      'a new name',
      (browser, { username, password }) =>
        browser.ask('PUT', `${accountPath}/username`, { body: { username: `${username}-new`, password } }),
    ],
    [
      'a new address',
      async (browser, { pk, username, password }) => {
        const { email } = newPerson()
        const body = { primaryEmail: { email } }
        await browser.ask('PATCH', `/api/rest/contactDetails/${pk}`, { body, headers: json })
        const resetPasswordToken = tokenIn(await scene.server.next(mailFor(email, /Confirm your e-mail address/)))
        return browser.ask('PUT', accountPath, { body: { username, resetPasswordToken, currentPassword: password } })
      },
    ],
    ['an exchange of tokens', browser => browser.post('/api/auth/jwt/refresh')],
  ]

  test.each(everyThird(acts))('%s is no login', async (_, act) => {
    const { person, browser, came } = await arrive()
    expect((await act(browser, person)).status).toBeLessThan(300)
    expect(await lastTimes(person)).toEqual([came, came])
  })

  const basic = ({ username, password }: NewPerson) => ({ Authorization: `Basic ${btoa(`${username}:${password}`)}` })

  const comings: readonly (readonly [string, Act])[] = [
    ['tokens', (_, { username, password }) => visit().signIn(username, password)],
    ['the login cookie', (_, person) => visit().post('/api/auth/basic', person)],
    ['a header', (_, person) => visit().get('/api/auth/userDetails', { headers: basic(person) })],
    [
      'a device that remembers them',
      browser =>
        visit().get('/api/auth/userDetails', { cookies: { 'remember-me': browser.jar.get('remember-me') ?? '' } }),
    ],
  ]

  test.each(everyThird(comings))('who comes by %s has come', async (_, act) => {
    const { person, browser } = await arrive()
    expect((await act(browser, person)).status).toBeLessThan(300)
    const now = scene.now.toISOString()
    expect(await lastTimes(person)).toEqual([now, now])
  })

  test('the audit tells that a device was remembered', async () => {
    const { person, browser } = await arrive()
    const cookies = { 'remember-me': browser.jar.get('remember-me') ?? '' }
    await openBrowser(scene.service.url, '127.0.0.12').get('/api/auth/userDetails', { cookies })
    const query = `type=AUTHENTICATION_SUCCESS&principal=${person.username}`
    const { events } = (await scene.service.as('admin').get(`/api/management/auditevents?${query}`)).body
    expect(events.at(-1).data).toEqual({ way: 'remembered', address: '127.0.0.12' })
  })
})
