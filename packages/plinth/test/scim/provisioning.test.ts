// SCIM as an identity provider uses it: with an API key, in the order of Okta's and Entra's own tests.

import { featureDatabases } from '@plinth/test-kit/databases'
import { type Client, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = '/api/scim/v2'
const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'
const scimType = 'application/scim+json'
const plain = { Accept: 'application/json' }
const headers = { Accept: scimType, 'Content-Type': scimType }

let serial = 0
const fresh = (name: string): string => `${name}${++serial}x${Math.random().toString(36).slice(2, 7)}`

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let provider: Client
  let reader: Client

  const keyOf = async (user: 'admin' | 'client', scopes: string[]): Promise<Client> => {
    const expirationDate = new Date(Date.now() + 86_400_000).toISOString()
    const { status, body } = await service.as(user).post('/api/rest/apiKeys', { name: 'idp', scopes, expirationDate })
    expect(status).toBe(201)
    return clientFor(service.url, { Authorization: `Bearer ${body.key}` })
  }

  beforeAll(async () => {
    service = await startService(database)
    provider = await keyOf('admin', ['scim:write'])
    reader = await keyOf('admin', ['scim:read'])
  })
  afterAll(() => service.stop())

  const create = async (more: object = {}) => {
    const userName = fresh('ada')
    const sent = {
      schemas: [userUrn],
      userName,
      emails: [{ value: `${userName}@example.org`, primary: true }],
      ...more,
    }
    const answer = await provider.post(`${root}/Users`, sent, headers)
    expect([answer.status, answer.body]).toEqual([201, expect.anything()])
    return answer
  }
  const group = async (members: readonly string[] = []) => {
    const sent = {
      schemas: [groupUrn],
      displayName: fresh('Store managers '),
      members: members.map(value => ({ value })),
    }
    const answer = await provider.post(`${root}/Groups`, sent, headers)
    expect([answer.status, answer.body]).toEqual([201, expect.anything()])
    return answer.body
  }
  const patch = (path: string, Operations: readonly object[], more: Record<string, string> = {}) =>
    provider.patch(root + path, { schemas: [patchUrn], Operations }, { ...headers, ...more })
  const filtered = async (path: string, filter: string) => {
    const { status, body } = await provider.get(`${root}${path}?filter=${encodeURIComponent(filter)}`, headers)
    expect([status, body]).toEqual([200, expect.anything()])
    return body.Resources.map(({ id }: { id: string }) => id)
  }

  test('a user is created, found by name, changed, deactivated and deleted', async () => {
    const { body: made, headers: answered } = await create({
      externalId: fresh('ext'),
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      preferredLanguage: 'de',
    })
    expect(made).toMatchObject({
      schemas: [userUrn],
      name: { givenName: 'Ada', familyName: 'Lovelace', formatted: 'Ada Lovelace' },
      active: true,
      preferredLanguage: 'de',
      meta: { resourceType: 'User', location: `${service.url}${root}/Users/${made.id}` },
    })
    expect(answered.get('content-type')).toContain(scimType)
    expect([answered.get('location'), answered.get('etag')]).toEqual([made.meta.location, made.meta.version])
    expect((await service.as('admin').get(`/api/rest/users/${made.id}`, plain)).body).toMatchObject({
      firstName: 'Ada',
    })

    for (const filter of [
      `userName eq "${made.userName.toUpperCase()}"`,
      `externalId eq "${made.externalId}"`,
      `emails[type eq "work" and value eq "${made.userName}@example.org"]`,
      `(userName sw "${made.userName.slice(0, 5)}" and userName co "x") and not (userName ne "${made.userName}")`,
      `id eq "${made.id}" and meta.created gt "2020-01-01T00:00:00Z" and active eq true`,
    ])
      expect([filter, await filtered('/Users', filter)]).toEqual([filter, [made.id]])

    const replaced = await provider.put(
      `${root}/Users/${made.id}`,
      { schemas: [userUrn], userName: made.userName, name: { givenName: 'Augusta' }, externalId: made.externalId },
      headers,
    )
    expect(replaced.body).toMatchObject({ name: { givenName: 'Augusta' }, emails: made.emails })
    expect(replaced.body.name.familyName).toBeUndefined()

    // As Entra sends it: names of operations with capitals, booleans as texts.
    const off = await patch(`/Users/${made.id}`, [{ op: 'Replace', path: 'active', value: 'False' }])
    expect([off.status, off.body.active]).toEqual([200, false])
    const credentials = await service.as('admin').get(`/api/rest/userCredentials/${made.id}`, plain)
    expect(credentials.body.active).toBe(false)

    expect((await provider.delete(`${root}/Users/${made.id}`, headers)).status).toBe(204)
    const gone = await provider.get(`${root}/Users/${made.id}`, headers)
    expect([gone.status, gone.body]).toMatchObject([404, { schemas: [errorUrn], status: '404' }])
  })

  test('a sign-in name that is an address stays the name for the provider', async () => {
    const address = `${fresh('grace')}@example.org`
    const { body: one } = await create({ userName: address, emails: undefined })
    expect(one).toMatchObject({ userName: address, emails: [{ value: address, primary: true }] })
    const { body: user } = await service.as('admin').get(`/api/rest/users/${one.id}`, plain)
    expect(user.username).toBe(address.slice(0, address.indexOf('@')))
    expect(await filtered('/Users', `userName eq "${address}"`)).toEqual([one.id])
    // Another address with the same beginning gets a number.
    const { body: two } = await create({ userName: address.replace('.org', '.net'), emails: undefined })
    expect((await service.as('admin').get(`/api/rest/users/${two.id}`, plain)).body.username).toBe(`${user.username}2`)
    const again = await provider.post(`${root}/Users`, { schemas: [userUrn], userName: address }, headers)
    expect([again.status, again.body]).toMatchObject([409, { schemas: [errorUrn], scimType: 'uniqueness' }])
  })

  test('patches follow the standard and what providers make of it', async () => {
    const { body: made } = await create()
    const path = `/Users/${made.id}`
    const named = await patch(path, [
      { op: 'Add', value: { 'name.givenName': 'Ada', [`${userUrn}:externalId`]: 'e-1' } },
      { op: 'replace', path: 'name.familyName', value: 'King' },
    ])
    expect(named.body).toMatchObject({ name: { givenName: 'Ada', familyName: 'King' } })
    const address = `${fresh('new')}@example.org`
    const moved = await patch(path, [{ op: 'replace', path: 'emails[type eq "work"].value', value: address }])
    expect(moved.body.emails).toEqual([{ value: address, type: 'work', primary: true }])
    const cleared = await patch(path, [{ op: 'remove', path: 'name.familyName' }])
    expect(cleared.body.name).toEqual({ formatted: 'Ada', givenName: 'Ada' })

    const refused = async (operation: object) => {
      const { status, body } = await patch(path, [operation])
      return [status, body.scimType]
    }
    expect(await refused({ op: 'replace', path: 'id', value: 'other' })).toEqual([400, 'mutability'])
    expect(await refused({ op: 'replace', path: 'groups', value: [] })).toEqual([400, 'mutability'])
    expect(await refused({ op: 'replace', path: 'nothing', value: 1 })).toEqual([400, 'invalidPath'])
    expect(await refused({ op: 'remove' })).toEqual([400, 'noTarget'])
    expect(await refused({ op: 'replace', path: 'emails[type eq', value: 1 })).toEqual([400, 'invalidPath'])
    expect(await refused({ op: 'move', path: 'active' })).toEqual([400, 'invalidSyntax'])
    expect(await refused({ op: 'replace', path: 'active', value: 'perhaps' })).toEqual([400, 'invalidValue'])
    expect(await refused({ op: 'replace', path: 'userName', value: 'with spaces' })).toEqual([400, 'invalidValue'])
  })

  test('groups are roles, and members have their permissions', async () => {
    const [{ body: ada }, { body: grace }] = [await create(), await create()]
    const made = await group([ada.id])
    const { body: role } = await service.as('admin').get(`/api/rest/roles/${made.id}`, plain)
    expect(role.name).toMatch(/^ROLE_STORE_MANAGERS_/)
    expect(made.members).toEqual([expect.objectContaining({ value: ada.id, display: ada.userName, type: 'User' })])
    const rolesOf = async (id: string) =>
      (await provider.get(`${root}/Users/${id}`, headers)).body.groups.map(({ value }: { value: string }) => value)
    expect(await rolesOf(ada.id)).toContain(made.id)

    await patch(`/Groups/${made.id}`, [{ op: 'add', path: 'members', value: [{ value: grace.id }, { value: ada.id }] }])
    expect(await filtered('/Users', `groups.value eq "${made.id}"`)).toHaveLength(2)
    expect(
      await filtered('/Groups', `members.value eq "${grace.id}" and displayName eq "${made.displayName}"`),
    ).toEqual([made.id])
    await patch(`/Groups/${made.id}`, [{ op: 'remove', path: `members[value eq "${ada.id}"]` }])
    expect([await rolesOf(ada.id), await rolesOf(grace.id)]).toEqual([
      expect.not.arrayContaining([made.id]),
      expect.arrayContaining([made.id]),
    ])
    // As Entra removes them.
    await patch(`/Groups/${made.id}`, [{ op: 'Remove', path: 'members', value: [{ value: grace.id }] }])
    expect(await rolesOf(grace.id)).not.toContain(made.id)

    const unknown = await patch(`/Groups/${made.id}`, [{ op: 'add', path: 'members', value: [{ value: 'nobody' }] }])
    expect([unknown.status, unknown.body.scimType]).toEqual([400, 'invalidValue'])
    const without = await provider.get(`${root}/Groups?excludedAttributes=members&count=500`, headers)
    expect(without.body.Resources.every((one: object) => !('members' in one))).toBe(true)
    expect((await provider.delete(`${root}/Groups/${made.id}`, headers)).status).toBe(204)
  })

  test('members that two requests add at once are both there', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, async () => (await create()).body.id as string))
    const made = await group()
    const answers = await Promise.all(
      people.map(value => patch(`/Groups/${made.id}`, [{ op: 'add', path: 'members', value: [{ value }] }])),
    )
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200))
    const { body } = await provider.get(`${root}/Groups/${made.id}`, headers)
    expect(body.members.map(({ value }: { value: string }) => value).sort()).toEqual(people.sort())
  })

  test('a change of an outdated version is refused, and changes at once lose nothing', async () => {
    const { body: made } = await create()
    const path = `/Users/${made.id}`
    const first = await patch(path, [{ op: 'replace', path: 'name.givenName', value: 'Ada' }], {
      'If-Match': made.meta.version,
    })
    expect(first.status).toBe(200)
    const stale = await patch(path, [{ op: 'replace', path: 'name.givenName', value: 'Eve' }], {
      'If-Match': made.meta.version,
    })
    expect(stale.status).toBe(412)
    await Promise.all([
      patch(path, [{ op: 'replace', path: 'name.familyName', value: 'King' }]),
      patch(path, [{ op: 'replace', path: 'preferredLanguage', value: 'fr' }]),
      patch(path, [{ op: 'replace', path: 'externalId', value: 'e-2' }]),
    ])
    expect((await provider.get(root + path, headers)).body).toMatchObject({
      name: { givenName: 'Ada', familyName: 'King' },
      preferredLanguage: 'fr',
      externalId: 'e-2',
    })
  })

  test('several operations run in one request, and later ones name earlier ones', async () => {
    const userName = fresh('bulk')
    const { status, body } = await provider.post(
      `${root}/Bulk`,
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        failOnErrors: 2,
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'u', data: { schemas: [userUrn], userName } },
          { method: 'POST', path: '/Users', bulkId: 'v', data: { schemas: [userUrn], userName } },
          {
            method: 'POST',
            path: '/Groups',
            bulkId: 'g',
            data: { schemas: [groupUrn], displayName: fresh('Bulk '), members: [{ value: 'bulkId:u' }] },
          },
          { method: 'PATCH', path: '/Users/bulkId:u', data: { Operations: [{ op: 'add', value: { active: false } }] } },
          { method: 'DELETE', path: '/Users/nobody' },
          { method: 'DELETE', path: '/Users/bulkId:u' },
        ],
      },
      headers,
    )
    expect(status).toBe(200)
    expect(body.Operations.map((one: { status: string }) => one.status)).toEqual(['201', '409', '201', '200', '404'])
    expect(await filtered('/Users', `userName eq "${userName}" and active eq false`)).toHaveLength(1)
  })

  test('lists are paged, sorted and cut to what is asked for', async () => {
    await create()
    const page = async (query: string) => (await provider.get(`${root}/Users?${query}`, headers)).body
    const all = await page('sortBy=userName')
    expect(all.Resources).toHaveLength(all.totalResults)
    const second = await page('sortBy=userName&startIndex=2&count=2&attributes=userName')
    expect(second).toMatchObject({ startIndex: 2, itemsPerPage: 2, totalResults: all.totalResults })
    expect(second.Resources).toEqual(
      all.Resources.slice(1, 3).map(({ schemas, id, userName }: Record<string, unknown>) => ({
        schemas,
        id,
        userName,
      })),
    )
    expect(await page('count=0')).toMatchObject({ totalResults: all.totalResults, Resources: [] })
    const found = await provider.post(`${root}/Users/.search`, { filter: 'userName eq "admin"', count: 1 }, headers)
    expect(found.body.Resources).toMatchObject([{ userName: 'admin' }])
    for (const filter of ['password eq "x"', 'userName eq', 'userName eq 1', `userName eq "${'x'.repeat(3000)}"`]) {
      const { status, body } = await provider.get(`${root}/Users?filter=${encodeURIComponent(filter)}`, headers)
      expect([status, body.schemas]).toEqual([400, [errorUrn]])
    }
  })

  test('only administrators come here, and keys only by their own scope', async () => {
    const [wide, other] = [await keyOf('admin', ['write']), await keyOf('client', ['scim:write'])]
    const statuses = async (who: Client) => [
      (await who.get(`${root}/Users`, headers)).status,
      (await who.post(`${root}/Users`, { schemas: [userUrn], userName: fresh('eve') }, headers)).status,
    ]
    expect(await statuses(service.as('anonymous'))).toEqual([401, 401])
    expect(await statuses(service.as('operator'))).toEqual([403, 403])
    expect(await statuses(wide)).toEqual([403, 403])
    expect(await statuses(other)).toEqual([403, 403])
    expect(await statuses(reader)).toEqual([200, 403])
    // The scope leads nowhere else.
    expect((await provider.get('/api/rest/userCredentials')).status).toBe(403)
    expect((await provider.get('/api/rest/users')).status).toBe(403)
  })

  test('a password is set and never shown, and the last administrator stays', async () => {
    const { body: made } = await create({ password: 'a copper kettle sings' })
    expect(JSON.stringify(made)).not.toContain('kettle')
    const signIn = await service
      .as('anonymous')
      .post('/api/auth/userDetails', { username: made.userName, password: 'a copper kettle sings' })
    expect(signIn.status).toBe(200)
    const weak = await patch(`/Users/${made.id}`, [{ op: 'replace', path: 'password', value: 'password1' }])
    expect([weak.status, weak.body.scimType]).toEqual([400, 'invalidValue'])
    const [admin] = await filtered('/Users', 'userName eq "admin"')
    const last = await patch(`/Users/${admin}`, [{ op: 'replace', path: 'active', value: false }])
    expect(last.status).toBe(409)
    const events = await service.as('admin').get('/api/management/auditevents?type=USER_CREATED')
    expect(JSON.stringify(events.body)).toContain(made.userName)
  })

  test('providers can ask what is supported', async () => {
    const { body } = await provider.get(`${root}/ServiceProviderConfig`, headers)
    expect(body).toMatchObject({ patch: { supported: true }, bulk: { supported: true }, etag: { supported: true } })
    const schemas = await provider.get(`${root}/Schemas`, headers)
    expect(schemas.body.Resources.map(({ id }: { id: string }) => id)).toEqual([userUrn, groupUrn])
    expect((await provider.get(`${root}/Schemas/${userUrn}`, headers)).body.name).toBe('User')
    expect((await provider.get(`${root}/ResourceTypes/Group`, headers)).body.endpoint).toBe('/Groups')
  })
})
