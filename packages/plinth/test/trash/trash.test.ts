// The trash: deleted records come back as they were, with all that was deleted with them.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { people, strategyOf } from '@plinth/test-kit/rental-store'
import { type Client, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { upload } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { where } from '../../src/core/model/query.ts'
import type { Parsed } from '../../src/testing/client.ts'

const json = { Accept: 'application/json' }
const password = 'a long enough secret 7'
const day = 24 * 3600_000

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  let staff: Client
  let passed = 0
  beforeAll(async () => {
    service = await startService(database, { clock: () => new Date(Date.now() + passed) })
    admin = service.as('admin')
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const make = async (resource: string, fields: object, client = admin): Promise<Parsed> => {
    const made = await client.post(`/api/rest/${resource}`, fields, json)
    expect(made).toHaveStatus(201)
    return made.body
  }
  const read = async (path: string, client = admin): Promise<Parsed> => {
    const found = await client.get(path, json)
    expect(found, `${path}`).toHaveStatus(200)
    return found.body
  }
  const remove = async (path: string, client = admin): Promise<void> => {
    const removed = await client.delete(path)
    expect(removed, `${path}`).toHaveStatus(204)
  }
  const restore = (path: string, client = admin) => client.post(`${path}/restore`, undefined, json)
  const trashOf = async (resource: string, client = admin): Promise<string[]> =>
    (await read(`/api/rest/${resource}?trash=only&_ps=100`, client)).content.map((one: Parsed) => one.pk)

  let serial = 0
  const newPerson = async (email?: string) => {
    serial += 1
    const username = `trashed${serial}`
    const { pk } = await make('users', { username, password, ...(email && { email }) })
    const client = clientFor(service.url, { Authorization: `Basic ${btoa(`${username}:${password}`)}` })
    return { pk, username, client, path: `/api/rest/users/${pk}` }
  }

  test('a deleted user comes back with password, details, keys, friendships, roles and files', async () => {
    const { pk, client, path, username } = await newPerson('back@example.org')
    const contact = `/api/rest/contactDetails/${pk}`
    await make('friendships', { owner: pk, friend: people.simple }, client)
    const key = (
      await make(
        'apiKeys',
        { name: 'Mine', scopes: ['read'], expirationDate: new Date(Date.now() + 90 * day).toISOString() },
        client,
      )
    ).key
    const withKey = clientFor(service.url, { Authorization: `Bearer ${key}` })
    await admin.put(`/api/rest/personalDetails/${pk}`, { birthDay: '1990-01-01' })
    const sent = await upload(service, { as: 'admin', to: `${path}/files` }, { note: 'kept' })
    expect(sent.status).toBe(201)
    const paths = [path, contact, `/api/rest/personalDetails/${pk}`, `/api/rest/friendships/${pk}_${people.simple}`]
    const states = async () => Promise.all(paths.map(one => read(one, one.includes('friendships') ? client : admin)))
    const before = await states()
    expect((await withKey.get(path, json)).status).toBe(200)

    await remove(path)
    for (const one of paths.slice(0, 3)) expect((await admin.get(one)).status).toBe(404)
    for (const one of [client, withKey]) expect((await one.get(path)).status).toBe(401)
    expect(await trashOf('users')).toContain(pk)
    const response = await admin.get(`${path}?trash=only`, json)
    expect(response).toMatchObject({ status: 200, body: { pk, username } })
    expect(response.text).not.toMatch(/passwordHash|\$argon/)
    expect((await admin.post('/api/management/jobs/remove-old-files/run', {})).status).toBe(202)
    await service.jobsEnded()

    const { events } = service.app.platform.store
    await events.arrange()
    const { latest } = await events.window()
    expect(await restore(path)).toMatchObject({ status: 200, body: { pk, username } })
    await events.arrange()
    const published = await events.read({ after: latest, upTo: latest + 100, limit: 100 })
    expect(published).toContainEqual(expect.objectContaining({ type: 'created', resource: 'users', pk }))
    // Every sign-in counts as a visit.
    const visited = { lastVisit: expect.any(String), lastModifiedDate: expect.any(String), version: expect.any(Number) }
    expect(await states()).toEqual([{ ...before[0], ...visited }, ...before.slice(1)])
    expect((await withKey.get(path, json)).status).toBe(200)
    expect((await admin.get(`${path}/files/note`)).text).toBe('kept')
    expect(await trashOf('users')).not.toContain(pk)
    expect((await restore(path)).status).toBe(404)
    const { content } = await read(`${path}/history`)
    const changes: string[] = content.map((one: Parsed) => one.change).filter((change: string) => change !== 'updated')
    expect(changes).toEqual(['restored', 'deleted', 'created'])
    const audited = await read('/api/management/auditevents?type=USER_RESTORED&principal=admin')
    expect(audited.events.at(-1).data).toMatchObject({ user: username })
  })

  test('links and references to a deleted record come back, and versions stay', async () => {
    const actor = await make('filmActors', { firstName: 'Ann', lastName: 'Lee' })
    const fields = { title: 'Links', pricingStrategy: strategyOf('regular'), filmActors: [actor.pk] }
    const film = await make('films', fields, staff)
    const paths = [`/api/rest/films/${film.pk}`, `/api/rest/filmActors/${actor.pk}`]
    const before = await Promise.all(paths.map(one => read(one)))
    for (const path of [...paths].reverse()) await remove(path)
    for (const path of paths) expect((await restore(path)).status).toBe(200)
    expect(await Promise.all(paths.map(one => read(one)))).toEqual(before)
  })

  testAll('a friendship of two deleted users is back when both are, in any order', async () => {
    const [first, second] = [await newPerson(), await newPerson()]
    await make('friendships', { owner: first.pk, friend: second.pk }, first.client)
    const own = `/api/rest/friendships/${first.pk}_${second.pk}`
    const before = await read(own, first.client)
    await remove(first.path)
    await remove(second.path)
    expect((await restore(first.path)).status).toBe(200)
    expect((await first.client.get(own)).status).toBe(404)
    expect((await restore(second.path)).status).toBe(200)
    expect(await read(own, first.client)).toEqual(before)
  })

  test('a place that is restored has the present path of its parent', async () => {
    await make('countries', { pk: 'QP', name: 'Quarterland', parent: 'EU' })
    const { pk } = await make('localities', { pk: 'QP-L', name: 'Lower town', parent: 'QP' })
    await make('localities', { pk: 'QP-M', name: 'Middle town', parent: 'QP' })
    await remove(`/api/rest/localities/${pk}`)
    expect((await admin.patch('/api/rest/countries/QP', { name: 'Halfland' })).status).toBe(200)
    const { body } = await restore(`/api/rest/localities/${pk}`)
    const { path: parentPath, pathLevel } = await read('/api/rest/countries/QP')
    expect(body).toMatchObject({ path: `${parentPath}: Lower town`, pathLevel: pathLevel + 1 })
    expect(parentPath).toContain('Halfland')
    // Where nothing has changed, nothing is written.
    const { version } = await read('/api/rest/localities/QP-M')
    await remove('/api/rest/localities/QP-M')
    expect((await restore('/api/rest/localities/QP-M')).body).toMatchObject({ version })
  })

  test('unique values are free for others; a restored record must have its own', async () => {
    const { path, username } = await newPerson()
    await remove(path)
    const other = await make('users', { username: username.toUpperCase(), password })
    expect(await restore(path)).toMatchObject({
      status: 409,
      body: { detail: 'Another record of users has this username.', errors: [{ member: 'username', code: 'taken' }] },
    })
    await remove(`/api/rest/users/${other.pk}`)
    expect((await restore(path)).status).toBe(200)
  })

  test('a record is not restored without those that it must refer to', async () => {
    const parent = await make('filmCategories', { name: 'Parent of trash' })
    const child = await make('filmCategories', { name: 'Child of trash', parent: parent.pk })
    const [above, path] = [`/api/rest/filmCategories/${parent.pk}`, `/api/rest/filmCategories/${child.pk}`]
    await remove(path)
    await remove(above)
    const refusal = { status: 409, body: { errors: [{ member: 'parent', code: 'missing' }] } }
    const first = await restore(path)
    expect(first).toMatchObject(refusal)
    expect(first.body.detail).toContain('restore that record first')
    await remove(`${above}?trash=only`)
    const { events } = await read('/api/management/auditevents?type=RECORD_PURGED')
    expect(events).toMatchObject([{ principal: 'admin', data: { resource: 'filmCategories', pk: parent.pk } }])
    const second = await restore(path)
    expect(second).toMatchObject(refusal)
    expect(second.body.detail).toContain('no longer exists')
    expect((await restore(above)).status).toBe(404)
  })

  test('the trash shows callers what they have deleted, and administrators everything', async () => {
    const mine = await make('filmActors', { firstName: 'Mine', lastName: 'Own' }, staff)
    const others = await make('filmActors', { firstName: 'Of', lastName: 'Admin' })
    const [own, foreign] = [`/api/rest/filmActors/${mine.pk}`, `/api/rest/filmActors/${others.pk}`]
    await remove(own, staff)
    await remove(foreign)
    expect(await trashOf('filmActors', staff)).toEqual([mine.pk])
    expect(await trashOf('filmActors')).toEqual(expect.arrayContaining([mine.pk, others.pk]))
    expect(await read(`/api/rest/filmActors?trash=only&firstName=Mine&_total=exact`)).toMatchObject({
      content: [{ pk: mine.pk, name: 'Mine Own' }],
      page: { totalElements: 1 },
    })
    const deletions = await read('/api/rest/filmActors?trash=only&_ps=1')
    expect(deletions.content).toMatchObject([
      {
        pk: others.pk,
        deletedDate: expect.stringMatching(/^\d.*Z$/),
        deletedBy: { pk: people.admin, username: 'admin' },
      },
    ])
    const next = new URL(deletions.links.find((one: Parsed) => one.rel === 'next').href)
    expect((await read(`${next.pathname}${next.search}`)).content).toMatchObject([
      { pk: mine.pk, deletedBy: { pk: people.staff } },
    ])
    const since = `deletedDate=ge=${deletions.content[0].deletedDate};deletedBy.username==admin`
    expect((await read(`/api/rest/filmActors?trash=only&filter=${since}`)).content).toHaveLength(1)
    expect(await read(`${own}?trash=only`, staff)).toMatchObject({ deletedBy: { pk: people.staff } })
    expect(await read(`/api/rest/filmActors/${mine.pk}?trash=only&fields=deletedDate`)).not.toHaveProperty('deletedBy')
    for (const type of ['application/hal+json', 'application/vnd.api+json', 'application/xml'])
      expect((await admin.get('/api/rest/filmActors?trash=only', { Accept: type })).status).toBe(200)
    for (const path of [foreign, own.replace(mine.pk, people.admin)]) {
      expect((await restore(path, staff)).status).toBe(404)
      expect((await staff.delete(`${path}?trash=only`)).status).toBe(404)
    }
    const [simple, anonymous] = [service.as('simple'), service.as('anonymous')]
    for (const path of ['/api/rest/filmActors', own])
      for (const [client, status] of [
        [simple, 403],
        [anonymous, 401],
      ] as const)
        expect((await client.get(`${path}?trash=only`, json)).status).toBe(status)
    expect((await restore(own, simple)).status).toBe(403)
    expect((await restore(own, anonymous)).status).toBe(401)
    expect((await restore(own, staff)).status).toBe(200)
    const refused = [
      '/api/rest/userAgents?trash=only',
      '/api/rest/films?trash=yes',
      '/api/rest/films?trash=only&_export=csv',
    ]
    for (const path of refused) expect([path, (await admin.get(path, json)).status]).toEqual([path, 400])
  })

  test('a list of the trash costs what it reads: no index serves it', async () => {
    const { parts } = await read('/api/rest/hosts?trash=only&sort=pk&explain=cost')
    expect(parts).toContainEqual(expect.objectContaining({ part: 'trash' }))
  })

  test('webhooks are deleted for good: a restored one would pass no check of a new one', async () => {
    const refused = await admin.get('/api/rest/webhooks?trash=only', json)
    expect([refused.status, refused.body.errors[0].parameter]).toEqual([400, 'trash'])
  })

  testAll('a record that was deleted twice is restored as it was last', async () => {
    const path = '/api/rest/countries/XT'
    const put = async (name: string) => expect((await admin.put(path, { name, continent: 'EU' })).status).toBe(201)
    await put('First')
    await remove(path)
    await put('Second')
    await remove(path)
    expect((await read('/api/rest/countries?trash=only&filter=pk==XT')).content).toMatchObject([{ name: 'Second' }])
    expect(await restore(path)).toMatchObject({ status: 200, body: { name: 'Second' } })
    expect((await restore(path)).status).toBe(409)
    await remove(path)
    for (const name of ['Second', 'First']) {
      expect((await read(`${path}?trash=only`)).name).toBe(name)
      await remove(`${path}?trash=only`)
    }
    expect((await admin.get(`${path}?trash=only`)).status).toBe(404)
  })

  test('records are deleted for good after some days, and their files with them', async () => {
    const { path, pk } = await newPerson()
    expect((await upload(service, { as: 'admin', to: `${path}/files` }, { note: 'gone' })).status).toBe(201)
    await remove(path)
    passed = 29 * day
    const run = async (job: string) => {
      expect((await admin.post(`/api/management/jobs/${job}/run`, {})).status).toBe(202)
      await service.jobsEnded()
    }
    const { store } = service.app.platform
    const files = store.resource('files')
    const countFiles = () => store.count(files, where(files, { owner: pk }))
    for (const job of ['sweep-trash', 'remove-old-files']) await run(job)
    expect([await trashOf('users'), await countFiles()]).toEqual([expect.arrayContaining([pk]), 1])
    passed = 31 * day
    for (const job of ['sweep-trash', 'remove-old-files']) await run(job)
    expect([await trashOf('users'), await countFiles()]).toEqual([[], 0])
  })
})
