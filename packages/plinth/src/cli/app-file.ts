// The application that a command works for: `plinth.config.ts`, or what `plinth build` made of it.

import { existsSync, realpathSync, statSync } from 'node:fs'
import { cp, readFile, rm } from 'node:fs/promises'
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildFailure, BuildOptions, Loader, Plugin } from 'esbuild'
import type { AppDefinition } from '../app/define-app.ts'
import { CommandError } from './explain.ts'

const sources = ['plinth.config.ts', 'plinth.config.mts', 'plinth.config.js', 'plinth.config.mjs']

/** Where `plinth build` puts the application, below its folder. */
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

/** Where paths in the definition of an application begin: at its source, or at what `plinth build` made of it. */
export const folderOf = (file: string): string => {
  const [folder = '', cached] = resolve(file).split(`${sep}${cacheFolder}${sep}`)
  return cached === undefined ? dirname(folder) : folder
}

/** In the folder of the application, so that Node finds the packages that the application imports. */
const importBundled = async (file: string) => {
  const bundle = join(dirname(file), cacheFolder, `plinth.config-${process.pid}.mjs`)
  await bundleApp(bundle, bundleOptions(file))
  try {
    return await importFile(bundle)
  } finally {
    await rm(bundle, { force: true })
  }
}

// An application in TypeScript as one file of JavaScript. Packages stay imports, so that the application and the command line
// share one Plinth.

interface BundleChoice {
  /** Does the bundle run from `dist`, without the source? */
  readonly isBuilt?: boolean
  /** Files that are watched like those of the source. */
  readonly watchFiles?: readonly string[]
}

export const bundleOptions = (source: string, choice: BundleChoice = {}): BuildOptions => ({
  entryPoints: [source],
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'silent',
  banner: { js: bundleHead },
  define: { 'import.meta.url': fileUrl, 'import.meta.filename': filePath, 'import.meta.dirname': folderPath },
  plugins: [ownPlaces(source, choice)],
})

// In a bundle, `import.meta.url` would be the place of the bundle. Code finds its files by it, so each file keeps its own.

const bundleUrl = '__bundleUrl'
const fileUrl = '__fileUrl'
const filePath = '__filePath'
const folderPath = '__folderPath'

const bundleHead = `import { dirname as __toFolder } from 'node:path';
import { fileURLToPath as __toPath } from 'node:url';
const ${bundleUrl} = import.meta.url;`

/** On the first line of a file, so that its lines keep their numbers. */
const fileHead = (url: string): string =>
  `const ${fileUrl} = ${url}, ${filePath} = /* @__PURE__ */ __toPath(${fileUrl}), ` +
  `${folderPath} = /* @__PURE__ */ __toFolder(${filePath}); `

const ownPlaces = (source: string, { isBuilt = false, watchFiles = [] }: BundleChoice): Plugin => {
  const entry = realpathSync(source)
  return {
    name: 'own-places',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const isEntry = path === entry
        if (!isEntry && !text.includes('import.meta')) return undefined
        const url = isBuilt
          ? `/* @__PURE__ */ new URL(${JSON.stringify(placeInBuild(relative(dirname(entry), path)))}, ${bundleUrl}).href`
          : JSON.stringify(pathToFileURL(path).href)
        return {
          contents: fileHead(url) + text,
          loader: loaders[extname(path)] ?? 'js',
          ...(isEntry && { watchFiles: [...watchFiles] }),
        }
      }),
  }
}

const loaders: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
}

// What is built has the files of modules at the same paths as the source. Those from outside of the folder are below `_`.

const placeInBuild = (path: string): string =>
  path
    .split(sep)
    .map(part => (part === '..' ? '_' : part))
    .join('/')

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

/** Gives the file. What is built is whole: it needs nothing of the source. */
export const buildApp = async (source: string): Promise<string> => {
  const from = dirname(source)
  const file = join(from, builtApp)
  await bundleApp(file, bundleOptions(source, { isBuilt: true }))
  const app = await loadApp(file)
  const { logo } = app.client
  if (logo !== undefined) await cp(join(from, logo), join(dirname(file), logo))
  await copyFiles(app, from, dirname(file))
  return file
}

// The bundler

/** Loaded when it is needed: a built application runs without it. */
export const loadBundler = () => import('esbuild')

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors)

/** The messages of the bundler name file, line and column. */
export const toCommandError = async (error: unknown): Promise<unknown> => {
  if (!isBuildFailure(error)) return error
  const { formatMessages } = await loadBundler()
  return new CommandError((await formatMessages(error.errors, { kind: 'error', terminalWidth: 120 })).join('').trim())
}

const bundleApp = async (outfile: string, options: BuildOptions): Promise<void> => {
  const { build } = await loadBundler()
  try {
    await build({ ...options, outfile })
  } catch (error) {
    throw await toCommandError(error)
  }
}
