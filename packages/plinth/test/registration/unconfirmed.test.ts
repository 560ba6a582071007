// Signing in before the address is confirmed: only the right password gets the reason.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, testAll } from '@plinth/test-kit/extent'
import { accountPath } from '@plinth/test-kit/new-passwords'
import {
  askForReset,
  bodyOf,
  confirmationFor,
  json,
  mailFor,
  newPerson,
  type RegistrationScene,
  setScene,
  settle,
} from '@plinth/test-kit/registering'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const paths = ['/api/auth/jwt/access', '/api/auth/basic', '/api/auth/userDetails', '/apiauth/userDetails']

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  const register = async (person = newPerson()) => {
    expect((await scene.anonymous.post(accountPath, bodyOf(person))).status).toBe(201)
    return person
  }

  describe('signing in', () => {
    test.each(everyThird(paths))('with the right password at %s says that the address is not confirmed', async path => {
      const { username, email, password } = await register()
      for (const name of [{ username }, { email }, { username: email.toUpperCase() }]) {
        const refused = await scene.anonymous.post(path, { ...name, password })
        expect([refused.status, refused.body.code]).toEqual([401, 'email_unconfirmed'])
        expect(refused.headers.getSetCookie()).toEqual([])
      }
    })

    test('with a wrong password is answered like an account that does not exist', async () => {
      const { username, email } = await register()
      const answers = []
      for (const name of [{ username }, { email }, { username: 'nobody-at-all' }, { email: 'nobody@example.org' }]) {
        const accept = { Accept: 'application/problem+json' }
        const { status, text } = await scene.anonymous.post(
          paths[0] ?? '',
          { ...name, password: 'a wrong one' },
          accept,
        )
        answers.push(`${status} ${text}`)
      }
      expect(new Set(answers).size).toBe(1)
      expect(answers[0]).toMatch(/^401 .*"unauthorized"/)
    })

    test('a closed account gets the same response as a wrong password', async () => {
      const person = await settle(scene)
      await scene.service.as('admin').patch(`/api/rest/userCredentials/${person.pk}`, { active: false }, json)
      const refused = await scene.anonymous.post(paths[0] ?? '', person)
      expect([refused.status, refused.text]).toEqual([401, ''])
    })

    test('an address that is known to be another user’s says the same as any other', async () => {
      const owner = await settle(scene)
      const rival = await register({ ...newPerson(), email: owner.email })
      const refused = await scene.anonymous.post(paths[0] ?? '', { username: rival.username, password: rival.password })
      expect([refused.status, refused.body.code]).toEqual([401, 'email_unconfirmed'])
      const byAddress = await scene.anonymous.post(paths[0] ?? '', { email: owner.email, password: rival.password })
      expect([byAddress.status, byAddress.text]).toEqual([401, ''])
    })

    testAll('is not throttled by the right password', async () => {
      const { username, password } = await register()
      for (let at = 0; at < 30; at++)
        expect((await scene.anonymous.post(paths[0] ?? '', { username, password })).body.code).toBe('email_unconfirmed')
    })
  })

  test('the mail is sent again to the address of the registration, also when asked for by address', async () => {
    const person = await register()
    const first = await confirmationFor(scene, person)
    expect((await scene.anonymous.put(accountPath, { email: person.email })).status).toBe(200)
    const isConfirmation = mailFor(person.email, /Confirm your registration/)
    await expect.poll(() => scene.server.deliveries.filter(isConfirmation).length).toBe(2)
    const done = await scene.anonymous.put(accountPath, { username: person.username, resetPasswordToken: first })
    expect(done.status).toBe(200)
  })

  describe('a link', () => {
    const check = (body: object) => scene.anonymous.post(`${accountPath}/verification`, body)

    test('to a new password is checked without being used up', async () => {
      const { username, email } = await settle(scene)
      const resetPasswordToken = await askForReset(scene, { username }, email)
      for (let at = 0; at < 2; at++) {
        const { status, body } = await check({ username, resetPasswordToken })
        expect([status, body]).toEqual([200, { purpose: 'passwordReset', takesPassword: false }])
      }
      const password = 'another long sentence'
      const reset = { username, resetPasswordToken, password, passwordConfirmation: password }
      expect((await scene.anonymous.put(accountPath, reset)).status).toBe(200)
      const used = await check({ username, resetPasswordToken })
      expect([used.status, used.body.errors[0].code]).toEqual([422, 'expired_link'])
    })

    testAll('to confirm an address says what it is for', async () => {
      const person = await register()
      const resetPasswordToken = await confirmationFor(scene, person)
      const { body } = await check({ username: person.username, resetPasswordToken })
      expect(body).toEqual({ purpose: 'confirmation', takesPassword: false })
    })

    test('that is made up, or that names another user, is refused alike', async () => {
      const [person, other] = [await settle(scene), await settle(scene)]
      const resetPasswordToken = await askForReset(scene, { username: person.username }, person.email)
      const refused = [
        await check({ username: other.username, resetPasswordToken }),
        await check({ username: person.username, resetPasswordToken: 'made-up' }),
        await check({ resetPasswordToken: 'made-up' }),
      ]
      expect(new Set(refused.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(refused[0]?.status).toBe(422)
      expect((await check({})).status).toBe(400)
    })
  })
})
