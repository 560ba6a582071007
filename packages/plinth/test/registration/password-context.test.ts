// A password that is similar to the address of its owner is refused, even from an administrator.

import { featureDatabases } from '@plinth/test-kit/databases'
import { accountPath } from '@plinth/test-kit/new-passwords'
import {
  askForReset,
  bodyOf,
  deviceOf,
  json,
  type NewPerson,
  newPerson,
  type RegistrationScene,
  setScene,
  settle,
} from '@plinth/test-kit/registering'
import type { Answer } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const password = 'Vostrikova-1'
const twice = { password, passwordConfirmation: password }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  let serial = 0
  const newcomer = (): NewPerson => {
    serial += 1
    return { ...newPerson(), email: `vostrikova${serial}@example.org` }
  }
  const credentials = (pk: string) =>
    scene.service.as('admin').patch(`/api/rest/userCredentials/${pk}`, { password }, json)

  test.each<[string, () => Promise<Answer>]>([
    ['who registers', () => scene.anonymous.post(accountPath, bodyOf({ ...newcomer(), password }))],
    [
      'who changes it',
      async () => {
        const person = await settle(scene, newcomer())
        return (await deviceOf(scene, person)).put(accountPath, { currentPassword: person.password, ...twice })
      },
    ],
    [
      'who resets it',
      async () => {
        const { username, email } = await settle(scene, newcomer())
        return scene.anonymous.put(accountPath, {
          resetPasswordToken: await askForReset(scene, { username }, email),
          ...twice,
        })
      },
    ],
    ['who makes a user', () => scene.service.as('admin').post('/api/rest/users', { ...newcomer(), password }, json)],
    ['an administrator', async () => credentials((await settle(scene, newcomer())).pk)],
    [
      'an administrator, though the address is not confirmed',
      async () => credentials((await scene.service.as('admin').post('/api/rest/users', newcomer(), json)).body.pk),
    ],
  ])('of %s', async (_, act) => {
    const { status, body } = await act()
    expect([status, body.errors]).toMatchObject([400, [{ code: 'password_like_name', member: 'password' }]])
  })
})
