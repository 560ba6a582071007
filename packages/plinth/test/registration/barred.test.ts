// An unconfirmed registration can be deactivated, and a deactivated user does not become unconfirmed again.

import { featureDatabases } from '@plinth/test-kit/databases'
import { accountPath } from '@plinth/test-kit/new-passwords'
import {
  bodyOf,
  confirmationFor,
  json,
  mailFor,
  newPerson,
  type RegistrationScene,
  setScene,
  settle,
  signIn,
} from '@plinth/test-kit/registering'
import type { Client } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  let admin: Client
  beforeAll(async () => {
    scene = await setScene(database)
    admin = scene.service.as('admin')
  })
  afterAll(() => scene.stop())

  const credentialsOf = (pk: string) => `/api/rest/userCredentials/${pk}`
  const pending = async () => {
    const person = newPerson()
    const { body } = await scene.anonymous.post(accountPath, bodyOf(person))
    return { ...person, pk: String(body.pk), token: await confirmationFor(scene, person) }
  }
  const confirm = async ({ username, token }: { username: string; token: string }) =>
    (await scene.anonymous.put(accountPath, { username, resetPasswordToken: token })).status

  test.each<[string, object]>([
    ['a reason', { inactivationReason: 'spam' }],
    ['a reason and the state', { active: false, inactivationReason: 'spam' }],
    ['a date', { inactivationDate: '2030-01-01T00:00:00.000Z' }],
  ])('an administrator bars it with %s', async (_, change) => {
    const person = await pending()
    const barred = await admin.patch(credentialsOf(person.pk), change, json)
    expect([barred.status, barred.body]).toMatchObject([200, { active: false, inactivationDate: expect.any(String) }])
    expect(await confirm(person)).toBe(422)
    const mails = scene.server.deliveries.length
    await scene.anonymous.put(accountPath, { username: person.username })
    await scene.anonymous.put(accountPath, { username: (await settle(scene)).username })
    expect(scene.server.deliveries.slice(mails).filter(mailFor(person.email))).toEqual([])
    expect((await signIn(scene, person)).status).toBe(401)
    const { events } = (await admin.get('/api/management/auditevents?type=USER_DEACTIVATED')).body
    expect(events.filter(({ data }: { data: { user: string } }) => data.user === person.username)).toHaveLength(1)
  })

  test('one that was barred can be let in', async () => {
    const person = await pending()
    await admin.patch(credentialsOf(person.pk), { inactivationReason: 'spam' }, json)
    const back = await admin.patch(credentialsOf(person.pk), { active: true }, json)
    expect(back.body).toMatchObject({ active: true, inactivationReason: null, inactivationDate: null })
    expect((await signIn(scene, person)).status).toBe(201)
  })

  test('whatever else is changed, it goes on waiting', async () => {
    const person = await pending()
    const password = 'wide open fields'
    const changed = await admin.patch(credentialsOf(person.pk), { password }, json)
    expect(changed.body).toMatchObject({ active: false, inactivationDate: null })
    expect(await confirm(person)).toBe(200)
    expect((await signIn(scene, { ...person, password })).status).toBe(201)
  })

  test('a deactivated user keeps the date, even if the record is replaced or created again', async () => {
    const { pk } = await settle(scene)
    await admin.patch(credentialsOf(pk), { active: false }, json)
    const replaced = await admin.put(credentialsOf(pk), { user: pk, active: false, inactivationReason: 'left' }, json)
    expect(replaced.body).toMatchObject({ inactivationReason: 'left', inactivationDate: expect.any(String) })
    await admin.delete(credentialsOf(pk))
    const made = await admin.post('/api/rest/userCredentials', { user: pk, active: false }, json)
    expect([made.status, made.body]).toMatchObject([201, { active: false, inactivationDate: expect.any(String) }])
  })
})
