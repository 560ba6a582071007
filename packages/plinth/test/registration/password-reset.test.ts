// Resetting a password: by who owns the mailbox, once, within a day, and every device is out.

import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, testAll } from '@plinth/test-kit/extent'
import {
  accountPath,
  expectSecretsKept,
  newPassword,
  newPasswordTwice,
  tokensSent,
} from '@plinth/test-kit/new-passwords'
import {
  askForReset,
  deviceOf,
  mailFor,
  type NewPerson,
  type RegistrationScene,
  setScene,
  settle,
  signIn,
} from '@plinth/test-kit/registering'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const json = { 'Content-Type': 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  describe('resetting it', () => {
    test('the mail lets its reader choose a new password once; all sessions end and none begins', async () => {
      const person = await settle(scene)
      const device = await deviceOf(scene, person)
      const resetPasswordToken = await askForReset(scene, { username: person.username }, person.email)
      const done = await scene.anonymous.put(accountPath, { resetPasswordToken, ...newPasswordTwice })
      expect([done.status, done.headers.getSetCookie()]).toEqual([200, []])
      expect((await device.get('/api/auth/userDetails')).status).toBe(401)
      expect((await device.post('/api/auth/jwt/refresh', {})).status).toBe(401)
      expect((await signIn(scene, person)).status).toBe(401)
      expect((await signIn(scene, { ...person, password: newPassword })).status).toBe(201)
      const again = await scene.anonymous.put(accountPath, {
        resetPasswordToken,
        password: 'yet another one',
        passwordConfirmation: 'yet another one',
      })
      expect([again.status, again.body.code]).toEqual([422, 'unprocessable'])
      expect((await signIn(scene, { ...person, password: newPassword })).status).toBe(201)
    })

    testAll('a request that cannot be answered keeps no other waiting', async () => {
      const scene = await setScene(database, { 'app.log.level': 'silent' })
      onTestFinished(scene.stop)
      const [broken, person] = [await settle(scene), await settle(scene)]
      const { store } = scene.service.app.platform
      await store.transaction(tx => tx.update(tx.resource('mailboxes'), broken.pk, { address: 'nowhere' }))
      await scene.anonymous.put(accountPath, { username: broken.username })
      expect(await askForReset(scene, { username: person.username }, person.email)).not.toBe('')
      await expect.poll(() => store.count(store.resource('resetRequests'), null)).toBe(0)
    })

    testAll('several links may be out, and all die when one is used', async () => {
      const person = await settle(scene)
      const first = await askForReset(scene, { email: person.email }, person.email)
      const second = await askForReset(scene, { email: person.email }, person.email)
      expect(first).not.toBe(second)
      const used = await Promise.all(
        [first, second].map(resetPasswordToken =>
          scene.anonymous.put(accountPath, { resetPasswordToken, ...newPasswordTwice }),
        ),
      )
      expect(used.map(({ status }) => status).sort()).toEqual([200, 422])
    })

    test.each<[string, (person: NewPerson & { pk: string }) => Promise<unknown>]>(
      everyThird([
        [
          'its owner changes the password',
          async person =>
            (await deviceOf(scene, person)).put(accountPath, { currentPassword: person.password, ...newPasswordTwice }),
        ],
        [
          'an administrator sets the password',
          ({ pk }) =>
            scene.service.as('admin').patch(`/api/rest/userCredentials/${pk}`, { password: newPassword }, json),
        ],
        [
          'the account is closed and opened again',
          async ({ pk }) => {
            for (const active of [false, true])
              await scene.service.as('admin').patch(`/api/rest/userCredentials/${pk}`, { active }, json)
          },
        ],
      ]),
    )('a link that is out is dead once %s', async (_, act) => {
      const person = await settle(scene)
      const resetPasswordToken = await askForReset(scene, { email: person.email }, person.email)
      await act(person)
      const late = { resetPasswordToken, password: 'of the finder of it', passwordConfirmation: 'of the finder of it' }
      expect((await scene.anonymous.put(accountPath, late)).status).toBe(422)
    })

    test('a change and a reset end every way in but the session that asked for the change', async () => {
      for (const isReset of [false, true]) {
        const person = await settle(scene)
        const url = scene.service.url
        const [here, tokens, sso, remembered] = [openBrowser(url), openBrowser(url), openBrowser(url), openBrowser(url)]
        const { username, password } = person
        await here.signIn(username, password)
        await tokens.signIn(username, password)
        await sso.post('/api/auth/basic', { username, password })
        await remembered.post('/api/auth/userDetails', { username, password, rememberMe: true })
        const cookieOf = (browser: Browser, name: string) => ({ cookies: { [name]: browser.jar.get(name) ?? '' } })
        const basic = { headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` } }
        const ways = () =>
          Promise.all([
            here.get('/api/rest/users'),
            openBrowser(url).get('/api/rest/users', cookieOf(tokens, 'access_token')),
            openBrowser(url).get('/api/rest/users', cookieOf(sso, 'app-sso')),
            openBrowser(url).get('/api/rest/users', basic),
            openBrowser(url).get('/api/auth/userDetails', cookieOf(remembered, 'remember-me')),
            openBrowser(url).post('/api/auth/jwt/refresh', undefined, cookieOf(tokens, 'refresh_token')),
          ]).then(replies => replies.map(({ status }) => status))
        expect(await ways()).toEqual([200, 200, 200, 200, 200, 201])
        const done = isReset
          ? await scene.anonymous.put(accountPath, {
              resetPasswordToken: await askForReset(scene, { username }, person.email),
              ...newPasswordTwice,
            })
          : await here.ask('PUT', accountPath, { body: { currentPassword: password, ...newPasswordTwice } })
        expect(done.status).toBe(200)
        expect(await ways()).toEqual([isReset ? 401 : 200, 401, 401, 401, 401, 401])
      }
    })

    test('a link is good for a day', async () => {
      const person = await settle(scene)
      const resetPasswordToken = await askForReset(scene, { email: person.email }, person.email)
      const before = scene.now
      scene.now = new Date(before.getTime() + 24 * 3600_000 - 1000)
      expect(
        (
          await scene.anonymous.put(accountPath, {
            resetPasswordToken,
            password: 'short',
            passwordConfirmation: 'short',
          })
        ).status,
      ).toBe(400)
      scene.now = new Date(before.getTime() + 24 * 3600_000)
      expect((await scene.anonymous.put(accountPath, { resetPasswordToken, ...newPasswordTwice })).status).toBe(422)
      scene.now = before
    })

    testAll('a bad password leaves the link good', async () => {
      const person = await settle(scene)
      const resetPasswordToken = await askForReset(scene, { email: person.email }, person.email)
      const bad = await scene.anonymous.put(accountPath, {
        resetPasswordToken,
        password: newPassword,
        passwordConfirmation: 'other',
      })
      expect([bad.status, bad.body.errors[0].pointer]).toEqual([400, '/passwordConfirmation'])
      expect((await scene.anonymous.put(accountPath, { resetPasswordToken, ...newPasswordTwice })).status).toBe(200)
    })

    testAll('a link for a password confirms no address', async () => {
      const person = await settle(scene)
      const resetPasswordToken = await askForReset(scene, { email: person.email }, person.email)
      expect((await scene.anonymous.put(accountPath, { resetPasswordToken, email: person.email })).status).toBe(422)
    })

    test('the answer is the same for everybody', async () => {
      const person = await settle(scene)
      const responses = [
        { email: person.email },
        { username: person.username },
        { email: 'nobody@example.org' },
        { username: 'nobody-at-all' },
        { email: 'no address' },
        { username: 'a'.repeat(300) },
        { email: person.email, username: 'nobody-at-all' },
      ]
      const answers = await Promise.all(responses.map(body => scene.anonymous.put(accountPath, body)))
      const shapes = answers.map(({ status, text, headers }) => [status, text, [...headers.keys()].sort().join()])
      expect(new Set(shapes.map(String)).size).toBe(1)
      expect(shapes[0]?.slice(0, 2)).toEqual([200, ''])
    })

    test.each(everyThird(['ＰＥＲＳＯＮ', 'perѕon', 'person\u0000', ' person']))(
      'an address that only looks like another one (%j) never gets the mail',
      async local => {
        const person = await settle(scene)
        const number = person.username.replace('person', '')
        await scene.anonymous.put(accountPath, { email: `${local}${number}@example.org` })
        await scene.anonymous.put(accountPath, { email: `${person.email}\n` })
        await scene.service.idle()
        const strange = scene.server.deliveries.filter(({ to }) =>
          to.some(address => !/^[\w.+-]+@example\.org$/.test(address)),
        )
        expect(strange).toEqual([])
      },
    )

    test('an account that an administrator has closed gets no mail', async () => {
      const person = await settle(scene)
      const closed = await scene.service
        .as('admin')
        .patch(`/api/rest/userCredentials/${person.pk}`, { active: false }, { 'Content-Type': 'application/json' })
      expect(closed.status).toBe(200)
      expect((await scene.anonymous.put(accountPath, { email: person.email })).status).toBe(200)
      await scene.service.idle()
      expect(scene.server.deliveries.filter(mailFor(person.email, /password|confirm/i)).length).toBe(1)
    })
  })

  test('what was secret is in no audit, no outbox and no description', async () => {
    expect(tokensSent(scene).length).toBeGreaterThan(10)
    await expectSecretsKept(scene)
  })
})
