// What the pages of modules share with the web client: one React, one component library, one session. In a bundle, an import of such a
// module becomes an import of the file of the web client that exports it.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OnLoadResult, OnResolveResult, Plugin } from 'esbuild'
import { sha256Of } from '../../core/digest.ts'

/** A file of the web client, and what it exports of a module. */
interface SharedFile {
  readonly module: string
  readonly file: string
  readonly names: readonly string[]
}

export interface SharedModules {
  readonly files: readonly SharedFile[]
  /** Changes with every build of the web client that changes one of the files. */
  readonly version: string
}

/** The build of the web client writes it. */
const listName = 'shared-modules.json'

/** Returns null in a checkout in which the web client is not built. */
export const readSharedModules = (client: string): SharedModules | null => {
  const path = join(client, listName)
  if (!existsSync(path)) return null
  const text = readFileSync(path, 'utf8')
  return { files: JSON.parse(text), version: sha256Of(text).slice(0, 16) }
}

const namespace = 'shared-module'
const partNamespace = 'shared-module-part'

/** What runs on the server alone, by the name that a page would import. */
const serverModule = /^(?:node:|plinth$|plinth\/)/

const refused = (path: string): OnResolveResult => ({
  errors: [
    { text: `'${path}' runs on the server: a page of the web client can only import its types, with \`import type\`` },
  ],
})

/** Given with the package of a module itself, which is no import of a page. */
export const allowsPackage = Symbol('allowsPackage')

/** Each file of the web client is a part, so that a bundle imports only those that it needs. */
const codeOf = (files: readonly SharedFile[], path: string): string => {
  const [module = '', query = ''] = path.split('?')
  return files
    .flatMap((one, at) =>
      one.module === module ? [`export { ${one.names.join(', ')} } from '${partNamespace}:${at}?${query}'`] : [],
    )
    .join('\n')
}

const toCode = (contents: string): OnLoadResult => ({ contents, loader: 'js' })

interface SharingOptions {
  /** The address of the web client. */
  readonly address: string
  /**
   * Is this the first file of a module, which every visit loads? What it imports is kept apart from what pages import: otherwise the
   * bundler would put both into one file.
   */
  readonly isFirst: (file: string) => boolean
}

/** The bundler's part: it replaces imports of shared modules. */
export const shareModules = ({ files }: SharedModules, { address, isFirst }: SharingOptions): Plugin => {
  const modules = new Set(files.map(({ module }) => module))
  const fileAt = (path: string): SharedFile | undefined => files[Number(path.split('?')[0])]
  return {
    name: 'shared-modules',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^[^./\\]/ }, ({ path, kind, importer, pluginData }) => {
        if (kind === 'entry-point' || pluginData === allowsPackage) return undefined
        if (modules.has(path))
          return { path: isFirst(importer) ? `${path}?first` : path, namespace, sideEffects: false }
        return serverModule.test(path) ? refused(path) : undefined
      })
      onLoad({ filter: /.*/, namespace }, ({ path }) => toCode(codeOf(files, path)))
      onResolve({ filter: new RegExp(`^${partNamespace}:`) }, ({ path }) => ({
        path: path.slice(partNamespace.length + 1),
        namespace: partNamespace,
        sideEffects: false,
      }))
      onLoad({ filter: /.*/, namespace: partNamespace }, ({ path }) => {
        const { names = [], file = '' } = fileAt(path) ?? {}
        return toCode(`export { ${names.join(', ')} } from '${address}/${file}'`)
      })
      onResolve({ filter: new RegExp(`^${address}/`), namespace: partNamespace }, ({ path }) => ({
        path,
        external: true,
        sideEffects: false,
      }))
    },
  }
}
