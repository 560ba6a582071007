import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import app from '../../plinth.config.ts'
import { books } from './books.ts'
import { loans } from './loans.ts'

const json = { Accept: 'application/json' }

let service: TestService
beforeAll(async () => {
  service = await startPlinth({ app, settings: { 'app.library.loanDays': '14' }, now: '2030-05-01T12:00:00Z' })
})
afterAll(() => service?.stop())

const waves = async () => {
  const book = await service.records.first(books, { where: { title: 'The Waves' } })
  if (!book) throw new Error('the seed has not run')
  return book
}

test('books are sorted without their article', async () => {
  const { body } = await service.anonymous.get('/api/rest/books?sort=sortTitle', json)
  expect(body.content.map((book: { title: string }) => book.title)).toEqual(['Emma', 'The Waves'])
})

test('a loan takes a copy, is due after the days of the setting, and is refused when there is none left', async () => {
  const book = await waves()
  const loan = await service.as('alice').post('/api/rest/loans', { book: book.pk }, json)
  expect(loan.status).toBe(201)
  expect(loan.body).toMatchObject({ due: '2030-05-15', returned: null })
  expect((await waves()).copies).toBe(0)
  const refused = await service.as('bob').post('/api/rest/loans', { book: book.pk }, json)
  expect(refused).toMatchObject({ status: 409, body: { code: 'no_copies' } })
})

test('users see their own loans, and the staff all of them', async () => {
  const seenBy = async (name: string) => (await service.as(name).get('/api/rest/loans', json)).body.content.length
  expect(await seenBy('alice')).toBe(1)
  expect(await seenBy('bob')).toBe(0)
  expect(await seenBy('staff')).toBe(1)
})

test('a job marks loans that are overdue', async () => {
  service.clock.set('2030-05-16T12:00:00Z')
  const path = '/api/management/jobs/mark-overdue-loans/run'
  await expect.poll(async () => (await service.as('admin').post(path, undefined)).status).toBe(202)
  await expect.poll(() => service.records.count(loans, { where: { overdue: true } })).toBe(1)
})

test('the staff returns a book once, and its copy is back', async () => {
  const [loan] = await service.records.find(loans)
  const path = `/api/rest/loans/${loan?.pk}/return`
  expect((await service.as('alice').post(path, undefined, json)).status).toBe(403)
  const returned = await service.as('staff').post(path, undefined, json)
  expect(returned).toMatchObject({ status: 200, body: { returned: '2030-05-16T12:00:00.000Z', overdue: false } })
  expect((await waves()).copies).toBe(1)
  expect(await service.as('staff').post(path, undefined, json)).toMatchObject({
    status: 409,
    body: { code: 'returned' },
  })
})
