// The examples in the comments of what `plinth` exports: editors show them, and they compile.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileApp } from '@plinth/test-kit/compile-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as entry from '../src/index.ts'

const plinth = fileURLToPath(new URL('..', import.meta.url))

/** Functions and classes; resources such as `users` are their own examples. */
const callable = Object.entries(entry)
  .filter(([, value]) => typeof value === 'function')
  .map(([name]) => name)

const commented = /\/\*\*\n((?: \*[^\n]*\n)+?) \*\/\nexport (?:const|class|function) (\w+)/g

/** The example in the comment of each exported name. */
const examples = new Map(
  readdirSync(join(plinth, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .flatMap(file => [...readFileSync(join(plinth, 'src', file), 'utf8').matchAll(commented)])
    .flatMap(([, comment = '', name = '']): [string, string][] => {
      const [, example] = comment.replaceAll(/^ \* ?/gm, '').split('@example')
      return example !== undefined && callable.includes(name) ? [[name, example.trim()]] : []
    }),
)

/** Statements stay as they are, a list of fields stands in an object, and anything else is an expression. */
const toStatement = (example: string): string => {
  if (/^(?:export|const|throw|await|for)\b|;|\/\//.test(example))
    return example.replaceAll(/^export (?:default )?/gm, '')
  return /^\w+:/.test(example) ? `void ({ ${example} })` : `void (${example})`
}

/** What examples take from their surroundings. */
const preamble = `
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
declare const returnLoan: Endpoint
declare const library: Module
declare const records: TransactionRecords
declare const context: Call
declare const caller: Caller
declare const count: number
declare const invoice: { readonly pk: string; readonly number: string }
declare const loan: Row<typeof loans>
declare const bytes: Uint8Array
declare const checkCard: (card: unknown) => void
declare const loanDue: never
const librarySettings = defineSettings('app.library', { webhookAddress: text({ default: '', about: '' }), webhookSecret: text({ default: '', about: '' }) })
const shopSettings = defineSettings('app.shop', { currency: text({ default: 'EUR', about: '' }) })
declare const titles: readonly string[]
`

const folder = mkdtempSync(join(tmpdir(), 'plinth-examples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let said = ''
beforeAll(async () => {
  await mkdir(join(folder, 'node_modules'))
  await symlink(plinth, join(folder, 'node_modules/plinth'), 'dir')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const parts = [...examples].map(
    ([name, example]) => `export const ${name}Example = async () => {\n${toStatement(example)}\n}`,
  )
  const names = callable.filter(name => new RegExp(`\\b${name}\\b`).test(preamble + parts.join('\n')))
  await writeFile(
    join(folder, 'app.ts'),
    [
      `import { type Call, type Caller, type Endpoint, type Module, type Row, type TransactionRecords, users, ${names.join(', ')} } from 'plinth'`,
      preamble,
      ...parts,
    ].join('\n'),
  )
  said = await compileApp(folder)
})

test('every example compiles', () => {
  expect(said).toBe('')
})

/** They only become fewer. */
const withoutExample = ['createUser', 'fault', 'input', 'issued', 'oneOrMany', 'queueMail', 'settingList', 'sql']

test('what applications declare with has an example', () => {
  expect(callable.filter(name => !examples.has(name)).sort()).toEqual(withoutExample)
})
