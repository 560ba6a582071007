// The way of a newcomer through the audit: registered, confirmed, forgetful, moved to another address, inviting others.

import { expect, test } from 'vitest'
import { askForReset, bodyOf, confirmationFor, deviceOf, mailFor, newPerson, setScene, tokenIn } from './people.ts'

test('each step is written down under the name of the person, without any secret', async () => {
  const scene = await setScene('sqlite')
  const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const events = async (): Promise<{ type: string; principal: string }[]> =>
    (await scene.service.as('admin').get('/api/management/auditevents')).body.events
  try {
    const person = newPerson()
    const path = '/api/auth/account'
    await scene.nobody.post(path, bodyOf(person))
    const confirmation = await confirmationFor(scene, person)
    const confirmed = await scene.nobody.put(path, { email: person.email, resetPasswordToken: confirmation })
    const resetPasswordToken = await askForReset(scene, { username: person.username }, person.email)
    const password = 'quite another passphrase'
    await scene.nobody.put(path, { resetPasswordToken, password, passwordConfirmation: password })
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
    const own = (await events()).filter(({ principal }) => principal === person.username).map(({ type }) => type)
    expect(own).toEqual([
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
    const text = JSON.stringify(await events())
    for (const secret of [person.password, password, confirmation, resetPasswordToken, moved])
      expect(text).not.toContain(secret)
  } finally {
    await scene.stop()
  }
})
