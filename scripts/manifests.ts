// The manifests of the repository. All packages are released together, in one version, and need one another in exactly that version.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export type Manifest = Readonly<Record<string, unknown>>

export const readManifest = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8'))

/** The paths of the manifests in a folder of packages. */
export const manifestsIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .map(name => join(root, folder, name, 'package.json'))
    .filter(existsSync)

const isRecord = (value: unknown): value is Manifest => typeof value === 'object' && value !== null

const isOwn = (name: string): boolean => name === 'plinth' || name.startsWith('@plinth/')

/** The packages of this repository that a manifest needs, with their versions. */
export const ownDependencies = ({ dependencies }: Manifest): readonly (readonly [string, unknown])[] =>
  isRecord(dependencies) ? Object.entries(dependencies).filter(([name]) => isOwn(name)) : []

export const withVersion = (manifest: Manifest, version: unknown): Manifest => {
  const own = Object.fromEntries(ownDependencies(manifest).map(([name]) => [name, version]))
  const { dependencies } = manifest
  return { ...manifest, version, ...(isRecord(dependencies) && { dependencies: { ...dependencies, ...own } }) }
}
