// All errors of a form are reported at once, not one after the other.

import { deviceOf, newPerson, type RegistrationScene, setScene, settle } from '@plinth/test-kit/registering'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let scene: RegistrationScene
beforeAll(async () => {
  scene = await setScene('sqlite')
})
afterAll(() => scene.stop())

const pointersOf = (body: { errors: { pointer: string }[] }): string[] => body.errors.map(({ pointer }) => pointer)

test('a registration', async () => {
  const body = { email: 'ada', username: 'a b', password: 'short', passwordConfirmation: 'other', locale: '/' }
  const refused = await scene.anonymous.post('/api/auth/account', body)
  expect(refused.status).toBe(400)
  expect(pointersOf(refused.body)).toEqual(['/email', '/username', '/locale', '/password', '/passwordConfirmation'])
  const { password: _, ...without } = { ...newPerson(), passwordConfirmation: 7 }
  expect(pointersOf((await scene.anonymous.post('/api/auth/account', without)).body)).toEqual([
    '/password',
    '/passwordConfirmation',
  ])
})

describe('a new password', () => {
  const all = ['/currentPassword', '/password', '/passwordConfirmation']

  test.each<[object, string[]]>([
    [{}, all],
    [{ password: 'a good new passphrase' }, ['/currentPassword', '/passwordConfirmation']],
    [{ currentPassword: 'whatever it is' }, ['/password', '/passwordConfirmation']],
  ])('of a signed-in user: %o', async (body, missing) => {
    const device = await deviceOf(scene, await settle(scene))
    const refused = await device.put('/api/auth/account', body)
    expect([refused.status, pointersOf(refused.body)]).toEqual([400, missing])
  })

  test('without a sign-in and without a name', async () => {
    const refused = await scene.anonymous.put('/api/auth/account', {})
    expect([refused.status, pointersOf(refused.body)]).toEqual([400, ['/email']])
  })
})
