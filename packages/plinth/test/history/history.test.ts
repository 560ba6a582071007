// The history of records: who changed what, records as they were, and versions restored.

import { featureDatabases } from '@plinth/test-kit/databases'
import { people, strategyOf } from '@plinth/test-kit/rental-store'
import { type Client, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Parsed } from '../../src/testing/client.ts'

const json = { Accept: 'application/json' }

/** Each look at the clock is later than the one before. */
const tickingClock = () => {
  let time = Date.now()
  return () => new Date(time++)
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  let staff: Client
  let simple: Client
  const clock = tickingClock()
  beforeAll(async () => {
    service = await startService(database, { clock })
    admin = service.as('admin')
    staff = service.as('staff')
    simple = service.as('simple')
  })
  afterAll(() => service.stop())

  const make = async (resource: string, fields: object): Promise<Parsed> => {
    const made = await staff.post(`/api/rest/${resource}`, fields, json)
    expect(made).toHaveStatus(201)
    return made.body
  }
  const historyOf = async (path: string, client = admin): Promise<Parsed> => {
    const found = await client.get(`${path}/history`, json)
    expect(found).toHaveStatus(200)
    return found.body
  }
  const now = (): string => clock().toISOString()

  test('a record tells who changed which fields, when and from where', async () => {
    const { pk } = await make('filmActors', { firstName: 'Ann', lastName: 'Lee' })
    const path = `/api/rest/filmActors/${pk}`
    await admin.patch(path, { lastName: 'Ray' }, { 'X-Request-Id': 'req-1' })
    const { content } = await historyOf(path)
    expect(content).toMatchObject([
      {
        version: 2,
        change: 'updated',
        by: { pk: people.admin, username: 'admin' },
        address: '127.0.0.1',
        requestId: 'req-1',
        fields: [
          { field: 'lastName', before: 'Lee', after: 'Ray' },
          { field: 'name', before: 'Ann Lee', after: 'Ann Ray' },
        ],
      },
      {
        version: 1,
        change: 'created',
        by: { pk: people.staff, username: 'staff' },
        fields: expect.arrayContaining([{ field: 'firstName', before: null, after: 'Ann' }]),
      },
    ])
    for (const client of [simple, staff]) expect((await client.get(`${path}/history`)).status).toBe(403)
    expect((await service.as('anonymous').get(`${path}/history`)).status).toBe(401)
  })

  test('embedded links and references are part of it, also when changed through a relation', async () => {
    const [first, second] = [
      await make('filmActors', { firstName: 'A', lastName: 'One' }),
      await make('filmActors', { firstName: 'B', lastName: 'Two' }),
    ]
    const film = await make('films', { title: 'Links', pricingStrategy: strategyOf('regular'), filmActors: [first.pk] })
    const path = `/api/rest/films/${film.pk}`
    const before = now()
    const linkage = { data: [{ type: 'filmActors', id: second.pk }] }
    const added = await admin.post(`${path}/relationships/filmActors`, linkage, {
      'Content-Type': 'application/vnd.api+json',
    })
    expect(added).toHaveStatus(added.status < 300 ? added.status : 204)
    const { content } = await historyOf(path)
    expect(content[0].fields).toMatchObject([
      { field: 'filmActors', before: [{ pk: first.pk }], after: [{ pk: first.pk }, { pk: second.pk }] },
    ])
    const past = await admin.get(`${path}?asOf=${before}`, json)
    expect(past.body.filmActors).toMatchObject([{ pk: first.pk }])
    expect((await admin.get(path, json)).body.filmActors).toHaveLength(2)
  })

  test('asOf shows one record and lists as they were', async () => {
    const { pk } = await make('filmCategories', { name: 'Zebra films' })
    const path = `/api/rest/filmCategories/${pk}`
    const early = await admin.get(path, json)
    const before = now()
    await admin.patch(path, { name: 'Horse films' })
    const between = now()
    expect((await admin.delete(path)).status).toBe(204)
    const after = now()
    const list = async (moment: string, filter: string): Promise<Parsed> => {
      const found = await admin.get(`/api/rest/filmCategories?asOf=${moment}&filter=${filter}`, json)
      expect(found).toHaveStatus(200)
      return found.body.content.map((one: Parsed) => one.pk)
    }
    expect((await admin.get(`${path}?asOf=${before}`, json)).body).toEqual(early.body)
    expect((await admin.get(`${path}?asOf=${between}`, json)).body.name).toBe('Horse films')
    expect((await admin.get(`${path}?asOf=${after}`, json)).status).toBe(404)
    expect(await list(before, 'name==Zebra*')).toEqual([pk])
    expect(await list(before, 'name==*ebra*')).toEqual([pk])
    expect(await list(between, 'name==Zebra*')).toEqual([])
    expect(await list(between, 'name==Horse*')).toEqual([pk])
    expect(await list(after, 'name==Horse*')).toEqual([])
    expect((await historyOf(path)).content.map((one: Parsed) => one.change)).toEqual(['deleted', 'updated', 'created'])
  })

  test('what a deletion clears in other records is there as it was', async () => {
    const gone = await make('filmActors', { firstName: 'G', lastName: 'One' })
    const film = await make('films', { title: 'Clears', pricingStrategy: strategyOf('regular'), filmActors: [gone.pk] })
    const path = `/api/rest/films/${film.pk}`
    const before = now()
    expect((await admin.delete(`/api/rest/filmActors/${gone.pk}`)).status).toBe(204)
    const { content } = await historyOf(path)
    expect(content[0].fields).toMatchObject([{ field: 'filmActors', before: [{ pk: gone.pk }], after: [] }])
    expect((await admin.get(`${path}?asOf=${before}`, json)).status).toBe(200)
  })

  test('a version is restored as the caller could write it', async () => {
    const { pk } = await make('filmActors', { firstName: 'Old', lastName: 'Name' })
    const path = `/api/rest/filmActors/${pk}`
    await staff.patch(path, { firstName: 'New' })
    await staff.patch(path, { lastName: 'Other' })
    for (const client of [simple, staff]) expect((await client.post(`${path}/history/1/restore`, {})).status).toBe(403)
    const restored = await admin.post(`${path}/history/1/restore`, undefined, json)
    expect(restored).toMatchObject({ status: 200, body: { firstName: 'Old', lastName: 'Name', version: 4 } })
    expect((await admin.post(`${path}/history/9/restore`, undefined, json)).status).toBe(404)
    for (const version of ['one', '1.5', '0', '-1'])
      expect((await admin.post(`${path}/history/${version}/restore`, undefined, json)).status).toBe(400)
    const stale = await admin.post(`${path}/history/1/restore`, undefined, { ...json, 'If-Match': '"1"' })
    expect(stale.status).toBe(412)
    expect((await historyOf(path)).content).toHaveLength(4)
  })

  test('pages follow one another, in every format', async () => {
    const { pk } = await make('filmActors', { firstName: 'P', lastName: '0' })
    const path = `/api/rest/filmActors/${pk}`
    for (const lastName of ['1', '2', '3']) await staff.patch(path, { lastName })
    const first = await admin.get(`${path}/history?_ps=3`, json)
    expect(first.body.content.map((one: Parsed) => one.version)).toEqual([4, 3, 2])
    const { href } = first.body.links.find((one: Parsed) => one.rel === 'next')
    const second = await admin.get(href, json)
    expect(second.body.content).toMatchObject([{ version: 1, change: 'created' }])
    expect(second.body.content[0].fields).toContainEqual({ field: 'lastName', before: null, after: '0' })
    for (const type of ['application/hal+json', 'application/vnd.api+json', 'application/xml'])
      expect((await admin.get(`${path}/history`, { Accept: type })).status).toBe(200)
  })

  test('the past is for administrators, also of records that callers may read', async () => {
    const path = `/api/rest/personalDetails/${people.client}`
    await admin.put(path, { birthDay: '1990-01-01' })
    const before = now()
    await admin.put(path, { birthDay: '1990-01-02' })
    for (const client of [service.as('client'), simple]) {
      expect((await client.get(`${path}/history`)).status).toBe(403)
      expect((await client.get(`${path}?asOf=${before}`)).status).toBe(403)
      expect((await client.get(`/api/rest/personalDetails?asOf=${before}`, json)).status).toBe(403)
    }
    expect((await service.as('anonymous').get(`/api/rest/countries?asOf=${before}`, json)).status).toBe(401)
    expect((await admin.get(`${path}?asOf=${before}`, json)).body.birthDay).toBe('1990-01-01')
    expect((await admin.get(`/api/rest/countries?asOf=${before}&_export=csv`)).status).toBe(400)
  })

  test('secrets and mere use are in no history', async () => {
    const path = `/api/rest/userCredentials/${people.client}`
    await admin.patch(path, { password: 'a long enough password' }, { 'Content-Type': 'application/json' })
    const { text } = await admin.get(`${path}/history`, json)
    expect(text).not.toMatch(/password"|hash|\$argon|lastLogin|loginAttempts/)
  })

  test('a sign-in changes nothing that the history holds', async () => {
    const [username, password] = ['first-visit', 'a long sentence of my own']
    const { pk } = (await admin.post('/api/rest/users', { username, password }, json)).body
    const path = `/api/rest/users/${pk}`
    const before = await historyOf(path)
    const person = clientFor(service.url, { Authorization: `Basic ${btoa(`${username}:${password}`)}` })
    expect((await person.get(path, json)).body.lastVisit).not.toBeNull()
    expect(await historyOf(path)).toEqual(before)
  })

  test('a moment before the history, or a resource without one, is refused', async () => {
    const early = await admin.get('/api/rest/films?asOf=2001-01-01T00:00:00Z', json)
    expect(early).toMatchObject({ status: 400, body: { errors: [{ parameter: 'asOf', code: 'bad_value' }] } })
    const without = await admin.get(`/api/rest/userAgents?asOf=${now()}`, json)
    expect(without).toMatchObject({ status: 400, body: { errors: [{ code: 'no_history' }] } })
    expect((await admin.get('/api/rest/films?asOf=yesterday', json)).status).toBe(400)
  })
})
