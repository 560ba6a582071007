// What is allowed in definitions and most likely a mistake is logged at the start; what modules override is theirs to answer.

import { expect, onTestFinished, test } from 'vitest'
import { type AccessRules, defineResource } from '../../src/core/model/define.ts'
import { text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { defineEndpoint, type Endpoint } from '../../src/core/rest/endpoint.ts'
import { modules } from '../support/platform.ts'
import { startService } from '../support/service.ts'

const books = (access: AccessRules) =>
  defineResource('books', { about: 'Books.', label: 'title', fields: { title: text() }, access })

const answering = (answer: string) => () => ({ status: 200, body: answer })

const library = (access: AccessRules) =>
  defineModule({
    name: 'library',
    about: 'A library.',
    resources: [books(access)],
    routes: () => [
      { method: 'GET', path: '/api/rest/books', handler: answering('overridden') },
      { method: 'POST', path: '/api/rest/books/{pk}/return', handler: answering('returned') },
      {
        method: 'POST',
        path: '/api/rest/books/{pk}/lend',
        handler: answering('lent'),
        describe: {
          id: 'lendBook',
          summary: 'Lend a book',
          path: { pk: 'The book.' },
          answers: { 200: { says: 'Lent.' } },
        },
      },
    ],
  })

const lending = defineEndpoint({
  method: 'POST',
  path: '/api/rest/loans',
  id: 'lendBooks',
  summary: 'Lend books',
  tag: 'books',
  access: "caller.has('ROLE_LIBRARIAN')",
  run: () => Promise.reject(new Error('this test does not call it')),
})

const start = async (access: AccessRules, settings: Record<string, string> = {}, endpoints: Endpoint[] = []) => {
  const lines: string[] = []
  const service = await startService('sqlite', {
    modules: [...modules, { ...library(access), endpoints: () => endpoints }],
    logTo: { write: (line: string) => void lines.push(line) },
    settings: { 'app.log.level': 'warn', ...settings },
  })
  onTestFinished(service.stop)
  const warnings = lines.map(line => JSON.parse(line)).filter(({ level }) => level === 'warn')
  return { service, warnings: warnings.map(({ msg }) => msg) }
}

const undescribed =
  "POST /api/rest/books/{pk}/return (module library) is missing from the OpenAPI document; give the endpoint an 'id'"

test('a resource without any rule and a route without a description are warned of', async () => {
  const { warnings } = await start({})
  expect(warnings).toEqual([
    "books: no operation has a rule, so every request is denied; see 'access' in its definition",
    undescribed,
  ])
})

test('a role in a rule that does not exist is warned of', async () => {
  const rules = { read: "caller.has('ROLE_STAFF', 'ROLE_STAF')", write: "caller.has('ROLE_ADMIN')" }
  const { warnings } = await start(rules, {}, [lending])
  expect(warnings).toEqual([
    'POST /api/rest/loans: the rule names the role ROLE_LIBRARIAN, which does not exist; create it',
    "books.read: the rule names the role ROLE_STAF, which does not exist; did you mean 'ROLE_STAFF'?",
    undescribed,
  ])
})

test('a rule from the configuration is a rule', async () => {
  const { warnings } = await start({}, { 'app.access.books.read': 'true' })
  expect(warnings).toEqual([undescribed])
})

test('a route at the address of a generic endpoint takes its place, and only that', async () => {
  const { service } = await start({ read: 'true', write: 'caller.signedIn' })
  expect((await service.as('anonymous').get('/api/rest/books')).text).toBe('overridden')
  const made = await service.as('staff').post('/api/rest/books', { title: 'T' })
  expect(made.status).toBe(201)
  expect((await service.as('anonymous').get(`/api/rest/books/${made.body.pk}`)).body.title).toBe('T')
})
