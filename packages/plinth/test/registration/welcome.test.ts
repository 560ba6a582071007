// Users whom an administrator creates with an address and without a password: a mail invites them to choose one.

import { featureDatabases } from '@plinth/test-kit/databases'
import { linkIn } from '@plinth/test-kit/mailbox'
import { accountPath, newPassword, newPasswordTwice } from '@plinth/test-kit/new-passwords'
import { fragmentOf, mailFor, type RegistrationScene, setScene, signIn, tokenIn } from '@plinth/test-kit/registering'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  let admin: Awaited<ReturnType<RegistrationScene['service']['as']>>
  beforeAll(async () => {
    scene = await setScene(database)
    admin = await scene.service.as('admin')
  })
  afterAll(() => scene.stop())

  const create = async (username: string, more: object = {}) => {
    const email = `${username}@example.org`
    const made = await admin.post('/api/rest/users', { username, email, ...more })
    expect(made.status).toBe(201)
    return { username, email, pk: made.body.pk as string }
  }
  const invitationTo = (email: string) => scene.server.next(mailFor(email, /You have been invited/))

  test('the link in the mail sets the password and confirms the address, once', async () => {
    const { username, email } = await create('nina')
    const mail = await invitationTo(email)
    expect(linkIn(mail).pathname).toBe('/client/reset-password')
    expect(fragmentOf(mail).get('username')).toBe(username)
    const resetPasswordToken = tokenIn(mail)
    const checked = await scene.anonymous.post('/api/auth/account/verification', { resetPasswordToken })
    expect(checked.body).toEqual({ purpose: 'welcome', takesPassword: false })
    const chosen = await scene.anonymous.put(accountPath, { username, resetPasswordToken, ...newPasswordTwice })
    expect(chosen.status).toBe(200)
    expect((await signIn(scene, { username: email, password: newPassword })).status).toBe(201)
    const again = await scene.anonymous.put(accountPath, { username, resetPasswordToken, ...newPasswordTwice })
    expect(again.status).toBe(422)
  })

  test('a request for a new password sends the invitation again, until it was accepted', async () => {
    const { username, email } = await create('nora')
    await invitationTo(email)
    await scene.anonymous.put(accountPath, { username })
    const resetPasswordToken = tokenIn(await invitationTo(email))
    await scene.anonymous.put(accountPath, { resetPasswordToken, ...newPasswordTwice })
    await scene.anonymous.put(accountPath, { username })
    await scene.server.next(mailFor(email, /[Rr]eset your password/))
  })

  test('the invitation opens nothing once the account has a password', async () => {
    const { username, email, pk } = await create('nils')
    const resetPasswordToken = tokenIn(await invitationTo(email))
    const password = 'set by an administrator'
    expect((await admin.patch(`/api/rest/userCredentials/${pk}`, { password })).status).toBeLessThan(300)
    const late = await scene.anonymous.put(accountPath, { resetPasswordToken, ...newPasswordTwice })
    expect(late.status).toBe(422)
    expect((await signIn(scene, { username, password })).status).toBe(201)
  })

  test('with a password, the mail asks to confirm the address', async () => {
    const { email } = await create('noel', { password: 'a password of seven words' })
    await scene.server.next(mailFor(email, /Confirm your e-mail address/))
  })

  test('all faults of a new user are named at once', async () => {
    const faults = { username: 'nadia', email: 'not-an-address', password: '123', locale: 'zz-klingon' }
    const refused = await admin.post('/api/rest/users', faults)
    expect(refused.status).toBe(400)
    const members = refused.body.errors.map(({ member }: { member: string }) => member)
    expect(members.sort()).toEqual(['email', 'locale', 'password'])
  })

  test('the language of a user is one that exists', async () => {
    const { pk } = await create('nele')
    expect((await admin.patch(`/api/rest/users/${pk}`, { locale: 'zz' })).body.errors[0].code).toBe('locale')
    for (const locale of ['de-AT', 'pt_BR', 'gsw'])
      expect((await admin.patch(`/api/rest/users/${pk}`, { locale })).status).toBe(200)
  })
})
