// The examples in the comments of what `plinth` and `plinth/module` export.

import { fileURLToPath } from 'node:url'
import { commentExamples, compileExamples } from '@plinth/test-kit/comment-examples'
import { expect, test } from 'vitest'
import * as application from '../src/index.ts'
import * as authors from '../src/module.ts'

/** Functions and classes; resources such as `users` are their own examples. */
const callablesOf = (entry: object): readonly string[] =>
  Object.entries(entry).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))

const sourceOf = (file: string): string => fileURLToPath(new URL(`../src/${file}`, import.meta.url))

const entries = [
  { name: 'plinth', callables: callablesOf(application), examples: commentExamples(sourceOf('index.ts')) },
  { name: 'plinth/module', callables: callablesOf(authors), examples: commentExamples(sourceOf('module.ts')) },
]

/** What examples take from their surroundings. */
const surroundings = `
const access = { read: 'true' }
const authors = defineResource('authors', { about: 'Authors.', access, fields: { name: text() } })
const books = defineResource('books', { about: 'Books.', access, fields: { title: text({ required: true }), author: ref(authors) } })
const parts = defineResource('parts', { about: 'Parts.', access, fields: { name: text(), price: money() } })
const loans = defineResource('loans', { about: 'Loans.', access, fields: { book: ref(books), borrower: ref(users, { required: true }) } })
const shops = defineResource('shops', { about: 'Shops.', access, fields: { name: text() } })
const invoices = defineResource('invoices', {
  about: 'Invoices.',
  access,
  fields: { number: text(), shop: ref(shops), net: money(), total: money(), paid: date(), pdf: file() },
})
const returnLoan = defineEndpoint({
  method: 'POST',
  path: '/api/rest/loans/{pk}/return',
  summary: 'Return',
  access: 'caller.signedIn',
  answers: { 204: 'Returned.' },
  run: () => {},
})
const loanDue = defineMail<{ name: string; title: string }>('loanDue', {
  texts: { en: ({ name, title }) => ({ subject: title, greeting: name, paragraphs: [title], note: 'You borrowed it.' }) },
})
const totals = manyOf(defineShape('Total', { count: integer() }), 'totals')
const total = defineShape('Sum', { count: integer() })
declare const library: Module
declare const records: TransactionRecords
declare const context: Call & Context
declare const transaction: TransactionContext
declare const platform: Platform
declare const config: Config
declare const request: Request
declare const log: Logger
declare const caller: Caller
declare const count: number
declare const invoice: { readonly pk: string; readonly number: string }
declare const loan: Row<typeof loans>
declare const bytes: Uint8Array
declare const batches: AsyncIterable<readonly { readonly count: number }[]>
declare const failure: unknown
declare const code: unknown
declare const key: string
declare const titles: readonly string[]
declare const checkCard: (card: unknown) => void
declare const readGate: () => Promise<void>
declare const connectToGate: () => Promise<{ open(): void }>
const librarySettings = defineSettings('app.library', {
  webhookAddress: text({ default: '', about: '' }),
  webhookSecret: text({ default: '', about: '' }),
  reminders: choice(['true', 'false', 'auto'], { default: 'auto', about: '' }),
})
const shopSettings = defineSettings('app.shop', { currency: text({ default: 'EUR', about: '' }) })
`

const types = {
  plinth: 'type Call, type Caller, type Module, type Row, type TransactionRecords, users',
  'plinth/module': 'type Config, type Context, type Logger, type Platform, type Request, type TransactionContext',
}

test('every example compiles', async () => {
  const examples = new Map(entries.flatMap(entry => [...entry.examples]))
  const text = surroundings + [...examples.values()].join('\n')
  const used = (names: readonly string[]): string =>
    names.filter(name => new RegExp(`\\b${name}\\b`).test(text)).join(', ')
  const imports = entries.map(
    ({ name, callables }) => `import { ${types[name as keyof typeof types]}, ${used(callables)} } from '${name}'`,
  )
  const packages = { plinth: fileURLToPath(new URL('..', import.meta.url)) }
  expect(await compileExamples({ examples, preamble: imports.join('\n') + surroundings, packages })).toBe('')
})

test.each(entries)('each function of $name has an example', ({ callables, examples }) => {
  expect(callables.filter(name => !examples.has(name))).toEqual([])
})
