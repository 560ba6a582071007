// Mistakes that the compiler finds in an application: each message stands at the mistake, and has a sentence that says what is wrong.

import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileApp } from '@plinth/test-kit/compile-app'
import { afterAll, beforeAll, expect, test } from 'vitest'

const plinth = fileURLToPath(new URL('../..', import.meta.url))

const right = `
const about = 'Books.'
const access = { read: 'true', write: 'caller.signedIn' }
const lending = defineSettings('app.library', { loanDays: integer({ default: 14, about: 'Days.' }) })
const libraryProblem = defineProblems({ no_copies: { status: 409, title: 'No copies', meaning: 'None is left.' } })
const authors = defineResource('authors', { about, access, label: 'name', fields: { name: text({ required: true }) } })
const books = defineResource('books', {
  about,
  access,
  label: 'title',
  fields: { title: text({ required: true }), copies: integer({ default: 1 }), author: ref(authors) },
})
const daily = (run: Job['run']) => defineJob({ name: 'remind', cron: '0 8 * * *', run })
`

/** A resource of these fields. */
const books = (fields: string): string => `defineResource('books', { about, access, fields: { ${fields} } })`

const mistakes: readonly (readonly [mistake: string, code: string, message: string])[] = [
  ['a misspelt field option', books('title: text({ requried: true })'), "Did you mean to write 'required'?"],
  [
    'a misspelt field option beside a right one',
    books('title: text({ max: 200, requird: true })'),
    "there is no option 'requird' here",
  ],
  [
    'an option of another field type',
    books('author: ref(authors, { onDelete: "cascade", max: 3 })'),
    "there is no option 'max' here",
  ],
  [
    'an option of another type',
    books("title: text({ max: '200' })"),
    "Type 'string' is not assignable to type 'number'",
  ],
  [
    'a default of another type',
    books("n: integer({ default: 'three' })"),
    "Type 'string' is not assignable to type 'number",
  ],
  [
    'a default that is no choice',
    books("state: choice(['out', 'returned'], { default: 'lost' })"),
    `Type '"lost"' is not assignable to type '"out" | "returned"`,
  ],
  [
    'a label that is no field',
    "defineResource('books', { about, access, label: 'titel', fields: { title: text() } })",
    `Type '"titel"' is not assignable to type '"title"'`,
  ],
  [
    'a rule for an unknown operation',
    "defineResource('books', { about, access: { read: 'true', raed: 'true' }, fields: { title: text() } })",
    "there is no rule 'raed'; the rules are read, create, replace, patch, delete, update and write",
  ],
  ['an unknown onDelete', books("author: ref('authors', { onDelete: 'casade' })"), `Did you mean '"cascade"'?`],
  [
    'a hook of an unknown name',
    "defineResource('books', { about, access, fields: { title: text() }, hooks: { beforeSave: () => {} } })",
    "'beforeSave' does not exist in type 'Hooks",
  ],
  ['a field type that is not called', books('title: text'), "is not assignable to type 'Field'"],
  ['no rules', "defineResource('books', { about, fields: { title: text() } })", "Property 'access' is missing"],
  ['no description', "defineResource('books', { access, fields: { title: text() } })", "Property 'about' is missing"],
  [
    'a computed field of an unknown one',
    books('title: text(), shout: computed(text(), ({ titel }: { readonly titel: string | null }) => titel)'),
    '"the record has no field titel"',
  ],
  [
    'a computed field of one that may be missing',
    books(
      'seen: timestamp({ serverOwned: true }), last: computed(text(), ({ seen }: { readonly seen: string }) => seen)',
    ),
    '"seen may be missing here: it is not required"',
  ],
  [
    'an endpoint that returns something else',
    "defineEndpoint({ method: 'GET', path: '/api/rest/latest', summary: 'Latest', access: 'true', answers: { 200: books }, run: async () => ({ title: 'Emma' }) })",
    "is missing the following properties from type '{ readonly pk: string; readonly version: number; }': pk, version",
  ],
  [
    'a job without a schedule',
    "defineJob({ name: 'remind', run: async () => {} })",
    "a job needs a schedule: 'everyMs', or 'cron' such as '0 8 * * *'",
  ],
  [
    'a job with two schedules',
    "defineJob({ name: 'remind', everyMs: 1000, cron: '0 8 * * *', run: async () => {} })",
    "a job has one schedule: 'everyMs' or 'cron'",
  ],
  [
    'a condition on an unknown field',
    "daily(async ({ records }) => void (await records.find(books, { where: { titel: 'Emma' } })))",
    "Did you mean to write 'title'?",
  ],
  [
    'a condition along a relation on an unknown field',
    "daily(async ({ records }) => void (await records.find(books, { where: { author: { nmae: 'Austen' } } })))",
    "'nmae' does not exist in type",
  ],
  [
    'a new record without a required field',
    'daily(async ({ records }) => void (await records.create(books, { copies: 2 })))',
    "Property 'title' is missing",
  ],
  [
    'a new record with an unknown field',
    "daily(async ({ records }) => void (await records.create(books, { title: 'Emma', pages: 2 })))",
    "'pages' does not exist",
  ],
  [
    'a change to a value of another type',
    "daily(async ({ records }) => void (await records.update(books, '1', { copies: 'two' })))",
    "Type 'string' is not assignable to type 'number'",
  ],
  [
    'an order by an unknown field',
    "daily(async ({ records }) => void (await records.find(books, { sort: 'titel' })))",
    `Did you mean '"title"'?`,
  ],
  [
    'an unknown relation to include',
    "daily(async ({ records }) => void (await records.find(books, { include: ['autor'] })))",
    `Type '"autor"' is not assignable to type '"author"'`,
  ],
  [
    'a forgotten await before a value that is used',
    "daily(async ({ records, log }) => { const book = records.get(books, '1'); log.info(book.title) })",
    "Property 'title' does not exist on type 'Promise<",
  ],
  [
    'a reference to a missing resource',
    "const loans = defineResource('loans', { about, access, fields: { book: ref('boks') } }); const library = defineModule({ name: 'library', about, resources: [books, authors, loans] }); defineApp({ name: 'Library', modules: [library] })",
    "loans.book refers to 'boks', which is not a resource; did you mean 'books'?",
  ],
  [
    'a relation through a field that does not refer back',
    "const shelves = defineResource('shelves', { about, access, fields: { books: many('books', { by: 'title' }) } }); defineModule({ name: 'library', about, resources: [books, authors, shelves] })",
    "shelves.books needs a field of 'books' that refers to 'shelves', but 'title' is not a reference",
  ],
  [
    'a rule about an unknown field',
    "const loans = defineResource('loans', { about, access: { read: 'record.borower == caller.pk' }, fields: { borrower: ref('users') } }); defineModule({ name: 'loans', about, resources: [loans] })",
    "the rule 'read' of 'loans' names the field 'borower', which 'loans' does not have; did you mean 'borrower'?",
  ],
  [
    'a required field in an extension',
    'extendResource(users, { fields: { shop: text({ required: true }) } })',
    "'shop' must be optional or have a default: there are records without it, and code that creates them",
  ],
  [
    'an undeclared problem',
    "libraryProblem('no_copys')",
    `'"no_copys"' is not assignable to parameter of type '"no_copies"'`,
  ],
  [
    'a default of a setting of another type',
    "defineSettings('app.other', { loanDays: integer({ default: '14', about: 'Days.' }) })",
    "Type 'string' is not assignable to type 'number",
  ],
  [
    'an unknown setting in a hook',
    "defineResource('loans', { about, access, fields: { due: date() }, hooks: { beforeCreate: ({ values, settings }) => { values.due = String(settings(lending).lonDays) } } })",
    "Did you mean 'loanDays'?",
  ],
  [
    'an unknown value in a hook',
    "defineResource('loans', { about, access, fields: { due: date() }, hooks: { beforeCreate: ({ values }) => { values.deu = '2026-01-01' } } })",
    "Property 'deu' does not exist",
  ],
  [
    'an undefined module',
    "defineApp({ name: 'Library', modules: [undefined] })",
    "Type 'undefined' is not assignable to type 'Module<",
  ],
]

const names =
  'choice, computed, date, defineApp, defineEndpoint, defineJob, defineModule, defineProblems, defineResource, defineSettings, extendResource, integer, type Job, many, ref, text, timestamp, users'
const text = [
  `import { ${names} } from 'plinth'`,
  ...right.split('\n'),
  ...mistakes.map(([, code], at) => `export const mistake${at} = () => { ${code} }`),
  'export { authors, books, daily, lending, libraryProblem }',
].join('\n')

const folder = mkdtempSync(join(tmpdir(), 'plinth-mistakes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the compiler says, by line. */
const said = new Map<number, string>()
beforeAll(async () => {
  await mkdir(join(folder, 'node_modules'))
  await symlink(plinth, join(folder, 'node_modules/plinth'), 'dir')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'app.ts'), text)
  let line = 0
  for (const part of (await compileApp(folder)).split('\n')) {
    line = Number(/^app\.ts\((\d+),/.exec(part)?.[1] ?? line)
    said.set(line, `${said.get(line) ?? ''}${part}\n`)
  }
})

const lineOf = (mistake: string): number =>
  text
    .split('\n')
    .findIndex(line => line.startsWith(`export const mistake${mistakes.findIndex(([name]) => name === mistake)} `)) + 1

test.each(mistakes)('%s', (mistake, _, message) => {
  expect(said.get(lineOf(mistake))).toContain(message)
})

test('the rest compiles', () => {
  const expected = mistakes.map(([mistake]) => lineOf(mistake))
  expect([...said].filter(([line, message]) => !expected.includes(line) && message.trim() !== '')).toEqual([])
})
