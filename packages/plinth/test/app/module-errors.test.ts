import { expect, onTestFinished, test } from 'vitest'
import { text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { createWith, failureOf, untyped } from '../model/definition-faults.ts'

test.each<[string, object, string]>([
  ['a misspelt option', { resorces: [] }, "unknown option 'resorces'; did you mean 'resources'?"],
  ['a name with spaces', { name: 'My shop' }, 'the name must start with a small letter'],
  ['no resources', { resources: undefined }, "needs 'resources': a list, which may be empty"],
  [
    'a problem with a status of success',
    { problems: { no_copies: { status: 200, title: 'No copies', meaning: '' } } },
    "problem 'no_copies': the status must be from 400 to 599, not 200",
  ],
  [
    'a problem in camelCase',
    { problems: { noCopies: { status: 409, title: 'No copies', meaning: '' } } },
    "problem 'noCopies': codes are snake_case, such as 'no_copies'",
  ],
  [
    'a problem of the platform',
    { problems: { taken: { status: 409, title: 'Taken', meaning: '' } } },
    "problem 'taken': the platform has a problem of this name; choose another",
  ],
  [
    'a problem without a title',
    { problems: { no_copies: { status: 409, title: '', meaning: '' } } },
    "problem 'no_copies': needs a title",
  ],
  ['a job without work', { jobs: [{ name: 'remind', everyMs: 1000 }] }, "job 'remind': needs a function 'run'"],
  [
    'two jobs of one name',
    { jobs: [1, 2].map(() => ({ name: 'remind', everyMs: 1000, run: async () => {} })) },
    "several jobs have the name 'remind'; rename all but one",
  ],
  [
    'a command in capitals',
    { commands: [{ name: 'Import', about: 'Imports.', run: async () => {} }] },
    "command 'Import': names are small letters, digits and '-', in words",
  ],
  [
    'an argument without brackets',
    { commands: [{ name: 'import books', about: 'Imports.', arguments: [{ name: 'file' }], run: async () => {} }] },
    "command 'import books': write the argument 'file' as '<file>', or '[file]' if it is optional",
  ],
])('a module with %s', async (_, options, fault) => {
  const shop = defineModule(untyped({ name: 'shop', about: 'A shop.', resources: [], ...options }))
  const [, line, ...more] = await failureOf(shop)
  expect([line?.includes(fault), line, more]).toEqual([true, line, []])
})

test('a folder of static files that is missing stops the start, and no other command', async () => {
  const files = [{ prefix: '/site', folder: '/nowhere/public' }]
  const app = await createWith(defineModule({ name: 'shop', about: 'A shop.', resources: [], files }))
  onTestFinished(() => app.close())
  await app.prepare()
  await expect(app.listen()).rejects.toThrow(
    "module shop: the folder of the files at '/site' is missing: /nowhere/public",
  )
})

test('two modules with the same command and the same problem', async () => {
  const parts = {
    about: 'A shop.',
    resources: [],
    commands: [{ name: 'stock', about: 'Counts.', run: async () => {} }],
    problems: { no_copies: { status: 409, title: 'No copies', meaning: 'None is left.' } },
  }
  expect(await failureOf(defineModule({ name: 'one', ...parts }), defineModule({ name: 'two', ...parts }))).toEqual([
    'The definitions have 2 errors:',
    "  - several commands have the name 'stock'; rename all but one",
    "  - several modules declare the problem 'no_copies'; rename all but one",
  ])
})

const overdue = { method: 'GET', path: '/api/rest/overdue', summary: 'List', access: 'true', run: () => {} } as const

test.each<[string, readonly object[], string]>([
  ['a misspelt option', [{ acess: 'true' }], "GET /api/rest/overdue: unknown option 'acess'; did you mean 'access'?"],
  [
    'no access rule',
    [{ access: undefined }],
    "GET /api/rest/overdue: needs 'access': a rule such as 'caller.signedIn'",
  ],
  [
    'a method in small letters',
    [{ method: 'get' }],
    "get /api/rest/overdue: the method must be one of GET, HEAD, POST, PUT, PATCH, DELETE; did you mean 'GET'?",
  ],
  ['a body of GET', [{ body: { note: text() } }], "GET requests have no body; use 'query', or POST"],
  ['a path without a slash', [{ path: 'overdue' }], "GET overdue: the path must start with '/'"],
  [
    'a path in the manner of Express',
    [{ path: '/loans/:pk/return' }],
    "named parts of a path stand in braces: '/loans/{pk}/return'",
  ],
  ['a query in the path', [{ path: '/loans?late' }], "the path must not have '?', '#' or spaces"],
  ['a part named twice', [{ path: '/loans/{pk}/of/{pk}' }], 'two parts of the path have the same name'],
  [
    'a parameter that the path does not have',
    [{ path: '/loans/{loan}', params: { laon: 'The loan.' } }],
    "params: the path has no part 'laon'; did you mean 'loan'?",
  ],
  [
    'no successful answer',
    [{ answers: { 404: 'None.' } }],
    "answers: 'run' needs a successful answer, such as 200 or 204",
  ],
  ['an answer of no status', [{ answers: { 200: 'Fine.', 20: 'Odd.' } }], 'answers: 20 is not a status of a response'],
  ['the path of another', [{}, {}], 'another endpoint has the same method and path; change one of them'],
  [
    'the path of another, by other names',
    [{ path: '/x/{a}' }, { path: '/x/{b}' }],
    'GET /x/{b}: another endpoint has the same method and path',
  ],
  [
    'the id of another',
    [{ id: 'listLate' }, { id: 'listLate', path: '/late' }],
    "another endpoint has the id 'listLate'; ids are unique in the service",
  ],
])('an endpoint with %s', async (_, changes, fault) => {
  const endpoints = changes.map(change => ({ ...overdue, ...change }))
  const [, line, ...more] = await failureOf(
    defineModule({ name: 'library', about: 'A library.', resources: [], endpoints: untyped(endpoints) }),
  )
  expect([line?.includes(fault), line, more]).toEqual([true, line, []])
})

test('endpoints with a rule that cannot be compiled, or without a handler, stop the start', async () => {
  const endpoint = { method: 'GET', path: '/api/rest/overdue', summary: 'List', access: 'true', run: () => {} } as const
  const endpoints = [
    { ...endpoint, access: 'caller.singedIn' },
    { ...endpoint, path: '/api/rest/late', access: 'record.owner == caller.pk' },
    { ...endpoint, method: 'POST', run: undefined },
  ]
  expect(
    await failureOf(
      defineModule({ name: 'library', about: 'A library.', resources: [], endpoints: untyped(endpoints) }),
    ),
  ).toEqual([
    'The definitions have 3 errors:',
    "  - GET /api/rest/overdue: access: 'caller.singedIn': the caller has no property 'singedIn'; did you mean 'signedIn'? (at 0)",
    expect.stringContaining('there is no record here; use only the caller'),
    "  - POST /api/rest/overdue: needs one of 'run', 'answer', 'prepare' and 'receive'",
  ])
})
