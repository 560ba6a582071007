// The entry of a bundle of pages: it lists the modules, each with the way to load its first file.

import type { Plugin } from 'esbuild'
import type { PageSource } from './page-sources.ts'
import { allowsPackage } from './shared-modules.ts'

/** The name of the entry that lists the modules. */
export const pagesEntry = 'pages'
const sourcePrefix = 'page-source:'

const entryCode = (sources: readonly PageSource[]): string => {
  const items = sources.map(
    ({ module }, at) => `  { module: ${JSON.stringify(module)}, load: () => import('${sourcePrefix}${at}') },`,
  )
  return ['export default [', ...items, ']'].join('\n')
}

/** Finds the entry, and the first file of each module. */
export const listedSources = (sources: readonly PageSource[], first: Set<string>): Plugin => ({
  name: 'page-sources',
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: new RegExp(`^${pagesEntry}$`) }, ({ kind }) =>
      kind === 'entry-point' ? { path: pagesEntry, namespace: pagesEntry } : undefined,
    )
    onLoad({ filter: /.*/, namespace: pagesEntry }, () => ({ contents: entryCode(sources), loader: 'js' }))
    onResolve({ filter: new RegExp(`^${sourcePrefix}`) }, async ({ path }) => {
      const source = sources[Number(path.slice(sourcePrefix.length))]
      if (!source) return undefined
      const { file, folder } = source
      const found = await resolve(file, { resolveDir: folder, kind: 'import-statement', pluginData: allowsPackage })
      first.add(found.path)
      return found
    })
  },
})
