import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import app from '../../plinth.config.ts'
import { tasks } from './tasks.ts'

const json = { Accept: 'application/json' }

let service: TestService
beforeAll(async () => {
  // SQLite, unless the variable holds the address of a PostgreSQL server.
  service = await startPlinth({ app, database: process.env.TEST_DATABASE_URL })
})
afterAll(() => service?.stop())

test('a task is created, and completed once it is done', async () => {
  const alice = service.as('alice')
  const created = await alice.post('/api/rest/tasks', { title: 'Water the plants', due: '2030-05-01' }, json)
  expect(created).toMatchObject({ status: 201, body: { title: 'Water the plants', done: false } })
  const completed = await alice.post(`/api/rest/tasks/${created.body.pk}/complete`, undefined, json)
  expect(completed).toMatchObject({ status: 200, body: { done: true } })
  expect((await service.records.get(tasks, created.body.pk)).done).toBe(true)
})

test('a task needs a title', async () => {
  const refused = await service.as('alice').post('/api/rest/tasks', { notes: 'No title.' }, json)
  expect(refused.status).toBe(400)
})

test('tasks are for users who have signed in', async () => {
  expect((await service.anonymous.get('/api/rest/tasks', json)).status).toBe(401)
})
