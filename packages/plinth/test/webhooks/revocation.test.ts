// A new password ends the webhooks of the account: an attacker who had a session may have created them.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { accountPath, newPassword, newPasswordTwice } from '@plinth/test-kit/new-passwords'
import {
  askForReset,
  deviceOf,
  json,
  mailFor,
  type NewPerson,
  type RegistrationScene,
  setScene,
  settle,
} from '@plinth/test-kit/registering'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resetPassword } from '../../src/modules/registration/administrators.ts'
import { disableWebhooks } from '../../src/modules/webhooks/index.ts'

type Owner = NewPerson & { readonly pk: string }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  const body = { name: 'Of a thief', url: 'https://receiver.example/hook', resources: ['countries'] }
  const read = async (pk: string) => (await scene.service.as('admin').get(`/api/rest/webhooks/${pk}`, json)).body
  const disabled = async (webhook: string) => {
    const { events } = (await scene.service.as('admin').get('/api/management/auditevents?type=WEBHOOK_DISABLED')).body
    return events.filter(({ data }: { data: { webhook: string } }) => data.webhook === webhook)
  }
  const credentials = ({ pk }: Owner) => `/api/rest/userCredentials/${pk}`

  test.each<[string, (owner: Owner) => Promise<unknown>]>(
    everyThird([
      [
        'its owner changes the password',
        async owner =>
          (await deviceOf(scene, owner)).put(accountPath, { currentPassword: owner.password, ...newPasswordTwice }),
      ],
      [
        'its owner resets the password by mail',
        async ({ username, email }) => {
          const resetPasswordToken = await askForReset(scene, { username }, email)
          return scene.anonymous.put(accountPath, { resetPasswordToken, ...newPasswordTwice })
        },
      ],
      [
        'an administrator sets the password',
        owner => scene.service.as('admin').patch(credentials(owner), { password: newPassword }),
      ],
      ['an administrator deletes the credentials', owner => scene.service.as('admin').delete(credentials(owner))],
      [
        'the command line sets the password',
        ({ username: name }) =>
          resetPassword(scene.service.app.platform, { name, password: newPassword }, disableWebhooks),
      ],
    ]),
  )('a webhook is disabled when %s', async (_, change) => {
    const owner = await settle(scene)
    const thief = await deviceOf(scene, owner)
    const { pk } = (await thief.post('/api/rest/webhooks', body, json)).body
    await change(owner)
    expect(await read(pk)).toMatchObject({
      active: false,
      disabledReason: 'The password of the account was changed or deleted.',
    })
    expect(await disabled(pk)).toMatchObject([{ data: { name: body.name } }])
    expect((await thief.patch(`/api/rest/webhooks/${pk}`, { active: true }, json)).status).toBe(401)
  })

  test('webhooks of others go on', async () => {
    const [owner, other] = [await settle(scene), await settle(scene)]
    const { pk } = (await (await deviceOf(scene, other)).post('/api/rest/webhooks', body, json)).body
    await scene.service.as('admin').patch(credentials(owner), { password: newPassword })
    expect((await read(pk)).active).toBe(true)
    expect(await disabled(pk)).toEqual([])
  })

  test('the owner gets a mail about a new webhook, and about a new address', async () => {
    const owner = await settle(scene)
    const device = await deviceOf(scene, owner)
    const { pk } = (await device.post('/api/rest/webhooks', body, json)).body
    const isNews = mailFor(owner.email, /A webhook sends data to a new address/)
    const first = await scene.server.next(isNews)
    expect(first.mail.text).toContain('receiver. example')
    expect(first.mail.text).not.toContain('/hook')
    expect((await device.patch(`/api/rest/webhooks/${pk}`, { name: 'Renamed' }, json)).status).toBe(200)
    const url = 'https://other.example/hook'
    expect((await device.patch(`/api/rest/webhooks/${pk}`, { url }, json)).status).toBe(200)
    const second = await scene.server.next(delivery => delivery !== first && isNews(delivery))
    expect(second.mail.text).toContain('other. example')
  })
})
