// Confirming a new address requires the password. A correct password is never counted as a failure.

import { featureDatabases } from '@plinth/test-kit/databases'
import {
  deviceOf,
  json,
  mailFor,
  newPerson,
  type RegistrationScene,
  setScene,
  settle,
  signIn,
  tokenIn,
} from '@plinth/test-kit/registering'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database, { 'app.auth.throttle.perAccount': '3' })
  })
  afterAll(() => scene.stop())

  test('five new addresses in a row cause no lockout, and are audited as verifications', async () => {
    const person = await settle(scene)
    const device = await deviceOf(scene, person)
    const statuses: number[] = []
    for (let at = 0; at < 5; at++) {
      const { email } = newPerson()
      await device.patch(`/api/rest/contactDetails/${person.pk}`, { primaryEmail: { email } }, json)
      const resetPasswordToken = tokenIn(await scene.server.next(mailFor(email, /Confirm your e-mail address/)))
      const body = { username: person.username, resetPasswordToken, currentPassword: person.password }
      statuses.push((await scene.anonymous.put('/api/auth/account', body)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect((await signIn(scene, person)).status).toBe(201)
    const query = `type=AUTHENTICATION_SUCCESS&principal=${person.username}`
    const { events } = (await scene.service.as('admin').get(`/api/management/auditevents?${query}`)).body
    expect(events.filter(({ data }: { data: { way: string } }) => data.way === 'verification')).toHaveLength(5)
  })
})
