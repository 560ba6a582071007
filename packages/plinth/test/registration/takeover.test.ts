// An address gives access to an account, so entering an address for another user must not give access to their account.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { accountPath } from '@plinth/test-kit/new-passwords'
import {
  atomic,
  bodyOf,
  confirmationFor,
  json,
  mailFor,
  type NewPerson,
  newPerson,
  type RegistrationScene,
  setScene,
  signIn,
  tokenIn,
} from '@plinth/test-kit/registering'
import type { Answer, Client } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const jsonApi = { 'Content-Type': 'application/vnd.api+json', Accept: 'application/vnd.api+json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  let admin: Client
  let operator: Client
  let roles: Record<string, string>
  beforeAll(async () => {
    scene = await setScene(database)
    admin = scene.service.as('admin')
    operator = scene.service.as('operator')
    const { body } = await admin.get('/api/rest/roles', json)
    roles = Object.fromEntries(body.content.map(({ name, pk }: { name: string; pk: string }) => [name, pk]))
  })
  afterAll(() => scene.stop())

  interface Made {
    readonly pk: string
    readonly username: string
    readonly details: string
  }

  const make = async (names: readonly string[], more: object = {}): Promise<Made> => {
    const { username } = newPerson()
    const body = { username, roles: names.map(name => roles[name]), ...more }
    const made = await admin.post('/api/rest/users', body, json)
    expect(made).toHaveStatus(201)
    return { pk: made.body.pk, username, details: `/api/rest/contactDetails/${made.body.pk}` }
  }

  const withPassword = { password: 'wide open fields' }
  const enter = (by: Client, { details }: Made, email: string): Promise<Answer> =>
    by.patch(details, { primaryEmail: { email } }, json)
  const tokenFor = async (email: string): Promise<string> =>
    tokenIn(await scene.server.next(mailFor(email, /Confirm your e-mail address/)))

  test('a new address of an account with a password is not confirmed without the password', async () => {
    const person = await make(['ROLE_USER'], withPassword)
    const { email } = newPerson()
    expect((await enter(operator, person, email)).status).toBe(200)
    const resetPasswordToken = await tokenFor(email)
    const put = (more: object) =>
      scene.anonymous.put(accountPath, { username: person.username, resetPasswordToken, ...more })
    const refused = await put({})
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/currentPassword'])
    expect((await put({ currentPassword: 'operator' })).status).toBe(401)
    expect((await put({ currentPassword: withPassword.password })).status).toBe(200)
  })

  test('an account without a password is opened by the address that an administrator has entered', async () => {
    const { email } = newPerson()
    const person = await make(['ROLE_ADMIN'], { email })
    const resetPasswordToken = tokenIn(await scene.server.next(mailFor(email, /You have been invited/)))
    const confirmed = await scene.anonymous.put(accountPath, { username: person.username, resetPasswordToken })
    expect(confirmed.status).toBe(200)
  })

  const ways: readonly (readonly [string, (by: Client, person: Made, email: string) => Promise<Answer>])[] = [
    ['PATCH', enter],
    ['PUT', (by, { details, pk }, email) => by.put(details, { user: pk, primaryEmail: { email } }, json)],
    [
      'a PATCH of JSON:API',
      (by, { details, pk }, email) => {
        const data = { type: 'contactDetails', id: pk, attributes: { primaryEmail: { email } } }
        return by.patch(details, { data }, jsonApi)
      },
    ],
    [
      'an atomic operation',
      (by, { pk }, email) => {
        const data = { type: 'contactDetails', id: pk, attributes: { primaryEmail: { email } } }
        return by.post('/api/rest/operations', { 'atomic:operations': [{ op: 'update', data }] }, atomic)
      },
    ],
    [
      'POST, when there are no details any more',
      async (by, { details, pk }, email) => {
        expect((await admin.delete(details)).status).toBe(204)
        return by.post('/api/rest/contactDetails', { user: pk, primaryEmail: { email } }, json)
      },
    ],
  ]

  test.each(everyThird(ways))('an operator enters no address for an administrator, by %s', async (_, write) => {
    for (const more of [withPassword, {}]) {
      const boss = await make(['ROLE_ADMIN', 'ROLE_USER'], more)
      const { email } = newPerson()
      expect((await write(operator, boss, email)).status).toBe(403)
      expect((await scene.service.as('staff').patch(boss.details, { primaryEmail: { email } }, json)).status).toBe(404)
      expect(scene.server.deliveries.filter(mailFor(email))).toEqual([])
    }
  })

  test.each(everyThird(ways))('an operator enters an address for other users, by %s', async (_, write) => {
    const person = await make(['ROLE_USER'])
    const { email } = newPerson()
    expect((await write(operator, person, email)).status).toBeLessThan(300)
    expect(await tokenFor(email)).not.toBe('')
  })

  const register = async (): Promise<Made & NewPerson> => {
    const person = newPerson()
    const { pk } = (await scene.anonymous.post(accountPath, bodyOf(person))).body
    return { ...person, pk, details: `/api/rest/contactDetails/${pk}` }
  }
  const confirm = async ({ username }: NewPerson, resetPasswordToken: string): Promise<number> =>
    (await scene.anonymous.put(accountPath, { username, resetPasswordToken })).status
  /** Waits until whatever was requested before has been answered. */
  const untilAnswered = async (): Promise<void> => {
    const last = await register()
    await confirmationFor(scene, last)
    const before = scene.server.deliveries.length
    await scene.anonymous.put(accountPath, { username: last.username })
    await scene.server.next(one => scene.server.deliveries.indexOf(one) >= before && mailFor(last.email)(one))
  }

  test.each(everyThird(ways))(
    'an operator enters no address for a registration that is not confirmed, by %s',
    async (_, write) => {
      const newcomer = await register()
      const { email } = newPerson()
      expect((await write(operator, newcomer, email)).status).toBe(403)
      await scene.anonymous.put(accountPath, { username: newcomer.username })
      await untilAnswered()
      expect(scene.server.deliveries.filter(mailFor(email))).toEqual([])
    },
  )

  test('nor does an operator remove the one that it was made with', async () => {
    const newcomer = await register()
    expect((await operator.put(newcomer.details, { user: newcomer.pk }, json)).status).toBe(403)
    expect((await operator.delete(newcomer.details)).status).toBe(403)
    expect((await operator.patch(newcomer.details, { primaryCellphone: { number: '5550100' } }, json)).status).toBe(200)
    expect(await confirm(newcomer, await confirmationFor(scene, newcomer))).toBe(200)
  })

  test('an administrator gives a registration another address, which alone confirms it', async () => {
    const newcomer = await register()
    const former = await confirmationFor(scene, newcomer)
    const { email } = newPerson()
    expect((await enter(admin, newcomer, email)).status).toBe(200)
    const next = await confirmationFor(scene, { ...newcomer, email })
    const before = scene.server.deliveries.length
    await scene.anonymous.put(accountPath, { username: newcomer.username })
    await untilAnswered()
    const sent = scene.server.deliveries.slice(before)
    expect([sent.filter(mailFor(newcomer.email)).length, sent.filter(mailFor(email)).length]).toEqual([0, 1])
    expect(await confirm(newcomer, former)).toBe(422)
    expect((await signIn(scene, newcomer)).status).toBe(401)
    expect(await confirm(newcomer, next)).toBe(200)
    expect((await signIn(scene, { ...newcomer, username: email })).status).toBe(201)
  })

  test('an address that came to a registration in another way neither confirms it nor is written to', async () => {
    const newcomer = await register()
    const resetPasswordToken = await confirmationFor(scene, newcomer)
    const emailHash = 'f'.repeat(64)
    const { store } = scene.service.app.platform
    await store.transaction(tx => tx.update(tx.resource('users'), newcomer.pk, { emailHash }))
    const before = scene.server.deliveries.length
    await scene.anonymous.put(accountPath, { username: newcomer.username })
    await untilAnswered()
    expect(scene.server.deliveries.slice(before).filter(mailFor(newcomer.email))).toEqual([])
    expect(await confirm(newcomer, resetPasswordToken)).toBe(422)
  })

  test('nor does an operator for those who have another role that the operator lacks', async () => {
    expect((await enter(operator, await make(['ROLE_STAFF']), newPerson().email)).status).toBe(403)
    expect((await enter(operator, await make(['ROLE_SITE_OPERATOR']), newPerson().email)).status).toBe(200)
    expect((await enter(admin, await make(['ROLE_STAFF']), newPerson().email)).status).toBe(200)
  })

  test('what else an operator may mend of an administrator is none of it', async () => {
    const boss = await make(['ROLE_ADMIN'], { email: newPerson().email })
    expect((await operator.patch(boss.details, { primaryCellphone: { number: '5550100' } }, json)).status).toBe(200)
    expect((await operator.delete(boss.details)).status).toBe(403)
    expect((await operator.put(boss.details, { user: boss.pk }, json)).status).toBe(403)
  })

  test('an operator takes no administrator’s name away, and may rename others', async () => {
    const [boss, person] = [await make(['ROLE_ADMIN']), await make(['ROLE_USER'])]
    const rename = ({ pk }: Made, username: string) => operator.patch(`/api/rest/users/${pk}`, { username }, json)
    expect((await rename(boss, newPerson().username)).status).toBe(403)
    expect((await rename(person, newPerson().username)).status).toBe(200)
    expect((await operator.patch(`/api/rest/users/${boss.pk}`, { description: 'The boss.' }, json)).status).toBe(200)
  })

  test('an operator has no way to another’s password, roles, second factor, sessions or mails', async () => {
    const boss = await make(['ROLE_ADMIN'], withPassword)
    const path = `/api/rest/users/${boss.pk}`
    const own = '/api/rest/users/00000000-0000-7000-8000-000000000002'
    const document = { data: [{ type: 'roles', id: roles.ROLE_ADMIN }] }
    const mails = (await admin.get('/api/rest/mails', json)).body.content
    const requests: readonly Promise<Answer>[] = [
      operator.patch(`/api/rest/userCredentials/${boss.pk}`, withPassword, json),
      operator.post('/api/rest/userCredentials', { user: boss.pk, ...withPassword }, json),
      operator.delete(`/api/rest/userCredentials/${boss.pk}/secondFactor`),
      operator.patch(path, { password: 'another open field' }, json),
      operator.patch(path, { email: newPerson().email }, json),
      operator.put(path, { username: boss.username }, json),
      operator.delete(path),
      operator.delete(`${path}/sessions`),
      operator.patch(own, { roles: [roles.ROLE_ADMIN] }, json),
      operator.post(`${own}/relationships/roles`, document, jsonApi),
      operator.get(`/api/rest/mails/${mails[0].pk}/message`),
    ]
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.filter(status => status !== 403 && status !== 404)).toEqual([])
  })

  test('metadata give no rights', async () => {
    const metadata = `/api/rest/users/00000000-0000-7000-8000-000000000005/metadata`
    for (const predicate of ['roles', 'admin', '__proto__'])
      await scene.service.as('simple').put(metadata, { predicate, object: 'ROLE_ADMIN' })
    const { body } = await scene.service.as('simple').get('/api/auth/userDetails')
    expect(body).toMatchObject({ admin: false, roles: [{ authority: 'ROLE_USER' }] })
    expect((await scene.service.as('simple').get('/api/rest/mails')).status).toBe(403)
  })
})
