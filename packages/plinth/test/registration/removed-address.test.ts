// A confirmed address opens the account until another is confirmed, or until an administrator takes it away: then wholly.

import { featureDatabases } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { accountPath, newPasswordTwice } from '@plinth/test-kit/new-passwords'
import {
  askForReset,
  atomic,
  bodyOf,
  confirmationFor,
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
import type { Answer, Client } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const merge = { 'Content-Type': 'application/merge-patch+json', Accept: 'application/json' }

type Settled = Awaited<ReturnType<typeof settle>>

const detailsOf = ({ pk }: { pk: string }) => `/api/rest/contactDetails/${pk}`

const ways: readonly (readonly [string, (by: Client, person: { pk: string }) => Promise<Answer>])[] = [
  ['a merge patch', (by, person) => by.patch(detailsOf(person), { primaryEmail: null }, merge)],
  ['PUT without it', (by, person) => by.put(detailsOf(person), { user: person.pk }, json)],
  ['PUT of null', (by, person) => by.put(detailsOf(person), { user: person.pk, primaryEmail: null }, json)],
  ['DELETE', (by, person) => by.delete(detailsOf(person), json)],
  [
    'an atomic operation',
    (by, { pk }) => {
      const data = { type: 'contactDetails', id: pk, attributes: { primaryEmail: null } }
      return by.post('/api/rest/operations', { 'atomic:operations': [{ op: 'update', data }] }, atomic)
    },
  ],
]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  let admin: Client
  beforeAll(async () => {
    scene = await setScene(database)
    admin = scene.service.as('admin')
  })
  afterAll(() => scene.stop())

  const byAddress = async (person: Settled) => (await signIn(scene, { ...person, username: person.email })).status
  const emailHash = async ({ pk }: Settled) => (await admin.get(`/api/rest/users/${pk}`, json)).body.emailHash
  const removals = async ({ username }: Settled) => {
    const { events } = (await admin.get('/api/management/auditevents?type=EMAIL_REMOVED')).body
    return events.filter(({ data }: { data: { user: string } }) => data.user === username)
  }

  const tested = extent(
    ways.filter(([name]) => ['a merge patch', 'an atomic operation'].includes(name)),
    ways,
  )

  test.each(tested)('it is not removed by its owner or an operator with %s', async (_, remove) => {
    const person = await settle(scene)
    const device = await deviceOf(scene, person)
    for (const by of [device, scene.service.as('operator')]) {
      const refused = await remove(by, person)
      expect(refused.status).toBe(422)
      expect(refused.text).toContain('confirm another address to replace it')
    }
    expect((await device.get(detailsOf(person), json)).body.primaryEmail).toMatchObject({ verified: true })
    expect(await byAddress(person)).toBe(201)
  })

  test.each(extent(tested.slice(-1), ways))(
    'an administrator takes it away with %s, and it opens nothing any more',
    async (_, remove) => {
      const person = await settle(scene)
      const resetPasswordToken = await askForReset(scene, { username: person.username }, person.email)
      expect((await remove(admin, person)).status).toBeLessThan(300)
      expect(await byAddress(person)).toBe(401)
      expect(await emailHash(person)).toBeNull()
      const reset = await scene.anonymous.put(accountPath, { resetPasswordToken, ...newPasswordTwice })
      expect(reset.status).toBe(422)
      const mails = scene.server.deliveries.length
      for (const name of [{ username: person.username }, { email: person.email }])
        await scene.anonymous.put(accountPath, name)
      const other = await settle(scene)
      await askForReset(scene, { username: other.username }, other.email)
      expect(scene.server.deliveries.slice(mails).filter(mailFor(person.email))).toEqual([])
      expect((await signIn(scene, person)).status).toBe(201)
      expect(await removals(person)).toMatchObject([
        { principal: 'admin', data: { former: `${person.email[0]}***@example.org`, address: expect.any(String) } },
      ])
    },
  )

  test('another account may have the address afterwards', async () => {
    const person = await settle(scene)
    await admin.patch(detailsOf(person), { primaryEmail: null }, merge)
    const heir = { ...newPerson(), email: person.email }
    await scene.anonymous.post(accountPath, bodyOf(heir))
    const mail = await scene.server.next(({ mail: { text } }) => `${text}`.includes(`=${heir.username}&`))
    await scene.anonymous.put(accountPath, { email: heir.email, resetPasswordToken: tokenIn(mail) })
    expect((await signIn(scene, { ...heir, username: heir.email })).body.username).toBe(heir.username)
  })

  testAll('one that was entered over it and never confirmed does not hide it', async () => {
    const person = await settle(scene)
    const device = await deviceOf(scene, person)
    const enter = (email: string) => device.patch(detailsOf(person), { primaryEmail: { email } }, json)
    await enter(newPerson().email)
    expect((await device.patch(detailsOf(person), { primaryEmail: null }, merge)).status).toBe(422)
    const mails = scene.server.deliveries.length
    const back = await enter(person.email.toUpperCase())
    expect(back.body.primaryEmail).toMatchObject({ verified: true })
    expect(scene.server.deliveries.slice(mails).filter(mailFor(person.email))).toEqual([])
    expect(await byAddress(person)).toBe(201)
  })

  testAll('that of a registration is cleared by administrators, and its mail is good no more', async () => {
    const person = newPerson()
    const { body } = await scene.anonymous.post(accountPath, bodyOf(person))
    const resetPasswordToken = await confirmationFor(scene, person)
    const cleared = await admin.patch(detailsOf(body), { primaryEmail: null }, merge)
    expect([cleared.status, cleared.body.primaryEmail]).toEqual([200, null])
    const late = await scene.anonymous.put(accountPath, { username: person.username, resetPasswordToken })
    expect(late.status).toBe(422)
  })

  test('an unconfirmed address of an account is removed by users who may write it', async () => {
    for (const isOwn of [true, false]) {
      const { username, password, email } = newPerson()
      const { body } = await admin.post('/api/rest/users', { username, password, email }, json)
      const by = isOwn ? await deviceOf(scene, { username, password, email }) : scene.service.as('operator')
      expect((await by.patch(detailsOf(body), { primaryEmail: null }, merge)).status).toBe(200)
      expect((await admin.get(`/api/rest/users/${body.pk}`, json)).body.emailHash).toBeNull()
    }
  })
})
