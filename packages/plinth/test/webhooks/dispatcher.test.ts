// The dispatcher, run step by step: no user and no defect of one webhook holds up the others.

import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { createClock, days } from '@plinth/test-kit/clock'
import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { defineModule } from '../../src/core/module.ts'
import type { Service } from '../../src/core/service.ts'
import { users } from '../../src/modules/people/index.ts'
import { dispatcherStates, webhookDeliveries } from '../../src/modules/webhooks/deliveries.ts'
import { Dispatcher } from '../../src/modules/webhooks/dispatcher.ts'
import { webhooks } from '../../src/modules/webhooks/webhooks.ts'
import type { Parsed } from '../../src/testing/client.ts'
import { until } from '../../src/testing/waiting.ts'
import { startReceiver, type WebhookReceiver } from './receiver.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const simplePk = '00000000-0000-7000-8000-000000000005'
const json = { Accept: 'application/json' }
const clock = createClock()
let live: Service
let service: TestService
let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startReceiver()
  const probe = defineModule({
    name: 'probe',
    about: 'Gives the test the running service.',
    resources: [],
    start: async started => {
      live = started
      return async () => {}
    },
  })
  const settings = { 'app.webhooks.allowHttp': 'true', 'app.webhooks.allowPrivateAddresses': 'true' }
  const modules = [...modulesFor(loadConfig({ env: {}, cwd: tmpdir(), overrides: settings })), probe]
  service = await startService('sqlite', { clock: clock.now, settings, modules })
})
afterAll(async () => {
  await service?.stop()
  await receiver?.stop()
})

/** How often the user `simple` can still be read as the owner of a webhook. */
let readsLeft = Number.POSITIVE_INFINITY

const withUnreadableOwner = (): Service => {
  const { platform } = live
  const first: typeof platform.records.first = (definition, query) => {
    if (definition.name === users.name && query?.where?.pk === simplePk && readsLeft-- <= 0)
      throw new Error('This owner cannot be read.')
    return platform.records.first(definition, query)
  }
  const records = new Proxy(platform.records, {
    get: (target, name) => {
      const found: unknown = name === 'first' ? first : Reflect.get(target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
  return { ...live, platform: { ...platform, records } }
}

const startDispatcher = async () => {
  readsLeft = Number.POSITIVE_INFINITY
  const dispatcher = new Dispatcher(withUnreadableOwner())
  const stopping = new AbortController()
  onTestFinished(async () => {
    stopping.abort()
    await dispatcher.idle()
    await live.platform.records.removeMany(webhooks, { where: { active: true } })
    receiver.received.length = 0
    receiver.respond(204)
  })
  const run = () => dispatcher.run(stopping.signal)
  await run()
  return {
    run,
    /** One round, with all attempts that it starts. */
    runToEnd: async () => {
      await run()
      await dispatcher.idle()
    },
  }
}

const create = async (user: 'admin' | 'simple', values: object): Promise<Parsed> => {
  const body = { name: user, url: receiver.url, resources: ['countries'], ...values }
  const made = await service.as(user).post('/api/rest/webhooks', body, json)
  expect(made).toHaveStatus(201)
  return made.body
}

const addCountry = async (pk: string) => {
  const made = await service.as('admin').post('/api/rest/countries', { pk, name: `Country ${pk}` }, json)
  expect(made).toHaveStatus(201)
}

test('silent receivers of one user leave slots to others', async () => {
  let connections = 0
  const silent = createServer(socket => {
    connections += 1
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => void silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const address = silent.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  const { run } = await startDispatcher()
  for (let count = 0; count < 20; count++) await create('simple', { url })
  await create('admin', {})
  await addCountry('XA')
  await run()
  await until('the message to the other user', () => receiver.received.length === 1)
  await until('the silent connections', () => connections >= 3)
  await run()
  expect(connections).toBe(3)
})

test('a group of messages ends at its first failure', async () => {
  const { runToEnd } = await startDispatcher()
  await create('admin', {})
  for (const pk of ['XB', 'XC', 'XD']) await addCountry(pk)
  receiver.respond(500)
  await runToEnd()
  expect(receiver.received).toHaveLength(1)
  receiver.respond(204)
  await runToEnd()
  expect(receiver.received.map(({ body }) => body.data.record.name)).toEqual(['Country XB', 'Country XC', 'Country XD'])
})

test('a webhook that cannot be judged does not hold up the others', async () => {
  const { runToEnd } = await startDispatcher()
  readsLeft = 0
  await create('simple', {})
  await create('admin', {})
  await addCountry('XE')
  await runToEnd()
  expect(receiver.received).toHaveLength(1)
})

test('an attempt that cannot be made is a failure, and is made again later', async () => {
  const { runToEnd } = await startDispatcher()
  readsLeft = 1
  const { pk } = await create('simple', {})
  await addCountry('XF')
  await runToEnd()
  await runToEnd()
  const delivery = await live.platform.records.first(webhookDeliveries, { where: { webhook: pk } })
  expect(delivery).toMatchObject({ state: 'waiting', attempts: 1, lastError: 'The message could not be created.' })
  expect(Date.parse(delivery?.nextAttempt ?? '')).toBeGreaterThan(clock.now().getTime())
})

test('no test message is sent while the delivery of webhooks is switched off', async () => {
  await startDispatcher()
  const { pk } = await create('admin', {})
  expect((await service.as('admin').post(`/api/rest/webhooks/${pk}/test`, undefined, json)).status).toBe(409)
  expect(receiver.received).toEqual([])
})

test('a new webhook receives no changes from before its creation', async () => {
  const { run, runToEnd } = await startDispatcher()
  await create('simple', { resources: ['roles'] })
  await run()
  await addCountry('XH')
  await create('admin', {})
  await addCountry('XI')
  await runToEnd()
  await addCountry('XJ')
  await runToEnd()
  expect(receiver.received.map(({ body }) => body.data.record.name)).toEqual(['Country XI', 'Country XJ'])
})

test('an instance that delivers again goes on where the other one ended', async () => {
  const { runToEnd } = await startDispatcher()
  await create('admin', {})
  await addCountry('XG')
  const { records, changes } = live.platform
  const { latest } = await changes.window()
  await records.updateMany(dispatcherStates, { where: { pk: 'main' } }, { position: latest, instance: 'other' })
  clock.pass(60_000)
  await runToEnd()
  expect(receiver.received).toEqual([])
})

test('after a clock that was ahead, an instance sends what waits, and takes over from one that is gone', async () => {
  const { run, runToEnd } = await startDispatcher()
  await create('admin', {})
  await addCountry('XP')
  clock.pass(400 * days)
  receiver.respond(500)
  await runToEnd()
  expect(receiver.received).toHaveLength(1)
  clock.pass(-400 * days)
  receiver.respond(204)
  await runToEnd()
  expect(receiver.received).toHaveLength(2)
  await addCountry('XQ')
  // Another instance has taken the lease, and has ended.
  const { records } = live.platform
  await records.updateMany(dispatcherStates, { where: { pk: 'main' } }, { instance: 'other' })
  await run()
  clock.pass(60_000)
  await runToEnd()
  expect(receiver.received.map(({ body }) => body.data.record.name)).toEqual(['Country XP', 'Country XP', 'Country XQ'])
})
