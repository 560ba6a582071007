// Webhooks that modules declare: kept as records at each start, signed with the secret of a setting, closed to changes.

import { featureDatabases, featureTest } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { type KeptDatabase, keepDatabase } from '@plinth/test-kit/kept-database'
import type { DemoUser } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import {
  choice,
  defineApp,
  defineModule,
  defineResource,
  defineSettings,
  defineWebhook,
  secret,
  setting,
  text,
} from '../../src/index.ts'
import type { AppDefinition, WebhookDefinition } from '../../src/module.ts'
import { clientFor, type TestClient } from '../../src/testing/client.ts'
import { until } from '../../src/testing/waiting.ts'
import { isSignedWith, startReceiver, type WebhookReceiver } from './receiver.ts'

interface ShopValues {
  readonly address: string
  readonly secret: string
}

/** The values of settings are their defaults here. */
const settingsWith = (values: ShopValues) =>
  defineSettings('app.shop', {
    webhookAddress: text({ default: values.address, about: 'Where paid orders are sent.' }),
    webhookSecret: secret({ default: values.secret, about: 'The key that signs them.' }),
  })

const orders = defineResource('orders', {
  about: 'Orders.',
  label: 'name',
  fields: { name: text({ required: true }), state: choice(['open', 'paid'], { default: 'open' }) },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

type ShopWebhook = Omit<WebhookDefinition, 'address' | 'secret'>

const paidOrders: ShopWebhook = {
  name: 'paidOrders',
  resources: [orders],
  events: ['created', 'updated'],
  condition: 'state==paid',
}

const shopWith = (values: ShopValues, ...webhooks: readonly ShopWebhook[]) => {
  const settings = settingsWith(values)
  const places = { address: setting(settings, 'webhookAddress'), secret: setting(settings, 'webhookSecret') }
  const declared = webhooks.map(one => defineWebhook({ ...one, ...places }))
  const about = 'A shop.'
  const shop = defineModule({ name: 'shop', about, settings: [settings], resources: [orders], webhooks: declared })
  return defineApp({ name: 'Shop', modules: [shop] })
}

interface Running {
  readonly as: (user: DemoUser | 'anonymous') => TestClient
  readonly stop: () => Promise<void>
}

const startShop = async (app: AppDefinition, { settings }: KeptDatabase): Promise<Running> => {
  const config = loadConfig(app, { env: {}, cwd: settings['app.dataDir'] ?? '', overrides: { ...open, ...settings } })
  const running = await createApp(app, config)
  const address = await running.listen()
  return {
    as: user => clientFor(address, user === 'anonymous' ? {} : { Authorization: `Basic ${btoa(`${user}:${user}`)}` }),
    stop: () => running.close(),
  }
}

const secretOf = (letter: string): string => `whsec_${Buffer.alloc(32, letter).toString('base64')}`

const open = {
  'server.port': '0',
  'app.demo': 'true',
  'app.log.level': 'silent',
  'app.webhooks.enabled': 'true',
  'app.webhooks.allowHttp': 'true',
  'app.webhooks.allowPrivateAddresses': 'true',
}

const json = { Accept: 'application/json, application/problem+json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let receiver: WebhookReceiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.stop())

  const valuesOf = (letter = 'a'): ShopValues => ({ address: receiver.url, secret: secretOf(letter) })

  const keep = async (): Promise<KeptDatabase> => {
    const kept = await keepDatabase(database, { 'app.modules': '' })
    onTestFinished(kept.remove)
    return kept
  }

  const start = async (...declared: readonly ShopWebhook[]): Promise<Running> => {
    const service = await startShop(shopWith(valuesOf(), ...declared), await keep())
    onTestFinished(service.stop)
    return service
  }

  const webhooksOf = async (service: Running) =>
    (await service.as('admin').get('/api/rest/webhooks', json)).body.content

  featureTest(import.meta.url, database)(
    'its changes are sent as administrators see them, signed with the secret of the setting',
    async () => {
      const service = await start(paidOrders)
      receiver.received.length = 0
      const staff = service.as('staff')
      await staff.post('/api/rest/orders', { name: 'Open' })
      const { body } = await staff.post('/api/rest/orders', { name: 'Paid', state: 'paid' })
      await staff.patch(`/api/rest/orders/${body.pk}`, { name: 'Paid in full' })
      await staff.delete(`/api/rest/orders/${body.pk}`)
      await until('two messages', () => receiver.received.length >= 2)
      await until('the log', async () => {
        const log = (await service.as('admin').get('/api/rest/webhookDeliveries', json)).body.content
        return log.every(({ state }: { state: string }) => state !== 'waiting')
      })
      expect(receiver.received.map(one => one.body.type)).toEqual(['orders.created', 'orders.updated'])
      expect(receiver.received.every(one => isSignedWith(secretOf('a'), one))).toBe(true)
    },
  )

  featureTest(import.meta.url, database)(
    'it is a record that the API shows to administrators and refuses to change',
    async () => {
      const service = await start(paidOrders)
      const [webhook] = await webhooksOf(service)
      expect(webhook).toMatchObject({
        ...{ name: 'paidOrders', declaredBy: 'shop', url: receiver.url, active: true, user: null },
        ...{ resources: ['orders'], events: ['created', 'updated'], condition: 'state==paid' },
      })
      const path = `/api/rest/webhooks/${webhook.pk}`
      const admin = service.as('admin')
      expect(JSON.stringify(webhook)).not.toContain('whsec_')
      const refused = [
        await admin.patch(path, { active: false }, json),
        await admin.delete(path, json),
        await admin.post(`${path}/rotateSecret`, {}, json),
      ]
      expect(refused.map(({ status, body }) => [status, body.detail])).toEqual(
        Array.from({ length: 3 }, () => [409, 'The module shop declares this webhook in its code; change it there.']),
      )
      expect((await service.as('anonymous').get('/api/rest/webhooks', json)).status).toBe(401)
      expect(await (await service.as('simple').get('/api/rest/webhooks', json)).body.content).toEqual([])
      expect((await service.as('simple').get(path, json)).status).toBe(404)
      expect((await service.as('anonymous').get(`/api/rest/webhookDeliveries`, json)).status).toBe(401)
      expect((await admin.post(`${path}/test`, {}, json)).body.delivered).toBe(true)
    },
  )

  test('a start changes it with its declaration and settings, and removes it with them', async () => {
    const kept = await keep()
    const restartWith = (values: ShopValues, ...declared: readonly ShopWebhook[]) =>
      startShop(shopWith(values, ...declared), kept)
    const restart = (letter: string, ...declared: readonly ShopWebhook[]) => restartWith(valuesOf(letter), ...declared)
    const first = await restart('a', paidOrders)
    const [before] = await webhooksOf(first)
    await first.stop()
    const same = await restart('a', paidOrders)
    const { version, lastModifiedDate } = before
    expect(await webhooksOf(same)).toMatchObject([{ pk: before.pk, version, lastModifiedDate }])
    await same.stop()
    const changed = await restart('b', { ...paidOrders, condition: 'state==open' })
    const [after] = await webhooksOf(changed)
    expect([after.pk, after.condition]).toEqual([before.pk, 'state==open'])
    receiver.received.length = 0
    await changed.as('staff').post('/api/rest/orders', { name: 'One' })
    await until('a message', () => receiver.received.length >= 1)
    const [message] = receiver.received
    // Receivers have a day to change over.
    expect(['a', 'b', 'c'].map(letter => message && isSignedWith(secretOf(letter), message))).toEqual([
      true,
      true,
      false,
    ])
    await changed.stop()
    const off = await restartWith({ address: '', secret: '' }, paidOrders)
    expect(await webhooksOf(off)).toMatchObject([
      { active: false, disabledReason: 'The setting app.shop.webhookAddress is empty.' },
    ])
    await off.stop()
    const without = await restart('a')
    expect(await webhooksOf(without)).toEqual([])
    await without.stop()
  })

  testAll('several instances that start at once keep one', async () => {
    const kept = await keep()
    const both = await Promise.all([1, 2].map(() => startShop(shopWith(valuesOf(), paidOrders), kept)))
    onTestFinished(async () => void (await Promise.all(both.map(({ stop }) => stop()))))
    for (const service of both) expect(await webhooksOf(service)).toHaveLength(1)
  })

  featureTest(import.meta.url, database).each<[string, Partial<ShopValues>, Partial<ShopWebhook>, string]>([
    ['an address that is none', { address: 'nowhere' }, {}, 'must be an https address'],
    ['a secret of another kind', { secret: 'a short one' }, {}, 'must be whsec_ and the base64 of 24'],
    ['a field that there is not', {}, { condition: 'stat==paid' }, "webhook 'paidOrders': the condition"],
    ['no resource', {}, { resources: [] }, "webhook 'paidOrders': needs 'resources'"],
    [
      'an event that there is not',
      {},
      { events: ['update' as 'updated'] },
      "unknown event 'update'; did you mean 'updated'?",
    ],
  ])('%s stops the start', async (_, values, wrong, message) => {
    const declared = { ...paidOrders, ...wrong }
    const starting = startShop(shopWith({ ...valuesOf(), ...values }, declared), await keep())
    const error = await starting.then(
      ({ stop }) => stop().then(() => null),
      (failure: unknown) => failure,
    )
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain(secretOf('a'))
  })
})
