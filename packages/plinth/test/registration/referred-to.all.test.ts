// Registrations that records of a store refer to cannot be removed, and they do not block other users.

import { featureDatabases } from '@plinth/test-kit/databases'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { accountPath } from '@plinth/test-kit/new-passwords'
import {
  bodyOf,
  json,
  mailFor,
  type NewPerson,
  newPerson,
  type RegistrationScene,
  setScene,
  signIn,
  tokenIn,
} from '@plinth/test-kit/registering'
import { describe, expect, onTestFinished, test } from 'vitest'

const register = async (scene: RegistrationScene, person: NewPerson, more: object = {}): Promise<string> =>
  (await scene.anonymous.post(accountPath, bodyOf(person, more))).body.pk

const makeClient = async (scene: RegistrationScene, user: string): Promise<void> => {
  expect((await scene.service.as('staff').post('/api/rest/clients', { user }, json)).status).toBe(201)
}

const statusOf = async ({ service }: RegistrationScene, pk: string): Promise<number> =>
  (await service.as('admin').get(`/api/rest/users/${pk}`, json)).status

describe.each(featureDatabases(import.meta.url))('on %s', { timeout: 120_000 }, database => {
  /** Opens a store on the data of the demo. */
  const keepStore = async () => {
    const kept = await keepDatabase(database)
    onTestFinished(kept.remove)
    return async (): Promise<RegistrationScene> => {
      const scene = await setScene(database, { ...kept.settings, 'app.modules': 'rental' })
      onTestFinished(scene.stop)
      return scene
    }
  }

  test('an old one stays, and those after it are removed', async () => {
    const open = await keepStore()
    const before = await open()
    before.now = new Date('2029-12-20T12:00:00Z')
    const [client, other] = [await register(before, newPerson()), await register(before, newPerson())]
    await makeClient(before, client)
    const after = await open()
    await expect.poll(() => statusOf(after, other), { timeout: 20_000 }).toBe(404)
    expect(await statusOf(after, client)).toBe(200)
  })

  test('the owner of the address confirms it, and the other can never do so', async () => {
    const open = await keepStore()
    const scene = await open()
    const admin = scene.service.as('admin')
    const batch = { name: 'one', batchSize: 1, expirationDate: '2031-01-01T00:00:00.000Z' }
    const { body: made } = await admin.post('/api/rest/registrationCodeBatches', batch, json)
    const codes = `/api/rest/registrationCodeBatches/${made.pk}/codes`
    const [code] = (await admin.get(codes, json)).body.content
    const owner = newPerson()
    const rival = { ...newPerson(), email: owner.email }
    const pk = await register(scene, rival, { registrationCode: code.pk })
    const token = tokenIn(await scene.server.next(mailFor(rival.email)))
    await makeClient(scene, pk)
    await register(scene, owner)
    const own = await scene.server.next(delivery => mailFor(owner.email)(delivery) && tokenIn(delivery) !== token)
    const confirmed = await scene.anonymous.put(accountPath, {
      username: owner.username,
      resetPasswordToken: tokenIn(own),
    })
    expect(confirmed.status).toBe(200)
    expect((await signIn(scene, owner)).status).toBe(201)
    const tried = await scene.anonymous.put(accountPath, { username: rival.username, resetPasswordToken: token })
    expect(tried.status).toBe(422)
    expect((await signIn(scene, rival)).status).toBe(401)
    const credentials = await admin.get(`/api/rest/userCredentials/${pk}`, json)
    expect(credentials.body).toMatchObject({
      active: false,
      inactivationDate: '2030-01-01T12:00:00.000Z',
      inactivationReason: 'Another user has confirmed the e-mail address.',
    })
    expect((await admin.get(codes, json)).body.content).toMatchObject([{ available: true }])
    const { events } = (await admin.get('/api/management/auditevents?type=USER_DEACTIVATED')).body
    expect(events).toMatchObject([{ principal: null, data: { user: rival.username, address: '127.0.0.1' } }])
  })
})
