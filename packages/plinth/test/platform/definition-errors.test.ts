// Mistakes in definitions stop the start: all are reported together, each with its place and a hint.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { explain } from '../../src/cli/explain.ts'
import { defineResource, hashOf, type ResourceDefinition, type ResourceOptions } from '../../src/core/model/define.ts'
import type { Field } from '../../src/core/model/field.ts'
import { listOf, structure } from '../../src/core/model/fields/structure.ts'
import {
  choice,
  counted,
  date,
  integer,
  links,
  many,
  map,
  money,
  ref,
  text,
  textList,
} from '../../src/core/model/fields.ts'
import { defineModule, type Module, type Seed } from '../../src/core/module.ts'
import { type App, createApp, loadConfig, modules, modulesFor } from '../support/platform.ts'

const access = { read: 'true', write: 'caller.signedIn' }

type Options = Partial<ResourceOptions<Record<string, Field>>>

const resource = (name: string, fields: Record<string, Field>, options: Options = {}): ResourceDefinition =>
  defineResource(name, { about: name, access, ...options, fields })

const library = (...resources: ResourceDefinition[]): Module =>
  defineModule({ name: 'library', about: 'A library.', resources })

/** Options as they come from JavaScript, or from a value whose type is wider than it looks. */
const untyped = (options: object): never => options as never

const createWith = async (...added: Module[]): Promise<App> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-definitions-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const overrides = { 'app.dataDir': folder, 'app.log.level': 'fatal', 'server.port': '0' }
  return createApp(loadConfig({ env: {}, cwd: folder, overrides }), { modules: [...modules, ...added] })
}

/** What the person at the terminal reads, without the places in the source. */
const failureOf = async (...added: Module[]): Promise<string[]> =>
  (await failureWithPlaces(...added)).map(line =>
    line.replace(/,? ?\(?test\/platform\/definition-errors\.test\.ts:\d+\)/, found =>
      found.startsWith(',') ? ')' : '',
    ),
  )

const failureWithPlaces = async (...added: Module[]): Promise<string[]> => {
  const failure = await createWith(...added).then(
    async app => {
      await app.close()
      return 'It was created.'
    },
    error => explain(error, undefined),
  )
  return failure.split('\n')
}

/** The mistake of a field `title` of books. */
const faultOf = async (field: Field): Promise<string | undefined> => {
  const [, fault, ...more] = await failureOf(library(resource('books', { title: field })))
  expect(more).toEqual([])
  return fault
}

const at = '  - books.title (module library): '

test.each<[string, Field, string]>([
  [
    'a misspelt option beside a right one',
    text(untyped({ max: 200, readble: "caller.has('ROLE_STAFF')" })),
    "unknown option 'readble'; did you mean 'readable'?",
  ],
  ['a misspelt option alone', text(untyped({ requried: true })), "unknown option 'requried'; did you mean 'required'?"],
  ['in a reference', ref('countries', untyped({ ondelete: 'clear' })), "option 'ondelete'; did you mean 'onDelete'?"],
  ['a misspelt option of a number', integer(untyped({ uniqe: true })), "option 'uniqe'; did you mean 'unique'?"],
  ['an option of another type', integer(untyped({ pattern: /x/ })), "unknown option 'pattern'; the options are "],
  ['an option that links do not have', links('books', untyped({ indexed: true })), "unknown option 'indexed'"],
  [
    'an option of a part',
    structure({ street: text(untyped({ maxx: 3 })) }, { identity: 'street' }),
    "part 'street': unknown option 'maxx'; did you mean 'max'?",
  ],
  ['a default of another type', integer(untyped({ default: 'none' })), 'default "none" must be a whole number'],
  ['a default that is no choice', choice(['a', 'b'], untyped({ default: 'c' })), 'default "c" must be one of a, b'],
  [
    'a choice in other letters',
    choice(['a', 'b'], untyped({ default: 'A' })),
    'default "A" must be given as it is stored: "a"',
  ],
  ['a default below min', integer({ min: 1, default: 0 }), 'default 0 must be at least 1'],
  ['a default above max', text({ max: 2, default: 'long' }), 'default "long" must have at most 2 characters'],
  [
    'an amount in whole units',
    money(untyped({ default: 1.5 })),
    'default 1.5 must be a whole number of the smallest unit',
  ],
  [
    'an amount as text',
    money(untyped({ default: '1.50' })),
    'default "1.50" must be a whole number of the smallest unit',
  ],
  ['a day that does not exist', date({ default: '2024-02-31' }), 'default "2024-02-31" is not a valid date'],
  ['a text for a list', textList(untyped({ default: 'a' })), 'default "a" must be a list of strings'],
  ['numbers in a map', map(untyped({ default: { a: 1 } })), 'default {"a":1} must be text'],
  ['null', text(untyped({ default: null })), 'default null is the same as no default'],
  [
    'a list of structures',
    listOf({ n: integer() }, untyped({ identity: 'n', default: 3 })),
    'default 3 cannot be a value of type structures',
  ],
  ['min above max', integer({ min: 10, max: 1 }), 'min 10 is greater than max 1'],
  ['a text that is too long for itself', text({ min: 300 }), 'min 300 is greater than max 255'],
  ['entries of a list', textList({ max: 0 }), 'min 1 is greater than max 0'],
  [
    'required, and cleared with its target',
    ref('countries', { required: true, onDelete: 'clear' }),
    "required and onDelete 'clear' contradict each other; use 'refuse' or 'cascade', or make the field optional",
  ],
  ['a default pk that is no text', ref('countries', untyped({ default: 7 })), 'default 7 must be a pk'],
  [
    'a reference to nothing',
    ref('contries'),
    "refers to 'contries', which is not a resource; did you mean 'countries'?",
  ],
  ['a rule that is empty', text({ readable: '' }), "'' is not an expression"],
  [
    'a rule with a misspelt name',
    text({ readable: 'caller.singedIn' }),
    "the caller has no property 'singedIn'; did you mean 'signedIn'?",
  ],
])('%s', async (_, field, fault) => {
  const line = await faultOf(field)
  expect(line?.startsWith(at)).toBe(true)
  expect(line).toContain(fault)
})

test.each([
  ['pk', 'bookPk'],
  ['version', 'bookVersion'],
  ['createdDate', 'bookCreatedDate'],
  ['lastModifiedDate', 'bookLastModifiedDate'],
  ['id', 'bookId'],
  ['links', 'bookLinks'],
])('a field cannot have the name %s', async (name, another) => {
  const [, fault] = await failureOf(library(resource('books', { [name]: text() })))
  expect(fault).toContain(`  - books.${name} (module library): the name is reserved: `)
  expect(fault).toContain(`choose another name, such as '${another}'`)
})

test('createdBy is reserved where the service keeps it', async () => {
  const kept = resource('books', { createdBy: text() }, { stamps: 'people' })
  expect((await failureOf(library(kept)))[1]).toContain('books.createdBy (module library): the name is reserved')
  expect(await failureOf(library(resource('books', { createdBy: text() })))).toEqual(['It was created.'])
})

test.each([
  ['operations', 'the service'],
  ['events', 'the module realtime'],
  ['explain', 'the module auth'],
  ['invitations', 'the module registration'],
  ['friends', 'the module friends'],
])('a resource cannot have the name %s, unless it has no routes', async (name, holder) => {
  const [, fault] = await failureOf(library(resource(name, { title: text() })))
  expect(fault).toBe(
    `  - ${name} (module library): the name is reserved: ${holder} answers at /api/rest/${name}; choose another name`,
  )
  expect(await failureOf(library(resource(name, { title: text() }, { internal: true })))).toEqual(['It was created.'])
})

test('the names below /api/rest at which modules answer are the reserved ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-definitions-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const config = loadConfig({ env: {}, cwd: folder, overrides: { 'app.dataDir': folder } })
  const app = await createApp(config)
  onTestFinished(() => app.close())
  const { paths } = app.openapi() as { readonly paths: Readonly<Record<string, unknown>> }
  const names = Object.keys(paths).flatMap(path => /^\/api\/rest\/([^/]+)/.exec(path)?.[1] ?? [])
  const taken = new Set(names.filter(name => !app.platform.registry.has(name)))
  for (const name of taken) {
    const used = [...modulesFor(config), library(resource(name, { title: text() }))]
    await expect(createApp(config, { modules: used })).rejects.toThrow('the name is reserved')
  }
  expect(taken.size).toBeGreaterThan(5)
})

test('all mistakes are reported together, without a stack', async () => {
  const books = resource(
    'books',
    { title: text(untyped({ max: 200, readble: 'x' })), autor: ref('authors'), pages: integer({ min: 2, max: 1 }) },
    {
      label: 'titel',
      indexes: [['page']],
      access: untyped({ raed: 'true', write: 'caller.singedIn' }),
      ...({ abuot: '' } as object),
    },
  )
  const authors = resource('authors', {
    name: text({ max: 3, default: 'long' }),
    books: many('books', { by: 'author' }),
    count: counted('book'),
    Name: text(),
  })
  const shop = defineModule({ name: 'audit', about: 'A shop.', resources: [resource('books', {})] })
  expect(await failureOf(library(books, authors), shop)).toMatchInlineSnapshot(`
    [
      "The definitions have 12 errors:",
      "  - several modules have the name 'audit'; rename all but one",
      "  - books (module library and audit): several resources have this name; rename all but one",
      "  - authors.books (module library): books.author does not refer to authors; fields that do: autor",
      "  - books (module library and audit): unknown option 'abuot'; did you mean 'about'?",
      "  - books (module library and audit): unknown operation in access 'raed'; did you mean 'read'?",
      "  - books.title (module library and audit): unknown option 'readble'; did you mean 'readable'?",
      "  - books.pages (module library and audit): min 2 is greater than max 1, so no value is valid; swap or correct them",
      "  - books (module library and audit): label 'titel' is not a field; did you mean 'title'?",
      "  - books (module library and audit): index on 'page', which is not a field; did you mean 'pages'?",
      "  - authors.name (module library): default "long" must have at most 3 characters",
      "  - authors.Name (module library): the name must be camelCase: a small letter, then letters and digits",
      "  - authors (module library): count in count over 'book', which is not a field; did you mean 'books'?",
    ]
  `)
})

test('rules are checked together with the rest, once for all operations that share one', async () => {
  const books = resource('books', { pages: integer({ min: 2, max: 1 }) }, { access: { write: 'record.titel == 1' } })
  expect(await failureOf(library(books))).toMatchInlineSnapshot(`
    [
      "The definitions have 2 errors:",
      "  - books.pages (module library): min 2 is greater than max 1, so no value is valid; swap or correct them",
      "  - books.access.write (module library): 'record.titel == 1': books has no member 'titel' (at 0)",
    ]
  `)
})

test('indexes that cannot be made are reported with the rest', async () => {
  const books = resource('books', { title: text({ max: 1000, unique: true }), pages: integer({ min: 2, max: 1 }) })
  expect(await failureOf(library(books))).toMatchInlineSnapshot(`
    [
      "The definitions have 2 errors:",
      "  - books.pages (module library): min 2 is greater than max 1, so no value is valid; swap or correct them",
      "  - books (module library): title can be too long for an index; lower 'max' to 866 in all",
    ]
  `)
})

test('an identifier made of a field that is not there', async () => {
  const [, fault] = await failureOf(library(resource('books', { title: text() }, { identifier: hashOf('titel') })))
  expect(fault).toBe(
    "  - books (module library): hashed identifier 'titel', which is not a field; did you mean 'title'?",
  )
})

test('two seeds of one name', async () => {
  const seed: Seed = { name: 'library.books', run: async () => {} }
  const twice = { ...library(resource('books', { title: text() })), seeds: [seed, seed] }
  expect((await failureOf(twice))[1]).toBe(
    "  - seed 'library.books': several seeds have this name, and only the first would run; rename the others",
  )
})

/** What the start says when a seed writes these values. */
const seeding = async (values: Record<string, unknown>): Promise<string[]> => {
  const books = resource('books', {
    title: text({ required: true, unique: true }),
    author: ref('authors', { required: true }),
    pages: integer({ default: 1 }),
  })
  const seed: Seed = {
    name: 'library.books',
    run: async records => {
      await records.create(books, values)
    },
  }
  const app = await createWith({ ...library(books, resource('authors', {})), seeds: [seed] })
  onTestFinished(() => app.close())
  const failure = await app.prepare().then(
    () => 'It was prepared.',
    error => explain(error, undefined),
  )
  return failure.split('\n')
}

test('a seed without required fields names every one', async () => {
  expect(await seeding({ pages: 3 })).toEqual([
    'The definitions have 2 errors:',
    ...['title', 'author'].map(field => `  - seed 'library.books': books.${field}: is required`),
  ])
})

test('a seed with a misspelt field', async () => {
  expect(await seeding({ titel: 'T', title: 'T', author: 'a' })).toEqual([
    'The definitions have an error:',
    "  - seed 'library.books': books.titel: there is no such field; did you mean 'title'?",
  ])
})

test('a seed that refers to a record that is not there', async () => {
  expect(await seeding({ title: 'T', author: 'nobody' })).toEqual([
    'The definitions have an error:',
    "  - seed 'library.books': books.author: does not exist in authors",
  ])
})

test('a mistake is reported with its file and line', async () => {
  const books = resource('books', { title: text(untyped({ requried: true })) })
  const misnamed = defineModule(untyped({ name: 'shop', about: 'A shop.', resources: [], setings: [] }))
  const [, ofModule, ofField] = await failureWithPlaces(library(books), misnamed)
  const here = String.raw`test/platform/definition-errors\.test\.ts:\d+`
  expect(ofModule).toMatch(
    new RegExp(`^  - module shop \\(${here}\\): unknown option 'setings'; did you mean 'settings'\\?$`),
  )
  expect(ofField).toMatch(new RegExp(`^  - books\\.title \\(module library, ${here}\\): unknown option 'requried'`))
})

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
