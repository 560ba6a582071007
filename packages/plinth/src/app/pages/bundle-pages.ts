// The pages of modules as files for browsers. Each module is loaded by itself, so that one that fails takes no other with it.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { type BuiltPages, pagesAddress, pagesList } from './built-pages.ts'
import { listedSources, pagesEntry } from './page-entry.ts'
import type { PageSource } from './page-sources.ts'
import { textsOfPages } from './page-texts.ts'
import { type SharedModules, shareModules } from './shared-modules.ts'

export interface PageBundle {
  readonly sources: readonly PageSource[]
  readonly shared: SharedModules
  /** The folder that gets the files. */
  readonly folder: string
  /** Says that the pages are for the developer, who wants to find the source. */
  readonly isDevelopment?: boolean
}

const startOf = ({ outputs }: Metafile): string =>
  Object.keys(outputs).find(path => outputs[path]?.entryPoint === `${pagesEntry}:${pagesEntry}`) ?? ''

/** The files that the first page needs of the modules: their beginnings, with what these import. */
const firstFiles = (metafile: Metafile, folder: string): readonly string[] => {
  const { outputs } = metafile
  const start = startOf(metafile)
  const begin = (outputs[start]?.imports ?? []).map(({ path }) => path)
  const found = new Set<string>()
  const add = (path: string): void => {
    if (found.has(path) || !outputs[path]) return
    found.add(path)
    for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') add(next)
  }
  for (const path of begin) add(path)
  return [...found].map(path => addressOf(path, folder))
}

/** The bundler gives paths from the working directory. */
const addressOf = (path: string, folder: string): string =>
  [pagesAddress, ...relative(folder, resolve(path)).split(sep)].join('/')

const listOf = (metafile: Metafile, { shared, folder }: PageBundle): BuiltPages => {
  const start = startOf(metafile)
  // The styles of all pages, also of those that are loaded later.
  const styles = metafile.outputs[start]?.cssBundle
  return {
    entry: addressOf(start, folder),
    first: firstFiles(metafile, folder),
    styles: styles === undefined ? [] : [addressOf(styles, folder)],
    client: shared.version,
  }
}

/** The list is the last file that is written: where it is, the others are. */
const writeList = (bundle: PageBundle): Plugin => ({
  name: 'pages-list',
  setup: ({ onEnd }) =>
    onEnd(async ({ errors, metafile }) => {
      if (errors.length > 0 || !metafile) return
      await mkdir(bundle.folder, { recursive: true })
      await writeFile(join(bundle.folder, pagesList), JSON.stringify(listOf(metafile, bundle)))
    }),
})

export const pageBundleOptions = (bundle: PageBundle): BuildOptions => {
  const { sources, shared, folder, isDevelopment = false } = bundle
  /** The first file of each module. */
  const first = new Set<string>()
  return {
    entryPoints: [pagesEntry],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    minify: !isDevelopment,
    sourcemap: isDevelopment ? 'inline' : false,
    metafile: true,
    logLevel: 'silent',
    publicPath: pagesAddress,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    loader: Object.fromEntries(['.svg', '.png', '.jpg', '.webp', '.woff2'].map(ending => [ending, 'file' as const])),
    plugins: [
      listedSources(sources, first),
      shareModules(shared, { address: '/client', isFirst: file => first.has(file) }),
      writeList(bundle),
    ],
  }
}

/** The compressed forms lie beside each file, made once. */
const compress = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const path = join(folder, name)
    const content = await readFile(path)
    await writeFile(`${path}.br`, brotliCompressSync(content))
    await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }))
  }
}

/** Writes the pages of a build. Without pages, the folder is removed. */
export const bundlePages = async (bundle: PageBundle): Promise<void> => {
  await rm(bundle.folder, { recursive: true, force: true })
  if (bundle.sources.length === 0) return
  const { build } = await import('esbuild')
  await build(pageBundleOptions(bundle))
  await writeFile(join(bundle.folder, 'texts.json'), JSON.stringify(await textsOfPages(bundle.sources)))
  await compress(bundle.folder)
}
