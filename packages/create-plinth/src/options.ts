// What the user wants: from the command line, and from questions in a terminal for what it does not say.

import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { readTarballs, type Tarball } from './tarballs.ts'
import { UsageError } from './usage-error.ts'

const databases = ['sqlite', 'postgres'] as const
type DatabaseName = (typeof databases)[number]

export interface NewAppOptions {
  /** Absolute. */
  readonly folder: string
  /** The name of the npm package. */
  readonly name: string
  readonly database: DatabaseName
  /** Says whether the application starts with demo users and data. */
  readonly isDemo: boolean
  readonly installs: boolean
  /** Packages of Plinth that come from files; none: all come from the registry. */
  readonly tarballs: readonly Tarball[]
}

export const usage = `Usage: npm create plinth <folder> -- [options]
       npm run create -- <folder> [options]       in a clone, with the packages of the clone

Creates an application built with Plinth.

  --database <name>   sqlite or postgres (default: sqlite)
  --demo, --no-demo   start with demo users and data (default: yes)
  --from <path>       take Plinth from packed packages instead of the registry: a folder of tarballs, or a tarball; repeatable
  --no-install        do not run npm install
  --yes               ask nothing, and use the defaults
  --help              print this
  --version           print the version`

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        database: { type: 'string' },
        demo: { type: 'boolean' },
        from: { type: 'string', multiple: true, default: [] },
        install: { type: 'boolean', default: true },
        yes: { type: 'boolean', short: 'y', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

const toDatabase = (text: string): DatabaseName => {
  const found = databases.find(name => name === text.trim().toLowerCase())
  if (!found) throw new UsageError(`There is no database '${text}'; choose ${databases.join(' or ')}.`)
  return found
}

const ask = async (terminal: Interface, question: string, fallback: string): Promise<string> =>
  (await terminal.question(`${question} [${fallback}] `)).trim() || fallback

const askWhether = async (terminal: Interface, question: string): Promise<boolean> =>
  !/^n/i.test(await terminal.question(`${question} [Y/n] `))

/** `.git` may be there: a repository is often created first. */
const requireEmpty = (folder: string): void => {
  let files: string[]
  try {
    files = readdirSync(folder).filter(name => name !== '.git')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw new UsageError(`${folder} is not a folder.`)
  }
  if (files.length > 0)
    throw new UsageError(`The folder ${folder} is not empty; it contains ${files[0]}. Choose another name.`)
}

const packageName = (folder: string): string => {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  if (!name) throw new UsageError(`The name '${basename(folder)}' needs a letter or a digit.`)
  return name
}

export const readOptions = async (args: readonly string[]): Promise<NewAppOptions | 'help' | 'version'> => {
  const { values, positionals } = parse(args)
  if (values.help) return 'help'
  if (values.version) return 'version'
  const [path, ...others] = positionals
  if (others.length > 0) throw new UsageError(`One folder is expected, but there are more: ${others.join(', ')}`)
  if (values.database !== undefined) toDatabase(values.database)
  const tarballs = values.from.length > 0 ? readTarballs(values.from) : []
  const asks = process.stdin.isTTY && process.stdout.isTTY && !values.yes
  if (path === undefined && !asks) throw new UsageError(usage)
  const terminal = asks ? createInterface({ input: process.stdin, output: process.stdout }) : undefined
  try {
    const folder = resolve(path ?? (terminal ? await ask(terminal, 'Folder of the application?', 'my-app') : '.'))
    requireEmpty(folder)
    const name = packageName(folder)
    const database =
      values.database ?? (terminal ? await ask(terminal, 'Database, sqlite or postgres?', 'sqlite') : 'sqlite')
    const isDemo = values.demo ?? (terminal ? await askWhether(terminal, 'Start with demo users and data?') : true)
    return { folder, name, database: toDatabase(database), isDemo, installs: values.install, tarballs }
  } finally {
    terminal?.close()
  }
}
