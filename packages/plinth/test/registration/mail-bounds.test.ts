// Whatever strangers do, one mailbox gets so many mails and no more, and none of them advertises for others.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { linkIn } from '@plinth/test-kit/mailbox'
import { accountPath } from '@plinth/test-kit/new-passwords'
import {
  bodyOf,
  fragmentOf,
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

const days = 24 * 3600_000

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  /** Counts mails once every request for a new password has been answered. */
  const mailsTo = async (email: string, purpose: string): Promise<number> => {
    const { store } = scene.service.app.platform
    await expect.poll(() => store.count(store.resource('resetRequests'), null), { timeout: 20_000 }).toBe(0)
    const { body } = await scene.service.as('admin').get(`/api/rest/mails?recipient=${email}&purpose=${purpose}`)
    return body.content.length
  }

  describe('invitations', () => {
    const path = '/api/rest/invitations'

    test('of one user to one person go out once a month', async () => {
      const inviting = async (email: string) => {
        const { body } = await scene.service.as('client').post(path, { recipients: [{ email }] }, json)
        return [body.invited, body.duplicate]
      }
      expect(await inviting('once@example.org')).toEqual([['once@example.org'], []])
      expect(await inviting('ONCE@example.org')).toEqual([[], ['ONCE@example.org']])
      expect(await mailsTo('once@example.org', 'invitation')).toBe(1)
      scene.now = new Date(scene.now.getTime() + 31 * days)
      expect(await inviting('once@example.org')).toEqual([['once@example.org'], []])
    })

    test('of many users to one person are five a day', async () => {
      const email = 'wanted@example.org'
      for (const user of ['admin', 'operator', 'staff', 'client', 'simple'] as const) {
        const { body } = await scene.service.as(user).post(path, { recipients: [{ email }] }, json)
        expect([user, body.invited]).toEqual([user, [email]])
      }
      const { username, password } = await settle(scene)
      const headers = { ...json, Authorization: `Basic ${btoa(`${username}:${password}`)}` }
      const one = await scene.anonymous.post(path, { recipients: [{ email }, { email: 'else@example.org' }] }, headers)
      expect(one.body).toMatchObject({ invited: ['else@example.org'], duplicate: [email] })
      expect(await mailsTo(email, 'invitation')).toBe(5)
      const { events } = (await scene.service.as('admin').get('/api/management/auditevents?type=INVITED')).body
      expect(events.at(-1)).toMatchObject({ principal: username, data: { count: '1' } })
    })
  })

  testAll('links to new passwords are five an hour, however the name is spelled', async () => {
    const person = await settle(scene)
    const wide = [...person.username].map(letter => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join('')
    for (const name of [
      { username: person.username },
      { username: wide },
      { username: wide.toUpperCase() },
      { username: ` ${person.username.toUpperCase()}` },
      { email: person.email },
      { username: person.email.toUpperCase() },
      { username: person.username },
      { username: wide },
    ])
      expect((await scene.anonymous.put(accountPath, name)).status).toBe(200)
    expect(await mailsTo(person.email, 'passwordReset')).toBe(5)
    scene.now = new Date(scene.now.getTime() + 61 * 60_000)
    await scene.anonymous.put(accountPath, { username: person.username })
    expect(await mailsTo(person.email, 'passwordReset')).toBe(6)
  })

  test('an address gets five confirmations an hour, however many users register with it', async () => {
    const { email } = newPerson()
    for (let at = 0; at < 4; at++) {
      const rival = { ...newPerson(), email }
      expect((await scene.anonymous.post(accountPath, bodyOf(rival))).status).toBe(201)
      for (let again = 0; again < 2; again++) await scene.anonymous.put(accountPath, { username: rival.username })
    }
    expect(await mailsTo(email, 'confirmation')).toBe(5)
  })

  testAll('an address gets five address-change mails an hour, however many users enter it', async () => {
    const email = 'entered@example.org'
    for (const at of [1, 2, 3, 4, 5, 6, 7]) {
      const { pk } = await settle(scene)
      const entered = await scene.service
        .as('admin')
        .patch(`/api/rest/contactDetails/${pk}`, { primaryEmail: { email } }, json)
      expect([at, entered.status]).toEqual([at, 200])
    }
    expect(await mailsTo(email, 'addressChange')).toBe(5)
  })

  test('a username that is an address of the web is none in a mail to a stranger, and confirmed as it is', async () => {
    const person = { ...newPerson(), username: `evil${database}.example/prize` }
    await scene.anonymous.post(accountPath, bodyOf(person))
    const delivery = await scene.server.next(mailFor(person.email))
    const link = linkIn(delivery)
    expect(fragmentOf(delivery).get('username')).toBe(person.username)
    const { text = '', html } = delivery.mail
    const said = `${text}${html}`.replaceAll(link.href, '').replaceAll(link.href.replaceAll('&', '&amp;'), '')
    expect(said).toContain(`evil${database}. example prize`)
    expect(said).not.toContain(`evil${database}.example`)
    const confirming = { username: person.username, resetPasswordToken: tokenIn(delivery) }
    expect((await scene.anonymous.put(accountPath, confirming)).status).toBe(200)
    expect((await signIn(scene, person)).status).toBe(201)
  })
})
