// The manifests of the repository. All packages are released together, in one version, and need one another in exactly that version.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export type Manifest = Readonly<Record<string, unknown>>

export const readManifest = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8'))

/** The paths of the manifests in a folder of packages. */
export const manifestsIn = (folder: string, base = root): readonly string[] =>
  readdirSync(join(base, folder))
    .map(name => join(base, folder, name, 'package.json'))
    .filter(existsSync)

export const isRecord = (value: unknown): value is Manifest => typeof value === 'object' && value !== null

const isOwn = (name: string): boolean => name === 'plinth' || name.startsWith('@plinth/')

const needs = ['dependencies', 'peerDependencies'] as const

/** The packages of this repository that a manifest needs, with their versions. */
export const ownDependencies = (manifest: Manifest): readonly (readonly [string, unknown])[] =>
  needs
    .map(kind => manifest[kind])
    .flatMap(one => (isRecord(one) ? Object.entries(one).filter(([name]) => isOwn(name)) : []))

/** Returns the manifest with other versions of the packages of this repository. */
export const withDependencies = (manifest: Manifest, version: unknown): Manifest => {
  const changed = needs.flatMap(kind => {
    const one = manifest[kind]
    if (!isRecord(one)) return []
    return [[kind, Object.fromEntries(Object.entries(one).map(([name, now]) => [name, isOwn(name) ? version : now]))]]
  })
  return { ...manifest, ...Object.fromEntries(changed) }
}

export const withVersion = (manifest: Manifest, version: unknown): Manifest =>
  withDependencies({ ...manifest, version }, version)

// What is published

/**
 * Returns the manifest without what only this repository needs, and with the place where it is. `files` are those that
 * were put together.
 */
export const publishedManifest = (folder: string, version?: string): Manifest => {
  const manifest = readManifest(join(root, folder, 'package.json'))
  const { scripts, devDependencies, files, ...published } = withVersion(manifest, version ?? manifest.version)
  return { ...published, ...placeOf(folder), exports: withoutSources(manifest.exports) }
}

const withoutSources = (exports: unknown): unknown => {
  if (typeof exports !== 'object' || exports === null) return exports
  const kept = Object.entries(exports).filter(([condition]) => condition !== 'plinth-source')
  return Object.fromEntries(kept.map(([condition, target]) => [condition, withoutSources(target)]))
}

/** `repository` of the root manifest, or else the remote that the checkout came from. */
const placeOf = (folder: string): Manifest => {
  const { repository } = readManifest(join(root, 'package.json'))
  const url = toWebAddress(typeof repository === 'string' ? repository : remoteAddress())
  if (url === null) return {}
  return {
    repository: { type: 'git', url: `git+${url}.git`, directory: folder },
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
  }
}

const remoteAddress = (): string => {
  try {
    return execFileSync('git', ['remote', 'get-url', 'origin'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    // Not a clone, or one without a remote.
    return ''
  }
}

/** The https address of a repository, without credentials; null for a path, which means nothing elsewhere. */
export const toWebAddress = (remote: string): string | null => {
  const [, host, path] =
    /^(?:git\+)?(?:https?:\/\/|ssh:\/\/|git@)(?:[^@/\s]+@)?([\w.-]+)(?::\d+)?[:/]([^\s?#]+)/.exec(remote.trim()) ?? []
  return host && path ? `https://${host}/${path.replace(/\/$/, '').replace(/\.git$/, '')}` : null
}
