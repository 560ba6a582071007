// Mistakes in definitions that stop the start: each message names the place in the application, what is wrong, and what to do.

import { expect, onTestFinished, test } from 'vitest'
import { explain } from '../../src/cli/explain.ts'
import { defineJob } from '../../src/core/jobs/job.ts'
import { defineResource } from '../../src/core/model/define.ts'
import { extendResource } from '../../src/core/model/extend.ts'
import { computed, many, ref, text } from '../../src/core/model/fields.ts'
import { defineModule, type Module } from '../../src/core/module.ts'
import { defineEndpoint } from '../../src/core/rest/endpoint.ts'
import { image } from '../../src/modules/files/index.ts'
import { users } from '../../src/modules/people/index.ts'
import { createWith, failureWithPlaces, untyped } from '../model/definition-faults.ts'

/** A place in this file, which is the application of these tests. */
const here = /test\/mistakes\/start\.test\.ts:\d+\)/

const about = 'Books.'
const access = { read: 'true' }

const module = (options: object): Module =>
  defineModule(untyped({ name: 'library', about: 'A library.', resources: [], ...options }))
const books = (options: object): Module =>
  module({ resources: [defineResource('books', untyped({ about, access, fields: { title: text() }, ...options }))] })
const endpoints = (...options: object[]): Module =>
  module({
    endpoints: options.map(option =>
      defineEndpoint(
        untyped({ method: 'POST', path: '/lend', summary: 'Lend', access: 'true', run: () => {}, ...option }),
      ),
    ),
  })
const job = (options: object): Module =>
  module({ jobs: [defineJob(untyped({ name: 'remind', run: async () => {}, ...options }))] })

const mistakes: readonly (readonly [mistake: string, module: () => Module, message: string])[] = [
  [
    'a misspelt field option',
    () => books({ fields: { title: text(untyped({ requried: true })) } }),
    "unknown option 'requried'; did you mean 'required'?",
  ],
  [
    'no rules',
    () => books({ access: undefined }),
    "needs 'access': rules such as { read: 'caller.signedIn' }; {} allows none",
  ],
  ['no description', () => books({ about: undefined }), "needs 'about': a sentence on what it is for"],
  [
    'a misspelt onDelete',
    () => books({ fields: { owner: ref('users', untyped({ onDelete: 'casade' })) } }),
    "onDelete 'casade' is none of refuse, cascade, clear; did you mean 'cascade'?",
  ],
  [
    'a hook of an unknown name',
    () => books({ hooks: { beforeSave: () => {} } }),
    "unknown hook 'beforeSave'; the hooks are beforeCreate, afterCreate, ",
  ],
  [
    'a recent sign-in for an unknown field',
    () => books({ requires: { recentSignIn: { update: ['titel'] } } }),
    "requires: unknown field 'titel'; did you mean 'title'?",
  ],
  ['a job without a schedule', () => job({}), "needs a schedule: 'everyMs', or 'cron' such as '0 8 * * *'"],
  [
    'a job with two schedules',
    () => job({ everyMs: 1000, cron: '0 8 * * *' }),
    "has two schedules; keep one of 'cron' and 'everyMs'",
  ],
  [
    'a reference to a missing resource',
    () => books({ fields: { sequel: ref('boks') } }),
    "refers to 'boks', which is not a resource; did you mean 'books'?",
  ],
  [
    'a reference to a resource that no module lists',
    () => books({ fields: { shelf: ref('shelves') } }),
    "refers to 'shelves', which is not a resource; if it is defined, add it to the `resources` of a module",
  ],
  [
    'a check of a misspelt field',
    () => books({ checks: { named: 'record.titel != null' } }),
    "check 'named': 'record.titel != null': books has no field 'titel'; did you mean 'title'?",
  ],
  [
    'required references in a circle',
    () => books({ fields: { sequel: ref('books', { required: true }) } }),
    'no record can be created: the required references books.sequel lead back to books; make one of them optional',
  ],
  [
    'two resources of one name',
    () => module({ resources: ['one', 'two'].map(one => defineResource('books', { about: one, access, fields: {} })) }),
    'several resources have this name; rename all but one',
  ],
  [
    'the name of a standard resource',
    () => module({ resources: [defineResource('users', { about, access, fields: {} })] }),
    'several resources have this name; rename all but one, or extend the first with extendResource',
  ],
  [
    'a rule about an unknown field',
    () => books({ access: { read: "record.titel == 'Emma'" } }),
    "books has no field 'titel'; did you mean 'title'?",
  ],
  [
    'a rule with an unknown function',
    () => books({ access: { read: "caller.hsa('ROLE_STAFF')" } }),
    "the caller has no function 'hsa'; ask for a role with caller.has('ROLE_STAFF')",
  ],
  [
    'a rule that compares two fields',
    () => books({ fields: { from: text(), to: text() }, access: { read: 'record.from == record.to' } }),
    'two fields cannot be compared with each other; compare with the caller or a value, or use `checks`',
  ],
  [
    'a rule of a field about the record',
    () => books({ fields: { title: text({ readable: "record.title == 'Emma'" }) } }),
    'a rule on a field can use the caller alone, not the record',
  ],
  [
    '= for == in a rule',
    () => books({ access: { read: 'record.title = caller.pk' } }),
    "compare with '==', not with '='",
  ],
  [
    'an hour that does not exist',
    () => job({ cron: '0 25 * * *' }),
    'Invalid value for hour: 25; its fields are minute, hour, day, month and weekday',
  ],
  ['a job in camelCase', () => job({ name: 'remindAll', everyMs: 1000 }), "the name must be like 'send-reminders'"],
  [
    'a path in the manner of Express',
    () => endpoints({ path: '/books/:id/collect' }),
    "named parts of a path stand in braces: '/books/{id}/collect'",
  ],
  [
    'the path of another endpoint',
    () => endpoints({}, {}),
    'another endpoint has the same method and path; change one of them',
  ],
  [
    'the id of another endpoint',
    () => endpoints({ id: 'lend' }, { id: 'lend', path: '/lend-all' }),
    "another endpoint has the id 'lend'; ids are unique in the service",
  ],
  [
    'a problem of the platform',
    () => module({ problems: { conflict: { status: 409, title: 'Conflict', meaning: 'It does not fit.' } } }),
    "problem 'conflict': the platform has a problem of this name; choose another",
  ],
  [
    'a relation through a field that is no reference',
    () =>
      module({
        resources: [
          defineResource('shelves', { about, access, fields: { books: many('books', { by: 'title' }) } }),
          defineResource('books', { about, access, fields: { title: text() } }),
        ],
      }),
    "books.title does not refer to shelves; make it a reference: title: ref('shelves')",
  ],
  [
    'a reserved name',
    () => books({ fields: { version: text() } }),
    "the name is reserved: the service keeps this field in every record; choose another name, such as 'bookVersion'",
  ],
  [
    'a name with a hyphen',
    () => books({ fields: { 'first-name': text() } }),
    'the name must be camelCase: a small letter, then letters and digits',
  ],
  [
    'a reference that is required, and cleared with its target',
    () => books({ fields: { owner: ref('users', { required: true, onDelete: 'clear' }) } }),
    "use 'refuse' or 'cascade', or make the field optional",
  ],
  [
    'a field computed from an unknown one',
    () =>
      books({
        fields: {
          title: text(),
          short: computed(text(), () => '', { from: ['titel' as never] }),
        },
      }),
    "short computed from 'titel', which is not a field; did you mean 'title'?",
  ],
  [
    'an index on an unknown field',
    () => books({ uniqueTogether: [['titel', 'title']] }),
    "index on 'titel', which is not a field; did you mean 'title'?",
  ],
  [
    'a required field in an extension',
    () => module({ extensions: [extendResource(users, { fields: { card: text(untyped({ required: true })) } })] }),
    'an added field must be optional or have a default: there are records without it',
  ],
  [
    'an extension of a resource that is not there',
    () =>
      module({
        extensions: [
          extendResource(defineResource('usres', { about, access, fields: {} }), { fields: { card: text() } }),
        ],
      }),
    "no module has the resource that is extended; did you mean 'users'?",
  ],
  [
    'a field of files in a resource whose records lie in another',
    () => {
      const fields = { kind: text({ required: true }), photo: image() }
      const storedIn = { resource: 'reports', where: { field: 'kind', equals: 'late' } }
      return module({
        resources: [
          defineResource('reports', { about, access, fields }),
          defineResource('lateReports', { about, access, fields, storedIn }),
        ],
      })
    },
    'a field of files belongs to reports, which holds the records',
  ],
  [
    'a misspelt option of a module',
    () => module({ resorces: [] }),
    "unknown option 'resorces'; did you mean 'resources'?",
  ],
]

test.each(mistakes)('%s', async (_, create, message) => {
  const said = (await failureWithPlaces(create())).join('\n')
  expect(said).toContain(message)
  expect(said).toMatch(here)
  expect(said).not.toMatch(/^ +at /m)
})

test('an undefined module has no place, but a number in the list', async () => {
  expect((await failureWithPlaces(untyped(undefined as never))).join('\n')).toMatch(
    /entry \d+ of `modules` is undefined and no module; check its name and the file that it is imported from/,
  )
})

test('a seed that misses a required field, and has an unknown one', async () => {
  const notes = defineResource('notes', { about, access, fields: { name: text({ required: true }) } })
  const seed = {
    name: 'library.notes',
    run: async ({ records }: Parameters<NonNullable<Module['seeds']>[number]['run']>[0]) => {
      await records.create(notes, untyped({ nmae: 'One' }))
    },
  }
  const app = await createWith({ ...module({ resources: [notes] }), seeds: [seed] })
  onTestFinished(() => app.close())
  const said = await app.prepare().then(
    () => 'It was prepared.',
    error => explain(error, undefined),
  )
  expect(said).toContain("seed 'library.notes': notes.name: is required")
  expect(said).toContain("seed 'library.notes': notes.nmae: is not a known field; did you mean 'name'?")
})
