// What is allowed in definitions and most likely a mistake is logged at the start; what modules override is theirs to answer.

import { testAll } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'
import { defineJob, hourMs } from '../../src/core/jobs/job.ts'
import type { AccessRules } from '../../src/core/model/access-rules.ts'
import { defineResource } from '../../src/core/model/define.ts'
import { text } from '../../src/core/model/fields.ts'
import type { Records } from '../../src/core/model/records.ts'
import { defineShape, manyOf } from '../../src/core/model/shape.ts'
import { defineModule } from '../../src/core/module.ts'
import { defineProblems } from '../../src/core/problem.ts'
import { defineEndpoint, type Endpoint } from '../../src/core/rest/endpoint.ts'
import { until } from '../../src/testing/waiting.ts'

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

const notes = defineResource('notes', {
  about: 'Notes.',
  label: 'title',
  fields: { title: text() },
  access: { read: 'true', write: 'caller.signedIn' },
})
const troubles = defineProblems({ too_late: { status: 409, title: 'Too late', meaning: 'Try earlier.' } })
const total = defineShape('NoteTotal', { count: text({ required: true }), remark: text() })

/** Passes a value as a cast or JavaScript would. */
const wrong = (value: unknown) => value as never

const endpoints = [
  { id: 'refuseNote', answers: { 200: notes }, run: () => Promise.reject(troubles('too_late')) },
  { id: 'noNote', answers: { 200: notes }, run: async () => wrong({ title: 'none' }) },
  { id: 'noTotal', answers: { 200: total }, run: async () => wrong({ remark: 'none' }) },
  { id: 'noTotals', answers: { 200: manyOf(total, 'totals') }, run: async () => wrong(undefined) },
  {
    id: 'oneByOne',
    answers: { 200: total },
    run: async ({ records }: { records: Records }) => {
      for (let at = 0; at < 60; at++) await records.first(notes, { where: { pk: String(at) } })
      return { count: '60', remark: null }
    },
  },
  { id: 'aTotal', answers: { 200: total }, run: async () => ({ count: '1', remark: null }) },
].map(one =>
  defineEndpoint({
    ...{ method: 'GET', summary: 'Try', access: 'true', path: `/api/rest/tries/${one.id}` },
    ...one,
  } as Parameters<typeof defineEndpoint>[0]),
)

const readNotes = defineJob({
  name: 'read-notes',
  everyMs: 24 * hourMs,
  run: async ({ records }) => void (await records.count(notes)),
})

const startNotes = async (isDevelopment = false) => {
  const lines: string[] = []
  const service = await startService('sqlite', {
    modules: [
      ...modules,
      defineModule({ name: 'notes', about: 'Notes.', resources: [notes], endpoints, jobs: [readNotes] }),
    ],
    logTo: { write: (line: string) => void lines.push(line) },
    settings: { 'app.log.level': isDevelopment ? 'info' : 'warn' },
    isDevelopment,
  })
  onTestFinished(service.stop)
  return { caller: service.as('staff'), admin: service.as('admin'), said: () => lines.join('') }
}

test('a problem that no module lists is warned of once, when it is thrown', async () => {
  const { caller, said } = await startNotes()
  for (const _ of [1, 2]) expect((await caller.get('/api/rest/tries/refuseNote')).body.code).toBe('too_late')
  expect(said().match(/the problem 'too_late' is in no module/g)).toHaveLength(1)
})

test('an endpoint that returns something else than it declares fails, and the log says what', async () => {
  const { caller, said } = await startNotes()
  for (const id of ['noNote', 'noTotal', 'noTotals'])
    expect((await caller.get(`/api/rest/tries/${id}`)).status).toBe(500)
  expect((await caller.get('/api/rest/tries/aTotal')).body).toEqual({ count: '1', remark: null })
  await expect
    .poll(said)
    .toContain("GET /api/rest/tries/noNote must return a record of notes, and returned an object without 'pk'.")
  expect(said()).toContain(
    "must return a value of the shape NoteTotal, and returned one without 'count', which is required.",
  )
  expect(said()).toContain('noTotals must return a list of the shape NoteTotal, and returned undefined.')
})

testAll('in development, the log says how many statements a request took, and warns of many', async () => {
  const { caller, admin, said } = await startNotes(true)
  // A request beside which work in the background runs is not counted.
  const untilLogged = (id: string, line: RegExp) =>
    until(`the line of ${id}`, async () => {
      expect((await caller.get(`/api/rest/tries/${id}`)).status).toBe(200)
      return line.test(said())
    })
  await untilLogged('aTotal', /"path":"\/api\/rest\/tries\/aTotal","status":200,[^}]*"statements":[1-9],/)
  await untilLogged('oneByOne', /GET \/api\/rest\/tries\/oneByOne sent \d+ statements to the database/)
  expect((await admin.post('/api/management/jobs/read-notes/run', undefined)).status).toBe(202)
  const ofRun = () =>
    said()
      .split('\n')
      .find(line => line.includes('"path":"/api/management/jobs/read-notes/run"'))
  await expect.poll(ofRun).toContain('"status":202')
  expect(ofRun()).not.toContain('"statements"')
  const usual = await startNotes()
  await usual.caller.get('/api/rest/tries/oneByOne')
  expect(usual.said()).not.toContain('statements')
})
