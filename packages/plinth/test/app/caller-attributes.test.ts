// Named rules, and rules that compare with the caller's own user record.

import { databases, featureDatabases, type TestedDatabase } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { accountOf, column, fresh, make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { type Client, type ServiceOptions, startService, type TestService } from '@plinth/test-kit/service'
import { connect, credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { text } from '../../src/core/model/fields.ts'
import { defineModule, defineResource } from '../../src/index.ts'
import { until } from '../../src/testing/waiting.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { fields, shops, trade } from './trade.ts'

const settings = {
  'app.webhooks.enabled': 'true',
  'app.webhooks.allowHttp': 'true',
  'app.webhooks.allowPrivateAddresses': 'true',
  'app.access.webhooks.create': 'caller.signedIn',
}

const path = '/api/rest/invoices'
const list = `${path}?_ps=500&sort=what`

/** A user who is signed in with a token, as browsers are. */
const signedIn = async (service: TestService, name: 'client' | 'simple'): Promise<Client> => {
  const answer = await service.as('anonymous').post('/api/auth/jwt/access', { username: name, password: name })
  expect(answer.status).toBe(201)
  const cookie = answer.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  const client = service.as('anonymous')
  const withCookie = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
  return Object.assign((where: string, how = {}) => client(where, how), {
    ...client,
    get: (where: string, headers = {}) => client.get(where, { ...withCookie, ...headers }),
    post: (where: string, body: unknown, headers = {}) => client.post(where, body, { ...withCookie, ...headers }),
    patch: (where: string, body: unknown, headers = {}) => client.patch(where, body, { ...withCookie, ...headers }),
  }) as Client
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  let [north, south, east]: string[] = []
  const moveTo = async (user: 'client' | 'simple', shop: string | null | undefined): Promise<void> => {
    const pk = await accountOf(service, user)
    const change = { 'Content-Type': 'application/merge-patch+json' }
    expect([200, 204]).toContain((await admin.patch(`/api/rest/users/${pk}`, { shop }, change)).status)
  }
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, trade], settings })
    admin = service.as('admin')
    north = (await make(admin, 'shops', { name: 'North', region: 'a', isMain: true, limit: 12.5 })).pk as string
    south = (await make(admin, 'shops', { name: 'South', region: 'b', limit: 5 })).pk as string
    east = (await make(admin, 'shops', { name: 'East', region: 'a' })).pk as string
    for (const [what, shop] of Object.entries({ n: north, s: south, e: east }))
      await make(admin, 'invoices', { what, shop, total: 10, margin: '30 %' })
    await moveTo('client', north)
    await moveTo('simple', south)
  })
  afterAll(() => service.stop())

  test('lists, records, relations, totals and exports have the records of the shop of the caller', async () => {
    const [client, simple] = [service.as('client'), service.as('simple')]
    expect(column(await client.get(list), 'what')).toEqual(['e', 'n'])
    expect(column(await simple.get(list), 'what')).toEqual(['s'])
    expect(column(await admin.get(list), 'what')).toEqual(['e', 'n', 's'])
    expect((await simple.get(list)).headers.get('x-total-count')).toBe('1')
    expect((await simple.get(`${path}?total=10&shop=${north}`)).body.content).toEqual([])
    expect(column(await simple.get(`/api/rest/shops/${north}/invoices`), 'what')).toEqual([])
    expect(column(await client.get(`/api/rest/shops/${east}/invoices`), 'what')).toEqual(['e'])
    const csv = await simple.get(`${path}?page=no`, { Accept: 'text/csv' })
    expect(csv.text.trim().split('\n')).toHaveLength(2)
    const [own] = (await client.get(`${path}?shop=${north}`)).body.content
    expect((await client.get(`${path}/${own.pk}`)).body).toMatchObject({ what: 'n', margin: '30 %' })
    expect((await simple.get(`${path}/${own.pk}`)).status).toBe(404)
    expect((await simple.get(list)).body.content[0]).not.toHaveProperty('margin')
  })

  test('writes, endpoints and other resources follow it', async () => {
    const [client, simple] = [service.as('client'), service.as('simple')]
    expect((await client.post(path, { what: 'new', shop: north, total: 12.5 })).status).toBe(201)
    expect((await client.post(path, { what: 'new', shop: south, total: 1 })).status).toBe(403)
    const [own] = (await client.get(`${path}?what=new`)).body.content
    expect((await client.patch(`${path}/${own.pk}`, { total: 12.51 })).status).toBe(403)
    expect((await client.patch(`${path}/${own.pk}`, { total: 12 })).status).toBe(200)
    expect((await client.post('/api/rest/closing', {})).status).toBe(204)
    expect((await simple.post('/api/rest/closing', {})).status).toBe(403)
    expect((await service.as('anonymous').post('/api/rest/closing', {})).status).toBe(401)
    const seen = column(await simple.get('/api/rest/users?page=no', { Accept: 'application/json' }), 'username')
    expect(seen).toEqual(['simple'])
  })

  test('a change of the user takes effect with the next request, also for a session that goes on', async () => {
    const [basic, session] = [service.as('simple'), await signedIn(service, 'simple')]
    const seen = async () => [column(await basic.get(list), 'what'), column(await session.get(list), 'what')]
    expect(await seen()).toEqual([['s'], ['s']])
    await moveTo('simple', null)
    expect([(await basic.get(list)).status, (await session.get(list)).status]).toEqual([403, 403])
    await moveTo('simple', east)
    const before = await seen()
    expect(before[0]).toEqual(before[1])
    expect(before[0]).toContain('e')
    // The value lies in another record than that of the user.
    expect((await admin.patch(`/api/rest/shops/${east}`, { region: 'c' })).status).toBe(200)
    expect(await seen()).toEqual([['e'], ['e']])
    expect((await admin.patch(`/api/rest/shops/${east}`, { region: 'a' })).status).toBe(200)
    await moveTo('simple', south)
    expect(await seen()).toEqual([['s'], ['s']])
  })

  test('a default takes what the user record of the caller has', async () => {
    const [client, simple] = [service.as('client'), service.as('simple')]
    const json = { Accept: 'application/json' }
    const made = await client.post('/api/rest/shopNotes', { what: 'one' }, json)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ shop: { pk: north }, region: 'a' })
    expect((await simple.post('/api/rest/shopNotes', { what: 'two' }, json)).body).toMatchObject({
      shop: { pk: south },
    })
    expect((await client.post('/api/rest/shopNotes', { what: 'three', shop: south }, json)).status).toBe(403)
    const [found] = (await client.get('/api/rest/shopNotes', json)).body.content
    expect(found).toMatchObject({ what: 'one', shop: { pk: north } })
    await moveTo('client', null)
    expect((await client.post('/api/rest/shopNotes', { what: 'four' }, json)).status).toBe(403)
    const unknown = await admin.post('/api/rest/shopNotes', { what: 'five' }, json)
    expect([unknown.status, unknown.body.errors[0].member]).toEqual([400, 'shop'])
    await moveTo('client', north)
    const schema = await client.get('/api/rest/shopNotes/jsonschema', json)
    expect(schema.body.properties.shop['x-default']).toBe('caller.user.shop')
  })

  test('an idempotency key holds for the same attributes of the caller only', async () => {
    const client = service.as('client')
    const headers = { 'Idempotency-Key': fresh('key') }
    const first = await client.post('/api/rest/shopNotes', { what: 'once' }, headers)
    expect(first.status).toBe(201)
    const again = await client.post('/api/rest/shopNotes', { what: 'once' }, headers)
    expect([again.status, again.body.pk]).toEqual([201, first.body.pk])
    await moveTo('client', south)
    expect((await client.post('/api/rest/shopNotes', { what: 'once' }, headers)).status).not.toBe(201)
    await moveTo('client', north)
  })

  test('live changes follow the shop of the caller, also while the connection lasts', async () => {
    await moveTo('client', north)
    const connected = await connect(service.url, credentialsOf('client'))
    const inbox = await connected.listen('/topic/invoices')
    const add = async (shop: string | undefined) =>
      (await make(admin, 'invoices', { what: fresh('live'), shop, total: 1 })).pk as string
    await add(south)
    const first = await add(north)
    expect((await inbox.until(1)).map(({ pk }) => pk)).toEqual([first])
    await moveTo('client', south)
    await add(north)
    const second = await add(south)
    expect((await inbox.until(2)).map(({ pk }) => pk)).toEqual([first, second])
    connected.disconnect()
    await moveTo('client', north)
  })

  test('a webhook sends what its owner may see', async () => {
    await moveTo('client', north)
    const receiver = await startReceiver()
    onTestFinished(() => receiver.stop())
    const client = await signedIn(service, 'client')
    const body = { name: fresh('hook'), url: receiver.url, resources: ['invoices'] }
    expect(await client.post('/api/rest/webhooks', body)).toHaveStatus(201)
    const add = async (shop: string | undefined) =>
      (await make(admin, 'invoices', { what: fresh('sent'), shop, total: 1 })).pk as string
    await add(south)
    const first = await add(north)
    await until('the first message', () => receiver.received.length > 0)
    await moveTo('client', south)
    await add(north)
    const second = await add(south)
    await until('the second message', () => receiver.received.length > 1)
    expect(receiver.received.map(({ text }) => [first, second].find(pk => text.includes(pk)))).toEqual([first, second])
    await moveTo('client', north)
  })

  test('API keys and the explanation of rights know the user, too', async () => {
    const client = await signedIn(service, 'client')
    const expirationDate = new Date(Date.now() + 3600_000).toISOString()
    const key = await client.post('/api/rest/apiKeys', { name: fresh('k'), scopes: ['read'], expirationDate })
    expect(key.status).toBe(201)
    const found = await service.as('anonymous').get(list, { 'X-API-Key': key.body.key })
    expect(column(found, 'what')).toContain('e')
    const [foreign] = (await admin.get(`${path}?what=s`)).body.content
    const why = await admin.get(`/api/rest/explain?resource=invoices&operation=read&user=client&pk=${foreign.pk}`)
    expect(why.body).toMatchObject({
      rule: {
        expression: 'sameShop || inRegion',
        uses: [
          { name: 'sameShop', rule: 'record.shop == caller.user.shop' },
          { name: 'inRegion', rule: 'record.shop.region == caller.user.shop.region' },
        ],
      },
      decision: 'some',
      record: { exists: true, visible: false },
    })
  })
})

/** The same module without a look at the caller's record. */
const plainTrade = defineModule({
  name: 'trade',
  about: 'Shops and invoices.',
  resources: [
    shops,
    defineResource('invoices', {
      about: 'Invoices.',
      label: 'what',
      fields: { ...fields, margin: text({ max: 20 }) },
      access: { read: 'record.what != caller.username', write: 'caller.signedIn' },
    }),
  ],
})

const leastStatements = async (database: TestedDatabase, options: ServiceOptions): Promise<number> => {
  const service = await startService(database, options)
  try {
    const admin = service.as('admin')
    const { pk: shop } = await make(admin, 'shops', { name: 'North' })
    const user = await accountOf(service, 'client')
    expect([200, 204]).toContain((await admin.patch(`/api/rest/users/${user}`, { shop })).status)
    const client = await signedIn(service, 'client')
    const counts: number[] = []
    for (let request = 0; request < 30; request++) {
      const before = service.app.platform.store.statements
      expect((await client.get(`${path}?_total=none`)).status).toBe(200)
      counts.push(service.app.platform.store.statements - before)
    }
    return Math.min(...counts)
  } finally {
    await service.stop()
  }
}

describe.each(databases)('statements on %s', database => {
  testAll('rules that look at the caller cost no statement more', async () => {
    const plain = await leastStatements(database, { modules: [...modules, plainTrade] })
    expect(await leastStatements(database, { modules: [...modules, trade] })).toBe(plain)
  })
})
