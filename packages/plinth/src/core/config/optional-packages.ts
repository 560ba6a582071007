// Packages that only some settings need: optional peers of plinth, which an application installs when it uses them.

import { errorCode } from '../problem.ts'
import { ConfigError } from './load.ts'

/** The packages that a feature needs. */
export interface OptionalPackages {
  /** The setting that needs them, such as `app.files.s3.bucket`. */
  readonly setting: string
  readonly names: readonly string[]
}

/** Was the error thrown because one of these packages is not installed? An error inside of them is another fault. */
export const isMissingPackage = (error: unknown, names: readonly string[]): boolean => {
  if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND' && errorCode(error) !== 'MODULE_NOT_FOUND') return false
  const message = error instanceof Error ? error.message : ''
  return names.some(name => message.includes(`'${name}'`))
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
