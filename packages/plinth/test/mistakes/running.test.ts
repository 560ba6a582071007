// Mistakes of an application that show only while it runs: the log of a developer names the place and the remedy, and others are served.

import { setTimeout as sleep } from 'node:timers/promises'
import { modules } from '@plinth/test-kit/platform'
import { type Answer, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { integer, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { defineProblems } from '../../src/core/problem.ts'
import { type Call, defineEndpoint } from '../../src/core/rest/endpoint.ts'
import { until } from '../../src/testing/waiting.ts'

/** A value as a cast or JavaScript would pass it. */
const wrong = (value: unknown) => value as never

const open = { read: 'true', write: 'true' }
const notes = defineResource('notes', {
  about: 'Notes.',
  label: 'name',
  fields: { name: text({ required: true }), size: integer() },
  access: { read: "caller.has('ROLE_TECHNICAN') || true", write: 'true' },
  hooks: {
    beforeCreate: async ({ values }) => {
      if (values.name === 'fails') throw new Error('no ink')
      if (values.name === 'has a wrong type') values.size = wrong('large')
      if (values.name === 'has an unknown field') Object.assign(values, { sise: 3 })
      // Stands for a request to another service.
      if (values.name === 'waits') await sleep(400)
    },
    afterCreate: async ({ values, records }) => {
      if (values.name === 'forgets') records.create(drafts, { name: 'by the hook' })
    },
  },
})
const drafts = defineResource('drafts', { about: 'Drafts.', label: 'name', fields: { name: text() }, access: open })
const closed = defineResource('closed', {
  about: 'Closed to all.',
  label: 'name',
  fields: { name: text() },
  access: {},
})

const troubles = defineProblems({ too_late: { status: 409, title: 'Too late', meaning: 'Try earlier.' } })

const trial = (id: string, run: (call: Call) => Promise<unknown>) =>
  defineEndpoint({
    ...{ method: 'GET', path: `/api/trials/${id}`, id, summary: 'Try', access: 'true', answers: { 200: notes } },
    run: async call => wrong(await run(call)),
  })

const library = defineModule({
  name: 'library',
  about: 'A library.',
  resources: [notes, drafts, closed],
  // As hashing the passwords of demo users does.
  seeds: [{ name: 'library.slow', run: () => sleep(400) }],
  endpoints: [
    trial('anyValue', async () => ({ title: 'none' })),
    trial('missing', ({ records }) => records.get(notes, 'none')),
    trial('noProblem', () => Promise.reject(troubles('too_late'))),
    trial('oneByOne', async ({ records }) => {
      for (let at = 0; at < 60; at++) await records.first(notes, { where: { pk: String(at) } })
      return records.create(notes, { name: 'counted' })
    }),
  ],
})

let service: TestService
const lines: string[] = []
beforeAll(async () => {
  service = await startService('sqlite', {
    modules: [...modules, library],
    logTo: { write: (line: string) => void lines.push(line) },
    settings: { 'app.log.level': 'info' },
    isDevelopment: true,
  })
})
afterAll(() => service.stop())

const here = String.raw`test/mistakes/running\.test\.ts:\d+`
const said = (pattern: string): Promise<unknown> =>
  until(`the log to match ${pattern}`, () => new RegExp(pattern).test(lines.join('')))
const note = (name: string): Promise<Answer> => service.as('staff').post('/api/rest/notes', { name })
const call = (id: string): Promise<Answer> => service.as('staff').get(`/api/trials/${id}`)

test('a seed may take its time: no caller waits for it', () => {
  expect(lines.join('')).toContain('library.slow')
  expect(lines.join('')).not.toContain('seed library.slow')
})

test('a role that does not exist is warned of', () =>
  said('notes\\.read: the rule names the role ROLE_TECHNICAN, which does not exist; (create it|did you mean)'))

test('so is a resource without rules', () =>
  said("closed: no operation has a rule, so every request is denied; see 'access' in its definition"))

test('an endpoint that returns something else than it declares fails', async () => {
  expect((await call('anyValue')).status).toBe(500)
  await said("GET /api/trials/anyValue must return a record of notes, and returned an object without 'pk'")
})

test('a problem that no module lists is warned of when it is thrown', async () => {
  expect((await call('noProblem')).body.code).toBe('too_late')
  await said("the problem 'too_late' is in no module")
})

test('a query for each record is warned of', async () => {
  const warning = /GET \/api\/trials\/oneByOne sent \d+ statements to the database/
  // A request beside which work in the background runs is not counted.
  await until('the warning', async () => {
    expect((await call('oneByOne')).status).toBe(200)
    return warning.test(lines.join(''))
  })
})

test('a record that code does not find is not named to the caller', async () => {
  const { status, text } = await call('missing')
  expect(status).toBe(404)
  expect(text).not.toContain('none')
})

test('a hook that throws fails the request, and the log has its line', async () => {
  const { status, body } = await note('fails')
  expect([status, body.code]).toEqual([500, 'internal'])
  await said(`no ink[^}]*${here}`)
})

test('a hook that writes a value of another type fails with the field', async () => {
  expect((await note('has a wrong type')).status).toBe(500)
  await said('notes\\.size')
})

test('a hook that writes an unknown field fails with the name that was probably meant', async () => {
  expect((await note('has an unknown field')).status).toBe(500)
  await said("notes\\.sise[^}]*no such field; did you mean 'size'")
})

test('a write that a hook does not await is a part of the transaction, and reported', async () => {
  expect((await note('forgets')).status).toBe(201)
  await said(`records\\.create\\(drafts\\) in the hook afterCreate of notes \\([^)]*${here}\\) was not awaited`)
})

test('a hook that waits for something else than the database is warned of, with what to do', async () => {
  expect((await note('waits')).status).toBe(201)
  await said(
    `hook beforeCreate of notes \\([^)]*${here}\\) kept its transaction open for \\d+ ms without using the database`,
  )
  await said('Do what takes time, such as a request to another service, in a job')
})
