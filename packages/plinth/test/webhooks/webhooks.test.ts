// Webhooks: changes reach a real receiver, signed, as far as their owner may read them.

import { createClock, days } from '@plinth/test-kit/clock'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Parsed } from '../../src/testing/client.ts'
import { until } from '../../src/testing/waiting.ts'
import { isSignedWith, startReceiver, type WebhookReceiver } from './receiver.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const json = { Accept: 'application/json' }
const open = { 'app.webhooks.enabled': 'true', 'app.webhooks.allowHttp': 'true' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const clock = createClock()
  let service: TestService
  let receiver: WebhookReceiver
  beforeAll(async () => {
    receiver = await startReceiver()
    const settings = { ...open, 'app.webhooks.allowPrivateAddresses': 'true' }
    service = await startService(database, { clock: clock.now, settings })
  })
  afterAll(async () => {
    await service?.stop()
    await receiver?.stop()
  })

  const create = async (user: 'admin' | 'simple', values: object): Promise<Parsed> => {
    const body = { name: 'A receiver', url: receiver.url, ...values }
    const made = await service.as(user).post('/api/rest/webhooks', body, json)
    expect(made).toHaveStatus(201)
    return made.body
  }
  const remove = async ({ pk }: Parsed) => {
    expect((await service.as('admin').delete(`/api/rest/webhooks/${pk}`)).status).toBe(204)
    receiver.received.length = 0
    receiver.respond(204)
  }
  const untilReceived = async (count: number) => {
    await until(`${count} messages`, () => receiver.received.length >= count)
    return receiver.received
  }
  const deliveriesOf = async ({ pk }: Parsed): Promise<Parsed[]> => {
    const search = `/api/rest/webhookDeliveries?filter=webhook.pk==${pk}&sort=sequence`
    return (await service.as('admin').get(search, json)).body.content
  }
  const addHost = async (name: string): Promise<Parsed> =>
    (await service.as('admin').post('/api/rest/hosts', { name }, json)).body

  testAll('a rotated secret signs beside the old one for a while, and a message can be sent again', async () => {
    const webhook = await create('admin', { resources: ['hosts'] })
    const path = `/api/rest/webhooks/${webhook.pk}/rotateSecret`
    expect((await service.as('simple').post(path, {}, json)).status).toBe(404)
    const rotated = await service.as('admin').post(path, { keepHours: 2 }, json)
    expect(rotated).toHaveStatus(200)
    const { secret, previousUntil } = rotated.body
    expect(Date.parse(previousUntil)).toBe(clock.now().getTime() + 2 * 3600_000)
    expect(secret).not.toBe(webhook.secret)
    await addHost('rotated.example')
    const [message] = await untilReceived(1)
    if (!message) throw new Error('nothing was received')
    expect([secret, webhook.secret].map(one => isSignedWith(one, message))).toEqual([true, true])
    await until('the log', async () => (await deliveriesOf(webhook)).every(({ state }) => state === 'delivered'))
    // A rotation without a delay ends the old secrets at once.
    const again = await service.as('admin').post(path, { keepHours: 0 }, json)
    const [delivery] = await deliveriesOf(webhook)
    const redeliver = `/api/rest/webhookDeliveries/${delivery?.pk}/redeliver`
    expect((await service.as('simple').post(redeliver, {}, json)).status).toBe(404)
    const waiting = await service.as('admin').post(redeliver, {}, json)
    expect([waiting.status, waiting.body.state, waiting.body.attempts], waiting.text).toEqual([200, 'waiting', 0])
    const [, second] = await untilReceived(2)
    if (!second) throw new Error('nothing was received again')
    expect(second.headers['webhook-id']).toBe(message.headers['webhook-id'])
    expect([again.body.secret, secret].map(one => isSignedWith(one, second))).toEqual([true, false])
    await service.as('admin').patch(`/api/rest/webhooks/${webhook.pk}`, { active: false }, json)
    expect((await service.as('admin').post(redeliver, {}, json)).status).toBe(409)
    await remove(webhook)
  })

  test('a change is sent once, signed, with the record as its owner sees it', async () => {
    const webhook = await create('admin', { resources: ['hosts', 'countries'] })
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const read = await service.as('admin').get(`/api/rest/webhooks/${webhook.pk}`, json)
    expect(read.text).not.toContain(webhook.secret)
    const host = await addHost('signed.example')
    const [message] = await untilReceived(1)
    if (!message) throw new Error('nothing was received')
    expect(message.body).toMatchObject({
      type: 'hosts.created',
      data: { type: 'created', resource: 'hosts', pk: host.pk, record: { pk: host.pk, name: 'signed.example' } },
    })
    expect(isSignedWith(webhook.secret, message)).toBe(true)
    expect(isSignedWith(webhook.secret, { ...message, text: `${message.text} ` })).toBe(false)
    expect(Number(message.headers['webhook-timestamp'])).toBe(clock.now().getTime() / 1000)
    await service.as('admin').delete(`/api/rest/hosts/${host.pk}`)
    const [, second] = await untilReceived(2)
    expect(second?.body).toMatchObject({ type: 'hosts.deleted', data: { type: 'deleted', pk: host.pk } })
    await until('the log', async () => (await deliveriesOf(webhook)).every(({ state }) => state === 'delivered'))
    const log = await deliveriesOf(webhook)
    expect(log.map(({ topic, attempts, responseStatus }) => [topic, attempts, responseStatus])).toEqual([
      ['hosts.created', 1, 204],
      ['hosts.deleted', 1, 204],
    ])
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual(log.map(({ pk }) => `msg_${pk}`))
    await remove(webhook)
  })

  test('a condition selects records, and nothing is sent that the owner may not read', async () => {
    const filtered = await create('admin', { resources: ['hosts'], condition: 'name==wanted*' })
    const foreign = await create('simple', { resources: ['mails', 'errorLogs'] })
    await service.as('admin').post('/api/rest/errorLogs', { stacktrace: 'at once' }, json)
    await addHost('unwanted.example')
    await addHost('wanted.example')
    await untilReceived(1)
    await until('the log', async () => (await deliveriesOf(filtered)).length === 1)
    expect(receiver.received.map(({ body }) => body.data.record.name)).toEqual(['wanted.example'])
    expect(await deliveriesOf(foreign)).toEqual([])
    for (const [user, count] of [
      ['simple', 0],
      ['admin', 1],
    ] as const) {
      const search = `/api/rest/webhookDeliveries?filter=webhook.pk==${filtered.pk}`
      expect((await service.as(user).get(search, json)).body.content).toHaveLength(count)
    }
    await remove(filtered)
    await remove(foreign)
  })

  test.each(['description==wanted', 'description==want*;description!=wanting'])(
    'with the condition %s, a record that begins to match is created, and one that ceases to match is deleted',
    async condition => {
      const webhook = await create('admin', { resources: ['hosts'], condition })
      const host = await addHost(`changing-${condition.length}.example`)
      const change = async (values: object) =>
        expect((await service.as('admin').patch(`/api/rest/hosts/${host.pk}`, values, json)).status).toBe(200)
      await change({ description: 'other' })
      await change({ description: 'wanted' })
      await change({ aliases: [`www.${host.name}`] })
      await change({ description: 'unwanted' })
      await change({ description: 'still other' })
      await change({ description: 'wanted' })
      await service.as('admin').delete(`/api/rest/hosts/${host.pk}`)
      const types = ['created', 'updated', 'deleted', 'created', 'deleted']
      await untilReceived(types.length)
      expect(receiver.received.map(({ body }) => body.type)).toEqual(types.map(type => `hosts.${type}`))
      await remove(webhook)
    },
  )

  test('a failed delivery is tried again with the same identifier, later each time', async () => {
    receiver.respond(500)
    const webhook = await create('admin', { resources: ['hosts'] })
    await addHost('retried.example')
    const waiting = async (attempts: number) => {
      await until(`attempt ${attempts}`, async () => (await deliveriesOf(webhook))[0]?.attempts === attempts)
      const [delivery] = await deliveriesOf(webhook)
      return Date.parse(delivery?.nextAttempt) - clock.now().getTime()
    }
    const first = await waiting(1)
    expect((await deliveriesOf(webhook))[0]).toMatchObject({ state: 'waiting', responseStatus: 500 })
    clock.pass(first)
    const second = await waiting(2)
    expect(second).toBeGreaterThan(first)
    // Redirects could lead to addresses that are not allowed.
    receiver.respond(302, { Location: receiver.url })
    clock.pass(second)
    const third = await waiting(3)
    expect((await deliveriesOf(webhook))[0]).toMatchObject({ lastError: 'The receiver responded with 302.' })
    expect((await service.as('admin').get(`/api/rest/webhooks/${webhook.pk}`, json)).body.failingSince).not.toBeNull()
    receiver.respond(200)
    clock.pass(third)
    await until('the delivery', async () => (await deliveriesOf(webhook))[0]?.state === 'delivered')
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await service.as('admin').get(`/api/rest/webhooks/${webhook.pk}`, json)).body.failingSince).toBeNull()
    await remove(webhook)
  })

  testAll('a webhook whose receiver keeps failing, or is gone, is disabled', async () => {
    const read = async ({ pk }: Parsed) => (await service.as('admin').get(`/api/rest/webhooks/${pk}`, json)).body
    receiver.respond(503)
    const lasting = await create('admin', { resources: ['hosts'] })
    await addHost('lasting.example')
    await until('the first failure', async () => (await read(lasting)).failingSince !== null)
    clock.pass(4 * days)
    await until('the end of the webhook', async () => (await read(lasting)).active === false)
    expect((await read(lasting)).disabledReason).toContain('Every delivery has failed since')
    receiver.respond(410)
    const gone = await create('admin', { resources: ['hosts'] })
    await addHost('gone.example')
    await until('the end of the webhook', async () => (await read(gone)).active === false)
    const { body } = await service.as('admin').get('/api/management/auditevents?type=WEBHOOK_DISABLED')
    expect(body.events).toHaveLength(2)
    const active = { active: true, version: (await read(gone)).version }
    expect((await service.as('admin').patch(`/api/rest/webhooks/${gone.pk}`, active, json)).status).toBe(200)
    expect(await read(gone)).toMatchObject({ active: true, disabledReason: null, failingSince: null })
    await remove(lasting)
    await remove(gone)
  })

  test('a test message tells at once how the receiver responds', async () => {
    const webhook = await create('simple', { resources: ['countries'], active: false })
    const path = `/api/rest/webhooks/${webhook.pk}/test`
    const sent = await service.as('simple').post(path, undefined, json)
    expect(sent).toMatchObject({ status: 200, body: { delivered: true, status: 204, error: null } })
    expect(receiver.received[0]?.body).toMatchObject({ type: 'webhook.test', data: { webhook: webhook.pk } })
    expect((await service.as('client').post(path, undefined, json)).status).toBe(404)
    expect((await service.as('anonymous').post(path, undefined, json)).status).toBe(401)
    for (let count = 1; count < 10; count++) await service.as('simple').post(path, undefined, json)
    expect((await service.as('simple').post(path, undefined, json)).status).toBe(429)
    await remove(webhook)
  })

  test('mistakes are refused: addresses, resources, conditions', async () => {
    const url = 'https://receiver.example/hook'
    const cases: readonly [object, string][] = [
      [{ url: 'ftp://receiver.example/', resources: ['hosts'] }, 'webhook_address'],
      [{ url: 'https://user:password@receiver.example/', resources: ['hosts'] }, 'webhook_address'],
      [{ url, resources: ['apiKeys'] }, 'unknown_topic'],
      [{ url, resources: ['webhookDeliveries'] }, 'unknown_topic'],
      [{ url, resources: ['idempotencyKeys'] }, 'unknown_topic'],
      [{ url, resources: ['hosts', 'countries', 'hosts'] }, 'duplicate_entry'],
      [{ url, resources: ['hosts', 'countries'], condition: 'name==a' }, 'one_topic'],
      [{ url, resources: ['hosts'], condition: 'nmae==a' }, 'unknown_member'],
      [{ url, resources: ['countries'], condition: 'children.name==a' }, 'limit'],
    ]
    for (const [values, code] of cases) {
      const refused = await service
        .as('admin')
        .post('/api/rest/webhooks', { name: 'x', active: false, ...values }, json)
      expect([values, refused.status, refused.body.errors?.[0]?.code]).toEqual([values, 400, code])
    }
  })
})

testAll('of two instances one delivers, and the other goes on when it stops', async () => {
  const receiver = await startReceiver()
  const kept = await keepDatabase('postgres')
  onTestFinished(kept.remove)
  const settings = { ...open, ...kept.settings, 'app.webhooks.allowPrivateAddresses': 'true' }
  const clock = createClock()
  const first = await startService('postgres', { clock: clock.now, settings })
  const second = await startService('postgres', { clock: clock.now, settings })
  const webhook = { name: 'x', url: receiver.url, resources: ['hosts'] }
  expect((await first.as('admin').post('/api/rest/webhooks', webhook, json)).status).toBe(201)
  const names = ['a.example', 'b.example', 'c.example', 'd.example']
  for (const [at, name] of names.entries())
    await (at % 2 ? first : second).as('admin').post('/api/rest/hosts', { name }, json)
  // A message whose delivery is not yet recorded would be sent again.
  await until('all deliveries', async () => {
    const delivered = await first.as('admin').get('/api/rest/webhookDeliveries?state=delivered', json)
    return delivered.body.page.totalElements === names.length
  })
  await first.stop()
  await second.as('admin').post('/api/rest/hosts', { name: 'e.example' }, json)
  await until('the message of the second instance', () => {
    clock.pass(1000)
    return receiver.received.length > names.length
  })
  await second.stop()
  await receiver.stop()
  expect(receiver.received.map(({ body }) => body.data.record.name)).toEqual([...names, 'e.example'])
})

const refused = 'The address is not a public one, and app.webhooks.allowPrivateAddresses is false.'

test('an address without TLS is refused with the setting that allows it', async () => {
  const service = await startService('sqlite', { settings: { 'app.webhooks.enabled': 'true' } })
  onTestFinished(service.stop)
  const create = (url: string) =>
    service.as('admin').post('/api/rest/webhooks', { name: 'x', url, resources: ['hosts'] }, json)
  const { status, body } = await create('http://127.0.0.1:9000/hook')
  expect([status, body.errors]).toMatchObject([400, [{ member: 'url', code: 'webhook_http' }]])
  expect(body.errors[0].message).toContain('app.webhooks.allowHttp')
  expect((await create('http://ann@example.com/')).body.errors).toMatchObject([{ code: 'webhook_address' }])
})

test('a refused address is in the log once, with the setting that allows it', async () => {
  const receiver = await startReceiver()
  const lines: string[] = []
  const clock = createClock()
  const service = await startService('sqlite', {
    clock: clock.now,
    settings: { ...open, 'app.log.level': 'info' },
    logTo: { write: (line: string) => void lines.push(line) },
  })
  onTestFinished(async () => {
    await service.stop()
    await receiver.stop()
  })
  const values = { name: 'x', url: `${receiver.url}/path`, resources: ['hosts'] }
  const { body: webhook } = await service.as('admin').post('/api/rest/webhooks', values, json)
  for (const name of ['a.example', 'b.example']) await service.as('admin').post('/api/rest/hosts', { name }, json)
  await until('both attempts', async () => {
    const { body } = await service.as('admin').get('/api/rest/webhookDeliveries?filter=attempts>0', json)
    return body.content.length === 2
  })
  const warnings = lines.filter(line => line.includes('webhook not delivered')).map(line => JSON.parse(line))
  const host = new URL(receiver.url).host
  expect(warnings).toMatchObject([{ webhook: webhook.pk, host, msg: `webhook not delivered: ${refused}` }])
  expect(receiver.received).toEqual([])
})

test('private addresses are refused when the message is sent', async () => {
  const receiver = await startReceiver()
  const service = await startService('sqlite', { settings: open })
  for (const url of [receiver.url, receiver.url.replace('127.0.0.1', 'localhost'), 'http://169.254.169.254/latest']) {
    const made = await service.as('admin').post('/api/rest/webhooks', { name: 'x', url, resources: ['hosts'] }, json)
    const sent = await service.as('admin').post(`/api/rest/webhooks/${made.body.pk}/test`, undefined, json)
    expect(sent.body).toMatchObject({ delivered: false, status: null, error: refused })
  }
  expect(receiver.received).toEqual([])
  await service.stop()
  await receiver.stop()
})
