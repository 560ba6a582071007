// Packages that only some settings need: optional peers of plinth, which an application installs when it uses them.

import { createRequire } from 'node:module'
import { errorCode } from '../problem.ts'
import { ConfigError } from './load.ts'

/** The packages that a feature needs. */
export interface OptionalPackages {
  /** The setting that needs them, such as `app.files.s3.bucket`. */
  readonly setting: string
  readonly names: readonly string[]
}

/** What an error of Node names first: what it looked for, and not who looked. */
const specifierIn = (message: string): string => message.split("'")[1]?.replaceAll('\\', '/') ?? ''

/**
 * Was the error thrown because one of these packages is not installed? An error inside of them is another fault. A process that has
 * looked for a package before it was installed goes on without it: Node remembers that it has no description, and looks for `index.js`.
 */
export const isMissingPackage = (error: unknown, names: readonly string[]): boolean => {
  if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND' && errorCode(error) !== 'MODULE_NOT_FOUND') return false
  const specifier = specifierIn(error instanceof Error ? error.message : '')
  return names.some(name => specifier === name || specifier.endsWith(`/node_modules/${name}/index.js`))
}

/** Can the package be found? It is not loaded. */
export const isInstalled = (name: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch (error) {
    if (isMissingPackage(error, [name])) return false
    throw error
  }
}

/** `needs packages that are not installed: npm install …`. */
export const installMessage = (names: readonly string[]): string =>
  `needs ${names.length === 1 ? 'a package that is' : 'packages that are'} not installed: npm install ${names.join(' ')}`

/** What `load` imports; a ConfigError that says what to install, if it is not there. */
export const loadPackages = async <T>({ setting, names }: OptionalPackages, load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (error) {
    if (!isMissingPackage(error, names)) throw error
    throw new ConfigError([{ name: setting, where: 'optional packages', message: installMessage(names) }])
  }
}
