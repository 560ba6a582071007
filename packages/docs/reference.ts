// The tables of the reference pages, generated from definitions, and the code of the tutorial, which is that of the example.
// `npm run reference -w plinth-docs` writes them into the pages in `docs`, between `<!-- table: name -->` or `<!-- example: path -->` and
// `<!-- end -->`. A test compares the pages with the definitions.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import app from '../../plinth.config.ts'
import { modulesFor } from '../plinth/src/app/define-app.ts'
import { createCommandLine } from '../plinth/src/cli/command-line.ts'
import { loadConfig, settingsOf } from '../plinth/src/config.ts'
import { settingText } from '../plinth/src/core/config/fields.ts'
import { fault } from '../plinth/src/core/fault.ts'
import { inLanguage } from '../plinth/src/core/model/words.ts'
import { problemsOf } from '../plinth/src/core/module.ts'
import type { Text } from '../plinth/src/core/text.ts'
import { asvsCounts, asvsRows } from './asvs.ts'
import { fieldOptionRows, fieldTypeRows } from './field-types.ts'

type TableRow = readonly string[]

const code = (text: string): string => `\`${text}\``

/** A pipe ends a cell, also inside code; outside of code, `<` begins an element. */
const toCell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .replaceAll(/(`[^`]*`)|</g, (_, quoted?: string) => quoted ?? '&lt;')

const table = (head: TableRow, rows: readonly TableRow[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(toCell).join(' | ')} |`).join('\n')

const settingsTable = (): string =>
  table(
    ['Setting', 'Type', 'Default', 'Description'],
    [...settingsOf(app)].map(([name, { type, options }]) => {
      const fallback = settingText(type, options.default)
      return [code(name), type.name, fallback ? code(fallback) : '(none)', inLanguage(options.about ?? '', 'en')]
    }),
  )

const problemsTable = (): string =>
  table(
    ['Code', 'Status', 'Title', 'When'],
    Object.entries(problemsOf(app.modules)).map(([name, { status, title, meaning }]) => [
      code(name),
      `${status}`,
      inLanguage(title, 'en'),
      meaning,
    ]),
  )

const errorsTable = (): string => {
  const modules = modulesFor(app, loadConfig(app, { env: {}, cwd: import.meta.dirname }))
  const known: Record<string, Text> = Object.assign({}, fault.table, ...modules.map(({ faults }) => faults))
  return table(
    ['Code', 'Message'],
    Object.entries(known).map(([name, message]) => [code(name), inLanguage(message, 'en')]),
  )
}

const commandRows = (command: ReturnType<typeof createCommandLine>, parents: readonly string[]): TableRow[] => {
  const words = [...parents, command.name()]
  const usage = [
    ...words,
    ...command.registeredArguments.map(one => (one.required ? `<${one.name()}>` : `[${one.name()}]`)),
    ...command.options.map(({ flags }) => `[${flags}]`),
  ].join(' ')
  const rows = command.commands.flatMap(one => commandRows(one, words))
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0
  return isGroup ? rows : [[code(usage), command.description()], ...rows]
}

const commandsTable = (): string => table(['Command', 'Description'], commandRows(createCommandLine(app), []))

const tables: Readonly<Record<string, () => string>> = {
  settings: settingsTable,
  problems: problemsTable,
  errors: errorsTable,
  commands: commandsTable,
  'asvs counts': () => table(['Chapter', 'Met', 'Not applicable', 'Open'], asvsCounts()),
  'asvs requirements': () => table(['Number', 'Level', 'State', 'About', 'How', 'Shown by'], asvsRows()),
  'field types': () => table(['Function', 'JSON Schema', 'Column', 'Further options'], fieldTypeRows()),
  'field options': () => table(['Option', 'Type', 'Description'], fieldOptionRows()),
}

const folder = new URL('../../docs/', import.meta.url)

const example = new URL('../../examples/library/', import.meta.url)

/** A file of the example. The tutorial explains it, so the comment at its top is left out. */
const exampleCode = (path: string): string => {
  const text = readFileSync(new URL(path, example), 'utf8').replace(/^(?:\/\/.*\n)+\n/, '')
  return `\`\`\`${path.endsWith('.tsx') ? 'tsx' : 'ts'}\n// ${path}\n${text}\`\`\``
}

/** The page with its tables and the code of the example as they are now. */
export const withGenerated = (page: string): string =>
  withTables(
    page.replaceAll(
      /(<!-- example: (\S+) -->\n).*?(<!-- end -->)/gs,
      (_, start: string, path: string, end: string) => `${start}\n${exampleCode(path)}\n\n${end}`,
    ),
  )

const withTables = (page: string): string =>
  page.replaceAll(/(<!-- table: ([\w ]+) -->\n).*?(<!-- end -->)/gs, (_, start: string, name: string, end: string) => {
    const write = tables[name]
    if (!write) throw new Error(`There is no table '${name}'; there are ${Object.keys(tables).join(', ')}.`)
    return `${start}\n${write()}\n\n${end}`
  })

/** Every page of `docs` that is under version control: its name and text. */
export const readPages = (): readonly { readonly name: string; readonly text: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md') && !name.startsWith('api/'))
    .sort()
    .map(name => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { name, text } of readPages()) writeFileSync(new URL(name, folder), withGenerated(text))
