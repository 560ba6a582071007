// The pages of modules as `plinth build`, `plinth dev` or a test has bundled them, beside the files of the web client.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The address of their files. */
export const pagesAddress = '/client/pages'

/** The name of the file that lists them. */
export const pagesList = 'pages.json'

export interface BuiltPages {
  /** The address of the script that loads the modules. */
  readonly entry: string
  /** Scripts that every visit needs, so that the browser fetches them at once. */
  readonly first: readonly string[]
  readonly styles: readonly string[]
  /** The version of the web client that they were bundled for. */
  readonly client: string
}

/** Returns null where nothing was bundled. */
export const readBuiltPages = (folder: string): BuiltPages | null => {
  const path = join(folder, pagesList)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}
