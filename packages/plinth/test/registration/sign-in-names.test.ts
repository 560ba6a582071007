// New names to sign in by: another address once it is confirmed, another username at once.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { accountPath, expectSecretsKept } from '@plinth/test-kit/new-passwords'
import {
  askForReset,
  cookiesOf,
  deviceOf,
  mailFor,
  newPerson,
  type RegistrationScene,
  setScene,
  settle,
  signIn,
  tokenIn,
} from '@plinth/test-kit/registering'
import { clientFor } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(async () => {
    await expectSecretsKept(scene)
    await scene.stop()
  })

  describe('a new address', () => {
    const changeEmail = async (person: { pk: string; username: string; password: string }, email: string) => {
      const device = await deviceOf(scene, { ...person, email })
      const patched = await device.patch(
        `/api/rest/contactDetails/${person.pk}`,
        { primaryEmail: { email } },
        { 'Content-Type': 'application/json', Accept: 'application/json' },
      )
      expect([patched.status, patched.body.primaryEmail]).toMatchObject([200, { email, verified: false }])
      return tokenIn(await scene.server.next(mailFor(email, /Confirm your e-mail address/)))
    }

    test('takes the place of the old one when its mail is answered by who knows the password', async () => {
      const person = await settle(scene)
      const { email } = newPerson()
      const resetPasswordToken = await changeEmail(person, email)
      const put = (more: object) =>
        scene.anonymous.put(accountPath, { username: person.username, resetPasswordToken, ...more })
      expect((await put({})).status).toBe(400)
      expect((await put({ currentPassword: 'wrong' })).status).toBe(401)
      expect((await signIn(scene, { ...person, username: email })).status).toBe(401)
      expect((await put({ currentPassword: person.password })).status).toBe(200)
      expect((await signIn(scene, { ...person, username: email })).status).toBe(201)
      expect((await signIn(scene, { ...person, username: person.email })).status).toBe(401)
      expect(await askForReset(scene, { username: person.username }, email)).not.toBe('')
    })

    test('gets no link to a new password before it is confirmed: that goes to the old one', async () => {
      const person = await settle(scene)
      const { email } = newPerson()
      await changeEmail(person, email)
      expect(await askForReset(scene, { username: person.username }, person.email)).not.toBe('')
      expect(scene.server.deliveries.filter(mailFor(email, /password/))).toEqual([])
    })

    test('that is another user’s can be entered and not confirmed', async () => {
      const [person, other] = [await settle(scene), await settle(scene)]
      const resetPasswordToken = await changeEmail(person, other.email)
      const body = { username: person.username, resetPasswordToken, currentPassword: person.password }
      expect((await scene.anonymous.put(accountPath, body)).status).toBe(409)
      expect((await signIn(scene, { ...other, username: other.email })).body.username).toBe(other.username)
    })

    test('cannot be marked as verified by its owner', async () => {
      const person = await settle(scene)
      const device = await deviceOf(scene, person)
      const primaryEmail = { email: newPerson().email, verified: true, value: 'x' }
      const patched = await device.patch(
        `/api/rest/contactDetails/${person.pk}`,
        { primaryEmail },
        { 'Content-Type': 'application/json', Accept: 'application/json' },
      )
      expect(patched.body.primaryEmail).toMatchObject({ verified: false, value: primaryEmail.email })
    })
  })

  describe('a new username', () => {
    test.each(['account', 'accounts'])(
      'is given at %s/username with new cookies, and the old one is free',
      async name => {
        const person = await settle(scene)
        const device = await deviceOf(scene, person)
        const username = `${person.username}-renamed`
        scene.now = new Date(scene.now.getTime() + 60_000)
        const changed = await device.put(`/api/auth/${name}/username`, { username, password: person.password })
        expect([changed.status, changed.body]).toMatchObject([200, { pk: person.pk, username, name: username }])
        const cookies = cookiesOf(changed.headers)
        expect(cookies).toMatch(/access_token=.+refresh_token=/)
        expect(cookies).not.toBe(device.cookies)
        const renewed = clientFor(scene.service.url, { Cookie: cookies })
        expect((await renewed.get('/api/auth/userDetails')).body.username).toBe(username)
        expect((await signIn(scene, person)).status).toBe(401)
        expect((await signIn(scene, { ...person, username })).status).toBe(201)
        expect((await signIn(scene, { ...person, username: person.email })).status).toBe(201)
      },
    )

    test.each<[string, (person: { password: string }) => object, number]>(
      everyThird([
        ['that is taken', ({ password }) => ({ username: 'ADMIN', password }), 409],
        ['without the password', () => ({ username: 'free-name' }), 400],
        ['with a wrong password', () => ({ username: 'free-name', password: 'wrong' }), 401],
        ['that is an address', ({ password }) => ({ username: 'a@example.org', password }), 400],
        ['that is empty', ({ password }) => ({ username: '', password }), 400],
        ['that is no text', ({ password }) => ({ username: ['a'], password }), 400],
      ]),
    )('%s is refused and changes nothing', async (_, body, status) => {
      const person = await settle(scene)
      const device = await deviceOf(scene, person)
      const refused = await device.put(`${accountPath}/username`, body(person))
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([status, []])
      expect((await signIn(scene, person)).status).toBe(201)
    })

    test('requires a sign-in', async () => {
      expect((await scene.anonymous.put(`${accountPath}/username`, { username: 'x', password: 'y' })).status).toBe(401)
    })
  })
})
