// The application that a command works for: `plinth.config.ts`, or what `plinth build` made of it.

import { existsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AppDefinition } from '../app/define-app.ts'
import { bundleOptions } from './bundle-options.ts'
import { bundleApp } from './bundler.ts'
import { CommandError } from './explain.ts'

const sources = ['plinth.config.ts', 'plinth.config.mts', 'plinth.config.js', 'plinth.config.mjs']

/** The place where `plinth build` puts the application, below its folder. */
export const builtApp = join('dist', 'plinth.config.js')

export const isTypeScript = (file: string): boolean => /\.m?ts$/.test(file)

/** The configuration file in this folder, or this file itself. Undefined when there is none. */
export const findSource = (place: string): string | undefined => {
  const path = resolve(place)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return stats && path
  return sources.map(name => join(path, name)).find(existsSync)
}

export const hasApp = (place: string): boolean =>
  findSource(place) !== undefined || existsSync(resolve(place, builtApp))

/** `start` runs what was built: a production machine has no reason to build. Other commands read the source where it is there. */
export const findApp = (place: string, { prefersBuilt }: { readonly prefersBuilt: boolean }): string => {
  const source = findSource(place)
  // Named by the user.
  if (source === resolve(place)) return source
  const built = resolve(place, builtApp)
  if (existsSync(built) && (prefersBuilt || !source)) return built
  if (!source) throw new CommandError(noApp(resolve(place)))
  if (prefersBuilt && isTypeScript(source))
    throw new CommandError(
      `The application is not built: ${built} is missing. Run \`plinth build\` first, or \`plinth dev\` while you work on it.`,
    )
  return source
}

const noApp = (folder: string): string =>
  [
    `There is no application in ${folder}: plinth.config.ts is missing.`,
    'Create an application with `npm create plinth my-app`, name its folder with `--app <folder>`, or write plinth.config.ts:',
    '',
    "  import { defineApp } from 'plinth'",
    '',
    "  export default defineApp({ name: 'My application', modules: [] })",
  ].join('\n')

export const loadApp = async (file: string): Promise<AppDefinition> => {
  const loaded: { readonly default?: unknown } = isTypeScript(file) ? await importBundled(file) : await importFile(file)
  if (!isApp(loaded.default))
    throw new CommandError(`${file} does not export an application: write \`export default defineApp({ … })\`.`)
  return loaded.default
}

const isApp = (value: unknown): value is AppDefinition =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'app' && 'modules' in value

const importFile = (file: string) => import(pathToFileURL(file).href)

export const cacheFolder = join('node_modules', '.cache', 'plinth')

/**
 * The folder where paths in the definition of an application begin: that of its source, or of what `plinth build` made
 * of it.
 */
export const folderOf = (file: string): string => {
  const [folder = '', cached] = resolve(file).split(`${sep}${cacheFolder}${sep}`)
  return cached === undefined ? dirname(folder) : folder
}

const isBundle = (file: string): boolean => resolve(file).endsWith(`${sep}${builtApp}`) || file.includes(cacheFolder)

/** The folder of the pages of modules: beside the bundle of the application, which `plinth build` or `plinth dev` has made. */
export const pagesFolderOf = (file: string): string =>
  isBundle(file) ? join(dirname(resolve(file)), 'pages') : join(dirname(resolve(file)), cacheFolder, 'pages')

/** Is there no bundle of the application, so that its pages are bundled when the service starts? */
export const needsPages = (file: string): boolean => !isBundle(file)

/** Imports a bundle in the folder of the application, so that Node finds the packages that the application imports. */
const importBundled = async (file: string) => {
  const bundle = join(dirname(file), cacheFolder, `plinth.config-${process.pid}.mjs`)
  await bundleApp(bundle, bundleOptions(file))
  try {
    return await importFile(bundle)
  } finally {
    await rm(bundle, { force: true })
  }
}
