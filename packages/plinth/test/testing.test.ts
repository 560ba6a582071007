// `plinth/testing`, as the tests of an application use it.

import { testAll } from '@plinth/test-kit/extent'
import { defineModule, defineResource, defineSettings, integer, ref, text, users } from 'plinth'
import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const librarySettings = defineSettings('app.library', { loanDays: integer({ default: 21 }) })

const books = defineResource('books', {
  about: 'Books.',
  label: 'title',
  fields: { title: text({ required: true }), owner: ref('users') },
  access: { read: 'true', create: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

const library = defineModule({
  name: 'library',
  about: 'Books.',
  settings: [librarySettings],
  resources: [books],
  seeds: [
    { name: 'library.classics', run: async ({ records }) => void (await records.create(books, { title: 'Emma' })) },
  ],
})

let service: TestService
beforeAll(async () => {
  service = await startPlinth({ modules: [library], settings: { 'app.library.loanDays': '7' } })
})
afterAll(() => service.stop())

test('users are created when a test first acts as them, with the roles that it gives them', async () => {
  const created = await service.as('alice').post('/api/rest/books', { title: 'Persuasion' })
  expect(created.status).toBe(201)
  const { pk } = created.body
  expect((await service.as('alice').patch(`/api/rest/books/${pk}`, { title: 'x' })).status).toBe(403)
  const changed = await service.as('bob', { roles: ['ROLE_STAFF'] }).patch(`/api/rest/books/${pk}`, { title: 'x' })
  expect(changed.status).toBe(200)
  expect((await service.anonymous.post('/api/rest/books', { title: 'x' })).status).toBe(401)
  expect((await service.as('admin').get('/api/rest/users')).status).toBe(200)
})

test('seeds have run, and records can be read and written without HTTP', async () => {
  const alice = await service.records.first(users, { where: { username: 'admin' } })
  const book = await service.records.create(books, { title: 'Sanditon', owner: alice?.pk })
  expect(await service.records.count(books, { where: { title: 'Emma' } })).toBe(1)
  expect((await service.anonymous.get(`/api/rest/books/${book.pk}`)).body.title).toBe('Sanditon')
})

test('the clock can be set and moved', async () => {
  service.clock.set('2030-05-01T12:00:00Z')
  const made = await service.as('admin').post('/api/rest/books', { title: 'Lady Susan' })
  expect(made.body.createdDate).toBe('2030-05-01T12:00:00.000Z')
  service.clock.advance({ days: 1, minutes: 30 })
  expect(service.clock.now().toISOString()).toBe('2030-05-02T12:30:00.000Z')
  expect(() => service.clock.set('yesterday')).toThrow("'yesterday' is not a date")
})

test('mails and changes are there once the service is idle', async () => {
  const before = service.events().length
  const password = 'nine crooked lanterns'
  const registration = { username: 'carol', email: 'carol@example.com', password, passwordConfirmation: password }
  expect((await service.anonymous.post('/api/auth/account', registration)).status).toBe(201)
  await service.idle()
  expect(service.mails().map(({ recipient }) => recipient)).toEqual(['carol@example.com'])
  expect(service.mails()[0]?.text).toContain(`${service.url}/client/`)
  await service.records.create(books, { title: 'Evelina' })
  await service.idle()
  expect(service.events().slice(before).at(-1)).toMatchObject({ type: 'created', resource: 'books' })
})

testAll('PostgreSQL tests run on a database of their own, which is gone afterwards', async () => {
  const other = await startPlinth({ modules: [library], database: inject('postgresUrl') })
  expect((await other.as('alice').get('/api/rest/books')).body.content).toHaveLength(1)
  await other.stop()
  await expect(other.anonymous.get('/api/rest/books')).rejects.toThrow('The connection was lost')
})
