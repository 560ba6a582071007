// A release: one version in all manifests and the lock file, the changes in CHANGELOG.md, and a tag.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { addRelease, readNotes } from './changelog.ts'
import { readChanges, removeChanges } from './changes.ts'
import { ScriptError } from './command.ts'
import { isRecord, type Manifest, manifestsIn, readManifest, withDependencies, withVersion } from './manifests.ts'
import { isVersion, nextVersion } from './next-version.ts'

const writeJson = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** Examples have versions of their own, and need the packages. */
const toVersion = (place: string, manifest: Manifest, version: string): Manifest =>
  place.startsWith('examples/') ? withDependencies(manifest, version) : withVersion(manifest, version)

const placeOf = (root: string, file: string): string => relative(root, file).replaceAll('\\', '/')

const setVersions = (root: string, version: string): void => {
  const files = [join(root, 'package.json'), ...manifestsIn('packages', root), ...manifestsIn('examples', root)]
  for (const file of files) writeJson(file, toVersion(placeOf(root, file), readManifest(file), version))
  setLockedVersions(
    root,
    version,
    new Set(['', ...files.map(file => placeOf(root, file).replace(/\/?package\.json$/, ''))]),
  )
}

/** The entries of the own packages in the lock file repeat their manifests. npm would ask the registry. */
const setLockedVersions = (root: string, version: string, places: ReadonlySet<string>): void => {
  const file = join(root, 'package-lock.json')
  const lock = readManifest(file)
  const packages = Object.entries(isRecord(lock.packages) ? lock.packages : {}).map(([place, entry]) => [
    place,
    places.has(place) && isRecord(entry) ? toVersion(place, entry, version) : entry,
  ])
  writeJson(file, { ...lock, version, packages: Object.fromEntries(packages) })
}

const versionIn = (root: string): string => String(readManifest(join(root, 'package.json')).version)

/** Gives the version, which follows from the changes unless there is one. */
export const prepareRelease = (root: string, newVersion?: string): string => {
  const changes = readChanges(root)
  if (changes.length === 0) throw new ScriptError('Nothing has changed: the folder changes is empty.')
  const version = newVersion ?? nextVersion(versionIn(root), changes)
  if (!isVersion(version)) throw new ScriptError(`'${version}' is not a version such as 2.2.0 or 2.2.0-next.1.`)
  if (readNotes(root, version)) throw new ScriptError(`CHANGELOG.md has a section of ${version} already.`)
  addRelease(root, { version, date: new Date().toISOString().slice(0, 10), changes })
  removeChanges(root)
  setVersions(root, version)
  return version
}

interface TagOptions {
  /** The version; by default that of the packages. */
  readonly version?: string | undefined
  /** The last one by default. */
  readonly commit?: string | undefined
}

/** Gives the name of the tag. Its message is the section of the release. */
export const tagRelease = (root: string, { version = versionIn(root), commit = 'HEAD' }: TagOptions = {}): string => {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const notes = readNotes(root, version)
  if (!notes) throw new ScriptError(`CHANGELOG.md has no section of ${version}: run \`npm run release:version\` first.`)
  const tag = `v${version}`
  if (git('tag', '--list', tag) !== '') throw new ScriptError(`The tag ${tag} exists already.`)
  if (commit === 'HEAD' && git('status', '--porcelain') !== '')
    throw new ScriptError('There are changes that are not committed.')
  // Headings begin with a number sign, which git takes for a comment by default.
  git(
    'tag',
    '--annotate',
    '--cleanup=verbatim',
    '--message',
    `${version} - ${notes.date}\n\n${notes.text}\n`,
    tag,
    commit,
  )
  return tag
}
