// Changing a password: by who knows the old one, and every other device is out.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { accountPath, expectSecretsKept, newPassword, newPasswordTwice } from '@plinth/test-kit/new-passwords'
import { deviceOf, type RegistrationScene, setScene, settle, signIn } from '@plinth/test-kit/registering'
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

  describe('changing it', () => {
    test.each(['account', 'accounts'])('PUT %s takes effect at once and ends every other session', async name => {
      const person = await settle(scene)
      const [here, there] = [await deviceOf(scene, person), await deviceOf(scene, person)]
      const changed = await here.put(`/api/auth/${name}`, { currentPassword: person.password, ...newPasswordTwice })
      expect([changed.status, changed.body.username]).toEqual([200, person.username])
      expect(changed.text).not.toContain(newPassword)
      expect((await here.get('/api/auth/userDetails')).status).toBe(200)
      expect((await there.get('/api/auth/userDetails')).status).toBe(401)
      expect((await there.post('/api/auth/jwt/refresh', {})).status).toBe(401)
      expect((await signIn(scene, person)).status).toBe(401)
      expect((await signIn(scene, { ...person, password: newPassword })).status).toBe(201)
    })

    test.each<[string, object, number]>(
      everyThird([
        ['the wrong current password', { currentPassword: 'wrong', ...newPasswordTwice }, 401],
        ['no current password', newPasswordTwice, 400],
        ['a bad new password', { currentPassword: 'right', password: 'short', passwordConfirmation: 'short' }, 400],
        [
          'two that differ',
          { currentPassword: 'right', password: newPassword, passwordConfirmation: `${newPassword}!` },
          400,
        ],
        ['no confirmation', { currentPassword: 'right', password: newPassword }, 400],
        ['nothing at all', {}, 400],
        ['objects', { currentPassword: { $ne: '' }, ...newPasswordTwice }, 400],
      ]),
    )('%s is refused and changes nothing', async (_, body, status) => {
      const person = await settle(scene)
      const device = await deviceOf(scene, person)
      const right =
        'currentPassword' in body && body.currentPassword === 'right' ? { currentPassword: person.password } : {}
      expect((await device.put(accountPath, { ...body, ...right })).status).toBe(status)
      expect((await signIn(scene, person)).status).toBe(201)
      expect((await device.get('/api/auth/userDetails')).status).toBe(200)
    })

    test('a password cannot be changed without signing in', async () => {
      const person = await settle(scene)
      const body = { currentPassword: person.password, ...newPasswordTwice, username: person.username }
      expect((await scene.anonymous.put(accountPath, body)).status).toBe(401)
      expect((await signIn(scene, person)).status).toBe(201)
    })

    test('a page of a foreign site cannot change it with the cookies of its visitor', async () => {
      const person = await settle(scene)
      const device = await deviceOf(scene, person)
      const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
      const refused = await device.put(accountPath, { currentPassword: person.password, ...newPasswordTwice }, headers)
      expect(refused.status).toBe(403)
      expect((await signIn(scene, person)).status).toBe(201)
    })
  })
})
