// Mistakes in definitions stop the start: all are reported together, each with its place and a hint.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testAll } from '@plinth/test-kit/extent'
import { createApp, loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { expect, onTestFinished, test } from 'vitest'
import { defineApp } from '../../src/app/define-app.ts'
import { defineResource } from '../../src/core/model/define.ts'
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
import { hashOf } from '../../src/core/model/identifier.ts'
import { defineModule } from '../../src/core/module.ts'
import { at, failureOf, failureWithPlaces, faultOf, library, resource, untyped } from './definition-faults.ts'

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
  ['an amount with too many decimals', money({ default: 1.505 }), 'default 1.505 must have at most 2 decimal places'],
  ['an amount above max', money({ max: 10, default: 1250 }), 'default 1250 must be at most 10'],
  ['an amount as text', money(untyped({ default: '1.50' })), 'default "1.50" must be a number'],
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
  ['a rule with = for ==', text({ readable: "caller.username = 'ann'" }), "; compare with '==', not with '='"],
  ['a rule with === for ==', text({ readable: "caller.username === 'ann'" }), "; compare with '==', not with '==='"],
  ['a rule with !== for !=', text({ readable: "caller.username !== 'ann'" }), "; compare with '!=', not with '!=='"],
  ['a rule with = in a text alone', text({ readable: "caller.username == 'a=b' && (" }), 'Unexpected token: EOF'],
  [
    'a rule with a misspelt name',
    text({ readable: 'caller.singedIn' }),
    "the caller has no property 'singedIn'; did you mean 'signedIn'?",
  ],
  [
    'a rule with an unknown function of the caller',
    text({ readable: "caller.hasRole('ROLE_STAFF')" }),
    "the caller has no function 'hasRole'; ask for a role with caller.has('ROLE_STAFF')",
  ],
  [
    'a rule with a function on a field',
    text({ readable: "record.name.startsWith('A')" }),
    "the function 'startsWith' is not supported",
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

testAll('the names below /api/rest at which modules answer are the reserved ones', async () => {
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
      "  - books (module library and audit): several resources have this name; rename all but one, or extend the first with extendResource; the first is at packages/plinth/test/model/definition-faults.ts:21",
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
      "  - books.access.write (module library): 'record.titel == 1': books has no field 'titel' (at 0)",
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

test('a mistake is reported with its file and line', async () => {
  const books = defineResource('books', {
    about: 'Books',
    access: { read: 'true' },
    fields: { title: text(untyped({ requried: true })) },
  })
  const misnamed = defineModule(untyped({ name: 'shop', about: 'A shop.', resources: [], setings: [] }))
  const [, ofModule, ofField] = await failureWithPlaces(library(books), misnamed)
  const here = String.raw`(?:packages/plinth/)?test/model/definition-errors\.test\.ts:\d+`
  expect(ofModule).toMatch(
    new RegExp(`^  - module shop \\(${here}\\): unknown option 'setings'; did you mean 'settings'\\?$`),
  )
  expect(ofField).toMatch(new RegExp(`^  - books\\.title \\(module library, ${here}\\): unknown option 'requried'`))
})

testAll('required references that lead back to their resource', async () => {
  const circle = [
    resource('books', { shelf: ref('shelves', { required: true }) }),
    resource('shelves', { first: ref('books', { required: true }) }),
  ]
  expect((await failureOf(library(...circle))).join('\n')).toContain(
    'books (module library): no record can be created: the required references books.shelf → shelves.first lead back to books; make one of them optional',
  )
  const self = resource('books', { sequel: ref('books', { required: true }) })
  expect((await failureOf(library(self))).join('\n')).toContain(
    'the required references books.sequel lead back to books',
  )
  const open = resource('books', { sequel: ref('books') })
  expect(await failureOf(library(open))).toEqual(['It was created.'])
})

test.each([
  [
    'undefined',
    [undefined],
    'entry 1 of `modules` is undefined and no module; check its name and the file that it is imported from',
  ],
  ['an object', [{}], 'entry 1 of `modules` is an object and no module'],
  ['a function', [() => library()], 'entry 1 of `modules` is a function and no module'],
  ['no list', library(), '`modules` is an object and no list'],
  [
    'a module with an undefined resource',
    [defineModule(untyped({ name: 'shop', about: 'A shop.', resources: [undefined] }))],
    'entry 1 of `resources` is undefined',
  ],
])('a list of modules with a mistake: %s', (_, modules, message) => {
  expect(() => defineApp({ name: 'Shop', modules: untyped(modules) })).toThrow(message)
})

test('an undefined entry in a list of a module', async () => {
  const lists = [
    'extensions',
    'endpoints',
    'jobs',
    'settings',
    'seeds',
    'migrations',
    'commands',
    'files',
    'mails',
    'sweeps',
  ]
  const books = resource('books', {})
  const options = Object.fromEntries(lists.map(name => [name, [undefined]]))
  const shop = defineModule(untyped({ name: 'shop', about: 'A shop.', resources: [books, undefined], ...options }))
  const [, ...faults] = await failureOf(shop)
  const hint = 'check its name and the file that it is imported from'
  expect(faults).toEqual([
    `  - module shop: entry 2 of \`resources\` is undefined; ${hint}`,
    ...lists.map(name => `  - module shop: entry 1 of \`${name}\` is undefined; ${hint}`),
  ])
})

test('a field that is undefined, or was not called', async () => {
  const books = resource('books', untyped({ title: undefined, pages: integer, isbn: text() }))
  const [, ...faults] = await failureOf(library(books))
  expect(faults).toEqual([
    '  - books.title: is undefined and no field; check its name and the file that it is imported from',
    '  - books.pages: is a function and no field; call it, such as text()',
  ])
})
