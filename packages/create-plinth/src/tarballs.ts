// Packages from files instead of the registry: tarballs that `npm pack` has made. They are copied into the application, which can then
// be installed on any machine.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { UsageError } from './usage-error.ts'

/** A packed package. */
export interface Tarball {
  readonly path: string
  readonly file: string
  readonly name: string
}

/** Paths of tarballs, and of folders that have some. */
export const readTarballs = (paths: readonly string[]): readonly Tarball[] => {
  const tarballs = paths
    .map(path => resolve(path))
    .flatMap(tarballsAt)
    .map(toTarball)
  const repeated = tarballs.find(({ name }, at) => tarballs.findIndex(one => one.name === name) !== at)
  if (repeated)
    throw new UsageError(`There are several tarballs of ${repeated.name}. Name one of them: --from ${repeated.path}`)
  if (!tarballs.some(({ name }) => name === 'plinth'))
    throw new UsageError(
      `There is no tarball of plinth in ${paths.join(', ')}. In a clone, \`npm run create\` makes one.`,
    )
  // The application has been created by then.
  return tarballs.filter(({ name }) => name !== 'create-plinth')
}

const tarballsAt = (path: string): readonly string[] => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw new UsageError(`There is no file or folder ${path}.`)
  if (!stats.isDirectory()) return [path]
  return readdirSync(path)
    .filter(name => name.endsWith('.tgz'))
    .map(name => join(path, name))
}

const toTarball = (path: string): Tarball => {
  try {
    const manifest: { readonly name?: unknown } = JSON.parse(
      fileIn(gunzipSync(readFileSync(path)), 'package/package.json'),
    )
    if (typeof manifest.name === 'string') return { path, file: basename(path), name: manifest.name }
  } catch {
    // Not a tarball, or one of something else.
  }
  throw new UsageError(`${path} is not a packed package.`)
}

const blockSize = 512

/** The text of a file in a tar archive: blocks of a header with name and size, each followed by those of the content. */
const fileIn = (archive: Buffer, path: string): string => {
  for (let at = 0; at + blockSize <= archive.length; ) {
    const textAt = (start: number, length: number): string =>
      archive.toString('utf8', at + start, at + start + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(textAt(124, 12), 8) || 0
    const content = at + blockSize
    if (textAt(0, 100) === path) return archive.toString('utf8', content, content + size)
    at = content + Math.ceil(size / blockSize) * blockSize
  }
  return ''
}
