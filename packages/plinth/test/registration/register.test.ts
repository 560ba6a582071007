// Registration: responses do not reveal who is registered, and only the owner of a mailbox can confirm it.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import {
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
import { startService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  test.each(['account', 'accounts'])('POST %s makes a user who can sign in once the mail is answered', async path => {
    const person = newPerson()
    const registered = await scene.anonymous.post(
      `/api/auth/${path}`,
      bodyOf(person, { firstName: 'Ada', locale: 'en' }),
    )
    expect([registered.status, registered.body]).toMatchObject([
      201,
      { username: person.username, active: false, roles: [{ authority: 'ROLE_USER' }], firstName: 'Ada' },
    ])
    expect(registered.text).not.toContain(person.password)
    expect(registered.headers.getSetCookie()).toEqual([])
    expect((await signIn(scene, person)).status).toBe(401)
    const resetPasswordToken = await confirmationFor(scene, person)
    const confirmed = await scene.anonymous.put(`/api/auth/${path}`, { username: person.username, resetPasswordToken })
    expect([confirmed.status, confirmed.body.active]).toEqual([200, true])
    expect((await signIn(scene, person)).status).toBe(201)
    expect((await signIn(scene, { ...person, username: person.email.toUpperCase() })).status).toBe(201)
    const device = await deviceOf(scene, person)
    const details = await device.get(`/api/rest/contactDetails/${confirmed.body.pk}`, { Accept: 'application/json' })
    expect(details.body.primaryEmail).toMatchObject({ email: person.email, value: person.email, verified: true })
    const personal = await device.get(`/api/rest/personalDetails/${confirmed.body.pk}`, { Accept: 'application/json' })
    expect(personal.body.birthDay).toBeNull()
  })

  test('the link leads to the client under the address of the service, whatever the Host header says', async () => {
    const person = newPerson()
    await scene.anonymous.post('/api/auth/account', bodyOf(person), { 'X-Forwarded-Host': 'evil.example' })
    const { mail } = await scene.server.next(mailFor(person.email))
    expect(mail.text).toContain(`${scene.service.url}/client/confirm#username=${person.username}&token=`)
    expect(mail.text).not.toContain('evil')
  })

  test('the mail speaks the language that was asked for', async () => {
    const person = newPerson()
    await scene.anonymous.post('/api/auth/account', bodyOf(person, { locale: 'de-AT' }))
    const { mail } = await scene.server.next(mailFor(person.email))
    expect(mail.subject).toBe('Bitte bestätigen Sie Ihre Registrierung')
    expect(mail.html).toContain('<html lang="de">')
  })

  test('without a username one is made up that does not show the address', async () => {
    const { email, password } = newPerson()
    const made = await scene.anonymous.post('/api/auth/account', { email, password, passwordConfirmation: password })
    expect(made.status).toBe(201)
    expect(made.body.username).not.toContain('@')
  })

  test('the answer can be XML', async () => {
    const made = await scene.anonymous.post('/api/auth/account', bodyOf(newPerson()), { Accept: 'application/xml' })
    expect([made.status, made.headers.get('content-type')]).toEqual([201, 'application/xml'])
    expect(made.text).toContain('<roles><authority>ROLE_USER</authority></roles>')
  })

  test('a known address gets the same answer, and its owner a mail that opens nothing', async () => {
    const owner = await settle(scene, newPerson(), { locale: 'de' })
    const stranger = { ...newPerson(), email: owner.email }
    const [known, unknown] = [
      await scene.anonymous.post('/api/auth/account', bodyOf(stranger)),
      await scene.anonymous.post('/api/auth/account', bodyOf(newPerson())),
    ]
    expect(known.status).toBe(unknown.status)
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body))
    expect(known.body).toMatchObject({ username: stranger.username, active: false })
    const names = (headers: Headers) => [...headers.keys()].sort()
    expect(names(known.headers)).toEqual(names(unknown.headers))
    const { mail } = await scene.server.next(mailFor(owner.email, /bereits ein Konto/))
    expect(mail.text).toContain(owner.username)
    expect(mail.text).not.toContain(stranger.username)
    expect(mail.text).not.toContain('token=')
    expect((await signIn(scene, stranger)).status).toBe(401)
    expect((await signIn(scene, owner)).status).toBe(201)
  })

  test('a taken username is refused, whether or not the address is known', async () => {
    const owner = await settle(scene)
    for (const email of [owner.email, newPerson().email]) {
      const taken = await scene.anonymous.post('/api/auth/account', bodyOf({ ...owner, email }))
      expect([taken.status, taken.body.code]).toEqual([409, 'taken'])
      const folded = { ...owner, email, username: owner.username.toUpperCase() }
      expect((await scene.anonymous.post('/api/auth/account', bodyOf(folded))).status).toBe(409)
    }
    // The same registration twice: what the second one says must not depend on the address either.
    for (const email of [owner.email, newPerson().email]) {
      const twice = bodyOf({ ...newPerson(), email })
      expect((await scene.anonymous.post('/api/auth/account', twice)).status).toBe(201)
      expect((await scene.anonymous.post('/api/auth/account', twice)).status).toBe(409)
    }
  })

  test('of two who register with one address, the one who answers the mail has it, and the other is gone', async () => {
    const [first, second] = [newPerson(), newPerson()]
    const email = first.email
    await scene.anonymous.post('/api/auth/account', bodyOf(first))
    await scene.anonymous.post('/api/auth/account', bodyOf({ ...second, email }))
    const mailOf = (username: string) =>
      scene.server.next(one => mailFor(email)(one) && `${one.mail.text}`.includes(`=${username}&`))
    const [early, late] = [tokenIn(await mailOf(first.username)), tokenIn(await mailOf(second.username))]
    expect((await scene.anonymous.put('/api/auth/account', { email, resetPasswordToken: late })).status).toBe(200)
    expect((await scene.anonymous.put('/api/auth/account', { email, resetPasswordToken: early })).status).toBe(422)
    expect((await signIn(scene, { ...second, username: email })).status).toBe(201)
    expect((await signIn(scene, first)).status).toBe(401)
    expect(
      (
        await scene.service
          .as('admin')
          .get(`/api/rest/users?username=${first.username}`, { Accept: 'application/json' })
      ).body.content,
    ).toEqual([])
  })

  test('of twenty who register one username at once, one has it', async () => {
    const { username } = newPerson()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        scene.anonymous.post(
          '/api/auth/account',
          bodyOf({ ...newPerson(), username: at % 2 ? username : username.toUpperCase() }),
        ),
      ),
    )
    const count = (status: number) => replies.filter(reply => reply.status === status).length
    expect([count(201), count(409)]).toEqual([1, 19])
  })

  test('a token is good once, for one user, for a day, and not for a password', async () => {
    const [person, other] = [newPerson(), newPerson()]
    for (const one of [person, other]) await scene.anonymous.post('/api/auth/account', bodyOf(one))
    const resetPasswordToken = await confirmationFor(scene, person)
    const put = (body: object) => scene.anonymous.put('/api/auth/account', body)
    const password = 'another correct horse'
    const refused = [
      await put({ username: other.username, resetPasswordToken }),
      await put({ email: other.email, resetPasswordToken }),
      await put({ resetPasswordToken, password, passwordConfirmation: password }),
      await put({ username: person.username, resetPasswordToken: `${resetPasswordToken}x` }),
      await put({ username: person.username, resetPasswordToken: '' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
    expect((await put({ resetPasswordToken })).status).toBe(400)
    const both = await Promise.all([1, 2, 3, 4].map(() => put({ username: person.username, resetPasswordToken })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
    const late = await confirmationFor(scene, other)
    const before = scene.now
    scene.now = new Date(before.getTime() + 24 * 3600_000)
    expect((await put({ username: other.username, resetPasswordToken: late })).status).toBe(422)
    scene.now = before
  })

  test.each<[string, object, string]>([
    ['no address', { email: undefined }, '/email'],
    ['an address without a host', { email: 'ada' }, '/email'],
    ['two addresses', { email: 'a@example.org,b@example.org' }, '/email'],
    ['an address with a line break', { email: 'a@example.org\r\nBcc: b@example.org' }, '/email'],
    ['an address in look-alike letters', { email: 'mıke@example.org' }, '/email'],
    ['an address in full-width letters', { email: 'ａｄａ@example.org' }, '/email'],
    ['an address that folds to another', { email: 'straße@example.org' }, '/email'],
    ['a list for an address', { email: ['a@example.org'] }, '/email'],
    ['a username that is an address', { username: 'a@example.org' }, '/username'],
    ['a username with a colon', { username: 'a:b' }, '/username'],
    ['a short password', { password: 'short', passwordConfirmation: 'short' }, '/password'],
    ['a common password', { password: 'password1', passwordConfirmation: 'password1' }, '/password'],
    ['a number for a password', { password: 12345678901, passwordConfirmation: 12345678901 }, '/password'],
    ['another confirmation', { passwordConfirmation: 'something else' }, '/passwordConfirmation'],
    ['no confirmation', { passwordConfirmation: undefined }, '/passwordConfirmation'],
    ['an odd locale', { locale: '../../etc' }, '/locale'],
    ['a NUL in a name', { firstName: 'a\0b' }, '/firstName'],
  ])('%s is refused and nothing is written', async (_, change, pointer) => {
    const person = newPerson()
    const refused = await scene.anonymous.post('/api/auth/account', bodyOf(person, change))
    expect(refused.status).toBe(400)
    expect(refused.body.errors.map((fault: { pointer: string }) => fault.pointer)).toContain(pointer)
    expect(refused.text).not.toContain(person.password)
    const found = await scene.service
      .as('admin')
      .get(`/api/rest/users?username=${person.username}`, { Accept: 'application/json' })
    expect(found.body.content).toEqual([])
  })

  test('what a newcomer may not choose is not taken over', async () => {
    const person = newPerson()
    const more = {
      pk: '00000000-0000-7000-8000-00000000dead',
      roles: ['ROLE_ADMIN'],
      active: true,
      emailHash: 'x',
      metadata: { a: 'b' },
    }
    const made = await scene.anonymous.post('/api/auth/account', bodyOf(person, more))
    expect(made.body).toMatchObject({ active: false, roles: [{ authority: 'ROLE_USER' }], metadata: {} })
    expect(made.body.pk).not.toBe(more.pk)
  })

  test.each(['[]', 'null', '"x"', '{', ''])('the body %j is refused', async body => {
    const headers = { 'Content-Type': 'application/json' }
    expect((await scene.anonymous('/api/auth/account', { method: 'POST', body, headers })).status).toBe(400)
  })

  test('the confirmation mail is sent again on request, but not without limit', async () => {
    const person = newPerson()
    await scene.anonymous.post('/api/auth/account', bodyOf(person))
    const first = await confirmationFor(scene, person)
    for (let at = 0; at < 9; at++) await scene.anonymous.put('/api/auth/account', { username: person.username })
    await scene.server.next(one => mailFor(person.email)(one) && tokenIn(one) !== first)
    await scene.service.idle()
    expect(scene.server.deliveries.filter(mailFor(person.email))).toHaveLength(5)
    expect(
      (await scene.anonymous.put('/api/auth/account', { email: person.email, resetPasswordToken: first })).status,
    ).toBe(200)
  })
})

testAll('an unconfirmed registration is removed after a week, and its code can be used again', async () => {
  const scene = await setScene('postgres', { 'app.registration.forceCodes': 'true' })
  const admin = scene.service.as('admin')
  const batch = (await admin.post('/api/rest/registrationCodeBatches', { name: 'one', batchSize: 1 }, json)).body
  const [code] = (await admin.get(`/api/rest/registrationCodeBatches/${batch.pk}/codes`, json)).body.content
  const [late, confirmed] = [newPerson(), 'simple']
  await scene.anonymous.post('/api/auth/account', bodyOf(late, { registrationCode: code.pk }))
  const countOf = async (username: string) =>
    (await admin.get(`/api/rest/users?username=${username}`, json)).body.content.length
  expect(await countOf(late.username)).toBe(1)
  const week = 7 * 24 * 3600_000
  const settings = { 'app.modules': '', 'app.database.url': scene.service.database }
  const later = await startService('postgres', { settings, clock: () => new Date(scene.now.getTime() + week) })
  try {
    await until('the late registration to be removed', async () => (await countOf(late.username)) === 0)
    expect(await countOf(confirmed)).toBe(1)
    expect((await admin.get(`/api/rest/userRegistrationCodes/${code.pk}`, json)).body.available).toBe(true)
  } finally {
    await later.stop()
    await scene.stop()
  }
})
