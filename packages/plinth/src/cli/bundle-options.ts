// An application in TypeScript as one file of JavaScript. Packages stay imports, so that the application and the command line share
// one Plinth. In a bundle, `import.meta.url` would be the place of the bundle: code finds its files by it, so each file keeps its own.

import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, extname, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions, Loader, Plugin } from 'esbuild'

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

const bundleUrl = '__bundleUrl'
const fileUrl = '__fileUrl'
const filePath = '__filePath'
const folderPath = '__folderPath'

const bundleHead = `import { dirname as __toFolder } from 'node:path';
import { fileURLToPath as __toPath } from 'node:url';
const ${bundleUrl} = import.meta.url;`

/** The code on the first line of a file, so that its lines keep their numbers. */
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

const placeInBuild = (path: string): string =>
  path
    .split(sep)
    .map(part => (part === '..' ? '_' : part))
    .join('/')
