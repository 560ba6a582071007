// New API keys: shown once, stored as a hash, owned by the caller, with an expiration date and existing scopes.

import { createAuthenticator } from '@plinth/test-kit/authenticator'
import { days, minutes } from '@plinth/test-kit/clock'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import type { Answer } from '@plinth/test-kit/service'
import { describe, expect, test } from 'vitest'
import { everything } from '../../src/core/model/query.ts'
import type { Parsed } from '../../src/testing/client.ts'
import { startAccounts } from './accounts-service.ts'
import { json, keysPath, openKeys, pks } from './api-key-service.ts'

const operationsPath = '/api/rest/operations'
const mediaType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const atomic = { 'Content-Type': mediaType, Accept: mediaType }
const adding = (attributes: object) => ({
  'atomic:operations': [{ op: 'add', data: { type: 'apiKeys', attributes } }],
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { clock, service, inDays, bodyOf, make, by, audited } = openKeys(database)

  describe('a new key', () => {
    test.each([
      ['application/json', (text: string) => JSON.parse(text).key],
      ['application/hal+json', (text: string) => JSON.parse(text).key],
      ['application/vnd.api+json', (text: string) => JSON.parse(text).data.attributes.key],
      ['application/xml', (text: string) => /<key>([^<]+)<\/key>/.exec(text)?.[1]],
    ])('is shown as %s when it is made, and never again', async (Accept, keyIn) => {
      const made = await service().as('client').post(keysPath, bodyOf(), { Accept })
      expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
      const key = keyIn(made.text)
      expect(key).toMatch(/^plinth_[0-9a-f]{12}_[\w-]{43}$/)
      const address = new URL(made.headers.get('location') ?? '').pathname
      const secret = String(key).slice(20)
      for (const [client, at] of [
        [service().as('client'), address],
        [service().as('admin'), address],
        [service().as('client'), `${keysPath}?_ps=500`],
        [service().as('client'), `${address}?fields[apiKeys]=key,name`],
        [service().as('client'), `/api/rest/users/${pks.client}`],
      ] as const)
        expect((await client.get(at, { Accept })).text).not.toContain(secret)
      const patched = await service().as('client').patch(address, { name: 'renamed' }, { Accept })
      expect(patched.status).toBe(200)
      expect(patched.text).not.toContain(secret)
    })

    test('cannot be looked for by its key or its hash', async () => {
      const { key } = await make('client')
      for (const query of [`key=${key}`, `filter=key==${key}`, 'sort=key', 'filter=hash==a*', 'include=secrets'])
        expect([query, (await service().as('client').get(`${keysPath}?${query}`)).status]).toEqual([query, 400])
      expect((await service().as('admin').get('/api/rest/apiKeySecrets')).status).toBe(404)
    })

    const remembering: readonly [string, (key: string) => Promise<Answer>, (made: Parsed) => string][] = [
      [
        'a record',
        key =>
          service()
            .as('client')
            .post(keysPath, bodyOf(), { ...json, 'Idempotency-Key': key }),
        made => made.key,
      ],
      [
        'an atomic operation',
        key =>
          service()
            .as('client')
            .post(operationsPath, adding(bodyOf()), { ...atomic, 'Idempotency-Key': key }),
        made => made['atomic:results'][0].data.attributes.key,
      ],
    ]
    test.each(remembering)('as %s is kept as a hash, also by what remembers answers', async (_, ask, keyIn) => {
      const key = crypto.randomUUID()
      const [first, again] = [await ask(key), await ask(key)]
      expect([again.status, again.text]).toEqual([first.status, ''])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(again.headers.get('location')).toBe(first.headers.get('location'))
      const { store } = service().app.platform
      for (const name of ['apiKeys', 'apiKeySecrets', 'idempotencyKeys', 'auditEvents']) {
        const resource = store.resource(name)
        const rows = []
        for await (const batch of store.stream(resource, everything(resource))) rows.push(...batch)
        expect(rows.length).toBeGreaterThan(0)
        expect(JSON.stringify(rows)).not.toContain(keyIn(first.body).slice(20))
      }
    })

    test('several at once each show their own, and so does an atomic operation', async () => {
      const bulk = await service().as('client').post(keysPath, [bodyOf(), bodyOf()], json)
      const keys = bulk.body.content.map((one: { key: string }) => one.key)
      expect(new Set(keys).size).toBe(2)
      const made = await service().as('client').post(operationsPath, adding(bodyOf()), atomic)
      keys.push(made.body['atomic:results'][0].data.attributes.key)
      for (const key of keys) expect((await by(key).get('/api/rest/users')).status).toBe(200)
    })

    test('needs a sign-in, or the password again, within 15 minutes, and its owner gets a mail', async () => {
      const browser = openBrowser(service().url)
      await browser.signIn('simple')
      const create = async () => (await browser.post(keysPath, bodyOf({ name: 'of a browser' }))).status
      expect(await create()).toBe(201)
      clock.pass(16 * minutes)
      await browser.post('/api/auth/jwt/refresh')
      expect(await create()).toBe(403)
      const own = (await browser.get(`${keysPath}?name=of%20a%20browser`, { headers: json })).body.content[0].pk
      const patch = async (body: object) => (await browser.ask('PATCH', `${keysPath}/${own}`, { body })).status
      expect(await patch({ scopes: ['write'] })).toBe(403)
      expect(await patch({ name: 'renamed' })).toBe(200)
      await browser.post('/api/auth/userDetails/verification', { password: 'simple' })
      expect(await create()).toBe(201)
      const mails = await service()
        .as('admin')
        .get('/api/rest/mails?purpose=apiKeyCreated&recipient=simple@plinth.example', json)
      expect(mails.body.page.totalElements).toBeGreaterThan(0)
    })

    test.each(['password', 'second factor'])('stays when the %s changes, unless its owner revokes all', async what => {
      const [username, password] = [`owner-${what.slice(0, 6)}`, 'a password of an owner']
      const { body: roles } = await service().as('admin').get('/api/rest/roles?name=ROLE_USER', json)
      const person = { username, password, roles: [roles.content[0].pk] }
      expect((await service().as('admin').post('/api/rest/users', person)).status).toBe(201)
      const browser = openBrowser(service().url)
      await browser.signIn(username, password)
      const key = (await browser.post(keysPath, bodyOf(), { headers: json })).body.key
      const works = async () => (await by(key).get('/api/rest/users')).status === 200
      const change = async (revokeApiKeys: boolean, next: string, current: string) => {
        const body = { currentPassword: current, password: next, passwordConfirmation: next, revokeApiKeys }
        return (await browser.ask('PUT', '/api/auth/account', { body })).status
      }
      if (what === 'password') {
        expect([await change(false, 'another password', password), await works()]).toEqual([200, true])
        expect([await change(true, 'yet another one', 'another password'), await works()]).toEqual([200, false])
        return
      }
      const { secret } = (await browser.post('/api/auth/secondFactor', { password })).body
      const body = { code: createAuthenticator(secret, clock.now).code(), revokeApiKeys: true }
      expect((await browser.ask('PUT', '/api/auth/secondFactor', { body })).status).toBe(200)
      expect(await works()).toBe(false)
    })

    test('belongs to the caller, whatever the body says', async () => {
      const made = await make('simple', { user: pks.admin, prefix: 'chosen', lastUsed: inDays(0), key: 'plinth_mine' })
      expect(made).toMatchObject({ user: { pk: pks.simple }, lastUsed: null })
      expect([made.prefix, made.key]).not.toContain('chosen')
      expect((await by(made.key).get('/api/rest/userCredentials')).status).toBe(403)
      expect((await service().as('anonymous').post(keysPath, bodyOf())).status).toBe(401)
    })

    test.each<[string, () => object, string]>([
      ['no end', () => ({ expirationDate: undefined }), 'expirationDate'],
      ['an end in the past', () => ({ expirationDate: inDays(-1) }), 'expirationDate'],
      ['an end too far away', () => ({ expirationDate: inDays(366) }), 'expirationDate'],
      ['no scope', () => ({ scopes: [] }), 'scopes'],
      ['no scopes at all', () => ({ scopes: undefined }), 'scopes'],
      ['an unknown scope', () => ({ scopes: ['everything'] }), 'scopes'],
      ['a scope of an unknown resource', () => ({ scopes: ['films2:read'] }), 'scopes'],
      ['a scope of an internal resource', () => ({ scopes: ['sessions:read'] }), 'scopes'],
      ['no name', () => ({ name: undefined }), 'name'],
    ])('with %s is refused', async (_, more, field) => {
      const reply = await service().as('client').post(keysPath, bodyOf(more()), json)
      expect([reply.status, reply.body.errors?.[0]?.member]).toEqual([400, field])
    })
  })

  test('everybody sees their own keys, and administrators all of them', async () => {
    const { pk } = await make('staff')
    expect((await service().as('client').get(`${keysPath}/${pk}`)).status).toBe(404)
    expect(
      (
        await service()
          .as('client')
          .patch(`${keysPath}/${pk}`, { scopes: ['write'] })
      ).status,
    ).toBe(404)
    expect((await service().as('admin').get(`${keysPath}/${pk}`)).status).toBe(200)
    const own = (await service().as('client').get(`${keysPath}?_ps=500`, json)).body.content
    expect(new Set(own.map((one: { user: { pk: string } }) => one.user.pk))).toEqual(new Set([pks.client]))
  })

  test('the audit tells who made a key, and not the key', async () => {
    const made = await make('staff', { name: 'nightly export' })
    const event = (await audited('API_KEY_CREATED')).at(-1)
    expect(event).toMatchObject({ principal: 'staff', data: { prefix: made.prefix, name: 'nightly export' } })
    expect(JSON.stringify(event)).not.toContain(made.key)
  })
})

test('keys are described as credentials, and pages elsewhere may send them', async () => {
  const service = await startAccounts('sqlite', {
    settings: { 'app.cors.allowedOrigins': 'https://friend.example', 'app.auth.apiKeys.maxDays': '7' },
  })
  const { components } = (await service.as('anonymous').get('/api/openapi.json')).body
  expect(components.securitySchemes.apiKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'X-API-Key' })
  expect(components.schemas.ApiKeyMembers.properties.key).toMatchObject({ readOnly: true })
  expect(components.schemas.ApiKeyCreate.properties.key).toBeUndefined()
  const preflight = await service.as('anonymous')('/api/rest/users', {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://friend.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-api-key',
    },
  })
  expect(preflight.headers.get('access-control-allow-headers')).toBe('x-api-key')
  const late = { name: 'late', scopes: ['read'], expirationDate: new Date(Date.now() + 8 * days).toISOString() }
  expect((await service.as('client').post(keysPath, late)).status).toBe(400)
  await service.stop()
})
