// Writes the application: the files of the folder `template`, with the choices of the user filled in.
//
// In the template, `__NAME__` is a placeholder, and lines between `#if postgres` and `#end` are for PostgreSQL only, those between
// `#if tarballs` and `#end` for packages from files. Names that start with `_` get a dot instead: npm leaves files such as `.gitignore`
// out of packages.

import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NewAppOptions } from './options.ts'
import { version } from './version.ts'

const template = fileURLToPath(new URL('../template', import.meta.url))

type Placeholders = Readonly<Record<string, string>>

const titleOf = (name: string): string => {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const noSecrets: Placeholders = {
  DEVELOPMENT_PASSWORD: '',
  POSTGRES_PASSWORD: '',
  TOKEN_SIGNING_KEY: '',
  SEALING_KEY: '',
}

/** Passwords are parts of addresses, so they have letters and digits only. */
const createSecrets = (): Placeholders => ({
  DEVELOPMENT_PASSWORD: randomBytes(24).toString('hex'),
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
  TOKEN_SIGNING_KEY: randomBytes(48).toString('base64url'),
  SEALING_KEY: randomBytes(48).toString('base64url'),
})

const fillIn = (text: string, conditions: readonly string[], values: Placeholders): string =>
  text
    .replaceAll(/^ *#if (\w+)\n(.*?)^ *#end\n/gms, (_, name: string, lines: string) =>
      conditions.includes(name) ? lines : '',
    )
    .replaceAll(/__([A-Z_]+?)__/g, (placeholder, name: string) => values[name] ?? placeholder)

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter(file => file.isFile())
    .map(file => relative(folder, join(file.parentPath, file.name)))
    .sort()

const withDots = (path: string): string => path.replaceAll(/(^|[\\/])_/g, '$1.')

/** The paths of the files, from the folder of the application. It never overwrites a file. */
export const writeApp = async ({ folder, ...choices }: NewAppOptions): Promise<readonly string[]> => {
  const values = { ...placeholdersOf(choices), ...noSecrets }
  const conditions = [choices.database, ...(choices.tarballs.length > 0 ? ['tarballs'] : [])]
  const written: string[] = []
  const write = async (path: string, text: string | Buffer, mode?: number): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text, { flag: 'wx', mode })
    written.push(path)
  }
  for (const file of await filesIn(template)) {
    const text = await readFile(join(template, file), 'utf8')
    await write(withDots(file), fillIn(text, conditions, values))
    if (file === '_env.example') await write('.env', fillIn(text, conditions, { ...values, ...createSecrets() }), 0o600)
  }
  for (const { path, file } of choices.tarballs) await write(join(vendor, file), await readFile(path))
  return written
}

/** The folder of packages in an application that come from files. */
const vendor = 'vendor'

const placeholdersOf = ({ name, isDemo, tarballs }: Omit<NewAppOptions, 'folder'>): Placeholders => {
  const placeOf = (packageName: string): string | undefined => {
    const found = tarballs.find(one => one.name === packageName)
    return found && `${vendor}/${found.file}`
  }
  const [plinth, client, web] = ['plinth', '@plinth/client', '@plinth/web'].map(placeOf)
  return {
    NAME: name,
    TITLE: titleOf(name),
    PLINTH: plinth === undefined ? version : `file:${plinth}`,
    CLIENT: client === undefined ? '@plinth/client' : `./${client}`,
    WEB: web === undefined ? '@plinth/web' : `./${client} ./${web}`,
    DEMO: String(isDemo),
  }
}
