// What `plinth build` makes: the bundle, with the files of modules at the same paths as in the source. Those from outside of the
// folder are below `_`.

import { statSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { builtClient } from '../app/built-client.ts'
import type { AppDefinition } from '../app/define-app.ts'
import { bundlePages } from '../app/pages/bundle-pages.ts'
import { pageSources } from '../app/pages/page-sources.ts'
import { readSharedModules } from '../app/pages/shared-modules.ts'
import { builtApp, loadApp, pagesFolderOf } from './app-file.ts'
import { bundleOptions } from './bundle-options.ts'
import { bundleApp, toCommandError } from './bundler.ts'
import { CommandError } from './explain.ts'

const placeInSource = (path: string): string =>
  path
    .split(sep)
    .map(part => (part === '_' ? '..' : part))
    .join(sep)

const copyFiles = async ({ modules }: AppDefinition, from: string, to: string): Promise<void> => {
  for (const { name, files = [] } of modules)
    for (const { folder } of files) {
      const place = resolve(to, folder)
      const path = relative(to, place)
      // A package brings its own files.
      if (path.startsWith('..') || isAbsolute(path)) continue
      const original = resolve(from, placeInSource(path))
      const isFolder = statSync(original, { throwIfNoEntry: false })?.isDirectory() ?? false
      if (!isFolder) throw new CommandError(`Module ${name}: the folder of its static files is missing: ${original}`)
      if (path === '')
        throw new CommandError(`Module ${name}: its static files cannot be the whole application: ${original}`)
      await rm(place, { recursive: true, force: true })
      await cp(original, place, { recursive: true })
    }
}

/** Bundles the pages of the modules into a folder, for the web client. In a checkout it may be missing: then there are no pages either. */
export const buildPages = async ({ modules }: AppDefinition, folder: string): Promise<void> => {
  const sources = pageSources(modules)
  const shared = readSharedModules(builtClient)
  try {
    if (shared) await bundlePages({ sources, shared, folder })
  } catch (error) {
    throw await toCommandError(error)
  }
}

/** Gives the file. What is built is whole: it needs nothing of the source. */
export const buildApp = async (source: string): Promise<string> => {
  const from = dirname(source)
  const file = join(from, builtApp)
  await bundleApp(file, bundleOptions(source, { isBuilt: true }))
  const app = await loadApp(file)
  const { logo } = app.client
  if (logo !== undefined) await cp(join(from, logo), join(dirname(file), logo))
  await copyFiles(app, from, dirname(file))
  await buildPages(app, pagesFolderOf(file))
  return file
}
