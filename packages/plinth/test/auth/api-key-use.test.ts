// Asking with an API key: by either header, as its user, until it is revoked or expires.

import { days } from '@plinth/test-kit/clock'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { clientFor } from '@plinth/test-kit/service'
import { describe, expect, test } from 'vitest'
import { json, keysPath, openKeys, pks } from './api-key-service.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { clock, service, inDays, bodyOf, make, by, audited, patchOwn } = openKeys(database)

  describe('asking with a key', () => {
    test('works by either header, and shows when it was last used', async () => {
      const { pk, key } = await make('client')
      const lastUsed = async () => (await service().as('client').get(`${keysPath}/${pk}`, json)).body.lastUsed
      expect(await lastUsed()).toBeNull()
      for (const [header, value] of [
        ['Authorization', `Bearer ${key}`],
        ['X-API-Key', key],
        ['x-api-key', key],
      ] as const) {
        const headers = { [header]: value }
        const reply = await clientFor(service().url, headers).get('/api/rest/users', json)
        expect([headers, reply.status]).toEqual([headers, 200])
      }
      expect(await lastUsed()).toBe(clock.now().toISOString())
    })

    test.each([
      ['made up', (key: string) => key.replace(/.{6}$/, 'AAAAAA')],
      ['cut short', (key: string) => key.slice(0, -1)],
      ['of another prefix', (key: string) => key.replace(/_[0-9a-f]{12}_/, '_000000000000_')],
      ['a prefix alone', (key: string) => key.slice(0, 20)],
      ['in capitals', (key: string) => key.toUpperCase()],
    ])('that is %s is 401', async (_, change) => {
      const { key } = await make('client')
      expect((await by(change(key)).get('/api/rest/users')).status).toBe(401)
      expect((await clientFor(service().url, { 'X-API-Key': change(key) }).get('/api/rest/countries')).status).toBe(401)
    })

    test('is no request by cookies: a page elsewhere that has the key may use it', async () => {
      const { key } = await make('client', { scopes: ['write'] })
      const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
      const reply = await clientFor(service().url, { 'X-API-Key': key, ...foreign }).patch(
        `/api/rest/users/${pks.client}`,
        { description: `${Math.random()}` },
      )
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, null])
    })

    test('wins over cookies, and is not mended by them', async () => {
      const browser = openBrowser(service().url)
      await browser.signIn('admin')
      const { key } = await make('simple')
      const headers = { 'X-API-Key': key }
      expect((await browser.get('/api/rest/userCredentials', { headers })).status).toBe(403)
      expect((await browser.get('/api/rest/users', { headers: { 'X-API-Key': 'plinth_none' } })).status).toBe(401)
    })
  })

  describe('a key ends', () => {
    const works = async (key: string) => (await by(key).get('/api/rest/users')).status

    test('at its date', async () => {
      const { key } = await make('client', { expirationDate: inDays(1) })
      expect(await works(key)).toBe(200)
      clock.pass(1 * days)
      expect(await works(key)).toBe(401)
    })

    test('when it is revoked, by its owner or by an administrator', async () => {
      for (const user of ['client', 'admin'] as const) {
        const { pk, key } = await make('client')
        expect(await works(key)).toBe(200)
        expect((await service().as('staff').delete(`${keysPath}/${pk}`)).status).toBe(404)
        expect((await service().as(user).delete(`${keysPath}/${pk}`)).status).toBe(204)
        expect(await works(key)).toBe(401)
      }
      expect((await audited('API_KEY_REVOKED')).at(-1)).toMatchObject({ principal: 'admin' })
    })

    test('when its user is deactivated, and works again when the user does', async () => {
      const { key } = await make('simple')
      const activate = (active: boolean) =>
        service().as('admin').patch(`/api/rest/userCredentials/${pks.simple}`, { active })
      await activate(false)
      expect(await works(key)).toBe(401)
      await activate(true)
      expect(await works(key)).toBe(200)
    })

    test('when its user is deleted', async () => {
      const person = { username: `gone-${database}`, password: 'wide open fields' }
      const { body } = await service().as('admin').post('/api/rest/users', person, json)
      const basic = { Authorization: `Basic ${btoa(`${person.username}:${person.password}`)}` }
      const made = await clientFor(service().url, basic).post(keysPath, bodyOf(), json)
      expect(await works(made.body.key)).toBe(200)
      expect((await service().as('admin').delete(`/api/rest/users/${body.pk}`)).status).toBe(204)
      expect(await works(made.body.key)).toBe(401)
      expect((await service().as('admin').get(`${keysPath}/${made.body.pk}`)).status).toBe(404)
    })

    test('when the password is reset, not when the owner changes it', async () => {
      const person = { username: `keeper-${database}`, password: 'wide open fields' }
      const { body } = await service().as('admin').post('/api/rest/users', person, json)
      const browser = openBrowser(service().url)
      await browser.signIn(person.username, person.password)
      const { key } = (await browser.post(keysPath, bodyOf(), { headers: json })).body
      const changed = {
        currentPassword: person.password,
        password: 'another meadow',
        passwordConfirmation: 'another meadow',
      }
      expect((await browser.ask('PUT', '/api/auth/account', { body: changed })).status).toBe(200)
      expect(await works(key)).toBe(200)
      await service().as('admin').patch(`/api/rest/userCredentials/${body.pk}`, { password: 'a third meadow' })
      expect(await works(key)).toBe(401)
      expect((await audited('API_KEYS_ENDED')).at(-1)).toMatchObject({
        principal: 'admin',
        data: { user: person.username, count: '1', address: '127.0.0.1' },
      })
    })

    test('when the credentials of its user are taken away, also if there are others later', async () => {
      const person = { username: `bare-${database}`, password: 'wide open fields' }
      const admin = service().as('admin')
      const { body } = await admin.post('/api/rest/users', person, json)
      const browser = openBrowser(service().url)
      await browser.signIn(person.username, person.password)
      const { key } = (await browser.post(keysPath, bodyOf(), { headers: json })).body
      expect((await admin.delete(`/api/rest/userCredentials/${body.pk}`)).status).toBe(204)
      expect((await admin.post('/api/rest/userCredentials', { user: body.pk }, json)).status).toBe(201)
      expect(await works(key)).toBe(401)
    })

    test('at once in what it may do, when its scopes or the roles of its user change', async () => {
      const { pk, key } = await make('operator', { scopes: ['write'] })
      expect((await by(key).get('/api/rest/registrationCodeBatches')).status).toBe(200)
      await service()
        .as('operator')
        .patch(`${keysPath}/${pk}`, { scopes: ['users:read'] })
      expect((await by(key).get('/api/rest/registrationCodeBatches')).status).toBe(403)
      await service()
        .as('operator')
        .patch(`${keysPath}/${pk}`, { scopes: ['write'], readOnly: true })
      expect((await patchOwn(by(key), 'operator')).status).toBe(403)
      const user = (await service().as('admin').get(`/api/rest/users/${pks.operator}`, json)).body
      const roles = user.roles.filter((role: { name: string }) => role.name === 'ROLE_USER')
      await service().as('admin').patch(`/api/rest/users/${pks.operator}`, { roles })
      expect((await by(key).get('/api/rest/registrationCodeBatches')).status).toBe(403)
      await service().as('admin').patch(`/api/rest/users/${pks.operator}`, { roles: user.roles })
      expect((await by(key).get('/api/rest/registrationCodeBatches')).status).toBe(200)
    })
  })
})
