// `npm run release:version`: prepares a release of all packages. It sets their version in the manifests and the lock file, and moves the
// texts of the folder `changes` into CHANGELOG.md, with the date of today. `npm run release:tag` follows, after the commit.

import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { addRelease, readNotes } from './changelog.ts'
import { readChanges, removeChanges } from './changes.ts'
import { readScriptArguments, runScript, ScriptError } from './command.ts'
import { isRecord, type Manifest, manifestsIn, readManifest, root, withDependencies, withVersion } from './manifests.ts'
import { isVersion, nextVersion } from './next-version.ts'

const usage = `Usage: npm run release:version -- [version]

Sets the version of all packages, and moves the texts of the folder changes into CHANGELOG.md. Without a version, it follows from
the current one and from the changes: a pre-release is followed by the next one of the same version.`

const writeJson = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** Examples have versions of their own, and need the packages. */
const toVersion = (place: string, manifest: Manifest, version: string): Manifest =>
  place.startsWith('examples/') ? withDependencies(manifest, version) : withVersion(manifest, version)

const placeOf = (file: string): string => relative(root, file).replaceAll('\\', '/')

const setVersions = (version: string): void => {
  const files = [join(root, 'package.json'), ...manifestsIn('packages'), ...manifestsIn('examples')]
  for (const file of files) writeJson(file, toVersion(placeOf(file), readManifest(file), version))
  setLockedVersions(version, new Set(['', ...files.map(file => placeOf(file).replace(/\/?package\.json$/, ''))]))
}

/** The entries of the own packages in the lock file repeat their manifests. npm would ask the registry. */
const setLockedVersions = (version: string, places: ReadonlySet<string>): void => {
  const file = join(root, 'package-lock.json')
  const lock = readManifest(file)
  const packages = Object.entries(isRecord(lock.packages) ? lock.packages : {}).map(([place, entry]) => [
    place,
    places.has(place) && isRecord(entry) ? toVersion(place, entry, version) : entry,
  ])
  writeJson(file, { ...lock, version, packages: Object.fromEntries(packages) })
}

await runScript(() => {
  const { positionals } = readScriptArguments({ usage, maxArguments: 1 })
  const changes = readChanges()
  if (changes.length === 0) throw new ScriptError('Nothing has changed: the folder changes is empty.')
  const [version = nextVersion(String(readManifest(join(root, 'package.json')).version), changes)] = positionals
  if (!isVersion(version)) throw new ScriptError(`'${version}' is not a version such as 2.2.0 or 2.2.0-next.1.`)
  if (readNotes(version)) throw new ScriptError(`CHANGELOG.md has a section of ${version} already.`)
  addRelease({ version, date: new Date().toISOString().slice(0, 10), changes })
  removeChanges()
  setVersions(version)
  console.log(`All packages are version ${version}. Read CHANGELOG.md, commit, and run \`npm run release:tag\`.`)
})
