// The way of a newcomer through the audit: registered, confirmed, forgetful, moved to another address, inviting others.

import { featureDatabases } from '@plinth/test-kit/databases'
import {
  askForReset,
  bodyOf,
  confirmationFor,
  deviceOf,
  json,
  mailFor,
  newPerson,
  type RegistrationScene,
  setScene,
  settle,
  tokenIn,
} from '@plinth/test-kit/registering'
import { expect, test } from 'vitest'

interface Event {
  readonly type: string
  readonly principal: string
  readonly data: Readonly<Record<string, string>>
}

const eventsOf = async (scene: RegistrationScene, query = ''): Promise<Event[]> =>
  (await scene.service.as('admin').get(`/api/management/auditevents${query}`)).body.events

test('each step is written down under the name of the person, without any secret', async () => {
  const scene = await setScene('sqlite')
  const events = (): Promise<Event[]> => eventsOf(scene)
  try {
    const person = newPerson()
    const path = '/api/auth/account'
    await scene.anonymous.post(path, bodyOf(person))
    const confirmation = await confirmationFor(scene, person)
    const confirmed = await scene.anonymous.put(path, { email: person.email, resetPasswordToken: confirmation })
    const resetPasswordToken = await askForReset(scene, { username: person.username }, person.email)
    const password = 'quite another passphrase'
    await scene.anonymous.put(path, { resetPasswordToken, password, passwordConfirmation: password })
    const device = await deviceOf(scene, { ...person, password })
    const { email } = newPerson()
    await device.patch(`/api/rest/contactDetails/${confirmed.body.pk}`, { primaryEmail: { email } }, json)
    const moved = tokenIn(await scene.server.next(mailFor(email)))
    await device.put(path, { username: person.username, resetPasswordToken: moved, currentPassword: password })
    await device.put(path, {
      currentPassword: password,
      password: person.password,
      passwordConfirmation: person.password,
    })
    await device.post('/api/rest/invitations', { recipients: [{ email: 'guest@example.org' }] })
    await device.delete('/api/auth/userDetails')
    const own = (await events()).filter(({ principal }) => principal === person.username)
    expect(own.map(({ type }) => type)).toEqual([
      'REGISTERED',
      'REGISTRATION_CONFIRMED',
      'PASSWORD_RESET_REQUESTED',
      'PASSWORD_CHANGED',
      'AUTHENTICATION_SUCCESS',
      'AUTHENTICATION_SUCCESS',
      'EMAIL_CHANGED',
      'AUTHENTICATION_SUCCESS',
      'PASSWORD_CHANGED',
      'INVITED',
      'SIGNED_OUT',
    ])
    for (const { type, data } of own) expect([type, data.address]).toEqual([type, '127.0.0.1'])
    expect(own.find(({ type }) => type === 'EMAIL_CHANGED')?.data).toEqual({
      former: 'p***@example.org',
      email: 'p***@example.org',
      address: '127.0.0.1',
    })
    const text = JSON.stringify(await events())
    for (const secret of [person.password, password, confirmation, resetPasswordToken, moved])
      expect(text).not.toContain(secret)
  } finally {
    await scene.stop()
  }
})

test.each(featureDatabases(import.meta.url))(
  'who enters an address for another is written down, and who confirms it, on %s',
  async database => {
    const scene = await setScene(database)
    const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
    try {
      const person = await settle(scene)
      const details = `/api/rest/contactDetails/${person.pk}`
      const operator = scene.service.as('operator')
      await operator.patch(details, { primaryEmail: { email: 'quite.another@example.com' } }, json)
      const entered = { user: person.username, former: 'p***@example.org', email: 'q***@example.com' }
      expect(await eventsOf(scene, '?type=EMAIL_ENTERED')).toMatchObject([
        { principal: 'operator', data: { ...entered, address: '127.0.0.1' } },
      ])
      const resetPasswordToken = tokenIn(await scene.server.next(mailFor('quite.another@example.com')))
      const body = { username: person.username, resetPasswordToken, currentPassword: person.password }
      expect((await operator.put('/api/auth/account', body)).status).toBe(200)
      expect(await eventsOf(scene, '?type=EMAIL_CHANGED')).toMatchObject([
        { principal: 'operator', data: { ...entered, address: '127.0.0.1' } },
      ])
      const device = await deviceOf(scene, person)
      await device.patch(details, { primaryEmail: { email: 'own@example.com' } }, json)
      expect(await eventsOf(scene, '?type=EMAIL_ENTERED')).toHaveLength(1)
    } finally {
      await scene.stop()
    }
  },
)
