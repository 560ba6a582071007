// Those who may read a webhook, and not change it, can neither use it nor replace its secret.

import { startService } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'
import { webhookDeliveries } from '../../src/modules/webhooks/deliveries.ts'

const json = { Accept: 'application/json' }

test('rotation, tests and repeated deliveries need the permission to change the webhook', async () => {
  const service = await startService('sqlite', {
    settings: {
      'app.webhooks.enabled': 'true',
      'app.webhooks.allowHttp': 'true',
      'app.webhooks.allowPrivateAddresses': 'true',
      'app.access.webhooks.read': 'caller.signedIn',
      'app.access.webhookDeliveries.read': 'caller.signedIn',
    },
  })
  onTestFinished(() => service.stop())
  const body = { name: 'A receiver', url: 'http://127.0.0.1:9/', resources: ['hosts'] }
  const webhook = await service.as('admin').post('/api/rest/webhooks', body, json)
  expect(webhook).toHaveStatus(201)
  const { pk } = webhook.body
  const delivery = await service.app.platform.records.create(webhookDeliveries, {
    pk: 'd1',
    webhook: pk,
    sequence: 1,
    topic: 'hosts.created',
    resource: 'hosts',
    record: 'h',
    state: 'failed',
  })
  const other = service.as('simple')
  expect((await other.get(`/api/rest/webhooks/${pk}`, json)).status).toBe(200)
  for (const path of [
    `webhooks/${pk}/rotateSecret`,
    `webhooks/${pk}/test`,
    `webhookDeliveries/${delivery.pk}/redeliver`,
  ])
    expect([path, (await other.post(`/api/rest/${path}`, {}, json)).status]).toEqual([path, 403])
  const missing = await other.post('/api/rest/webhooks/none/rotateSecret', {}, json)
  expect(missing.status).toBe(404)
})
