// Changes, versions and tags: a release from the notes of its changes to its tag, in a repository of its own.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readNotes } from '../scripts/changelog.ts'
import { readChanges, writeChange } from '../scripts/changes.ts'
import { manifestsIn, readManifest } from '../scripts/manifests.ts'
import { isVersion, nextVersion } from '../scripts/next-version.ts'
import { prepareRelease, tagRelease } from '../scripts/releases.ts'

const checkout = fileURLToPath(new URL('..', import.meta.url))
const { version } = readManifest(join(checkout, 'package.json'))

test('the version is one that npm understands, all packages have it, and the changelog has its date', () => {
  expect(isVersion(String(version))).toBe(true)
  for (const file of manifestsIn('packages')) expect([file, readManifest(file).version]).toEqual([file, version])
  expect(readNotes(checkout, String(version))?.date).toMatch(/^\d{4}-\d\d-\d\d$/)
})

test('every section of the changelog is a release with a date, and every unreleased change says its kind', () => {
  const headings = readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8').match(/^## .*/gm) ?? []
  expect(headings.length).toBeGreaterThan(3)
  for (const heading of headings) expect(heading).toMatch(/^## \d+\.\d+\.\d+(-\S+)? - \d{4}-\d\d-\d\d$/)
  expect(() => readChanges(checkout)).not.toThrow()
})

const change = (kind: 'added' | 'fixed', breaking = false) => ({ kind, breaking, text: 'x' })

test.each([
  ['2.2.0-next.0', [change('added', true)], '2.2.0-next.1'],
  ['2.2.0-next.9', [change('fixed')], '2.2.0-next.10'],
  ['2.2.0-beta', [change('fixed')], '2.2.0-beta.1'],
  ['2.2.0', [change('fixed')], '2.2.1'],
  ['2.2.3', [change('fixed'), change('added')], '2.3.0'],
  ['2.2.3', [change('added'), change('fixed', true)], '3.0.0'],
] as const)('after %s with %j comes %s', (current, changes, next) => {
  expect(nextVersion(current, changes)).toBe(next)
})

/** A repository with the manifests and the changelog of this one, and no changes. */
const createRepository = () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const manifests = [...manifestsIn('packages'), ...manifestsIn('examples')].map(file => file.slice(checkout.length))
  for (const path of ['CHANGELOG.md', 'package.json', 'package-lock.json', ...manifests]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(checkout, path), join(folder, path))
  }
  mkdirSync(join(folder, 'changes'))
  writeFileSync(join(folder, 'changes/README.md'), '# Changes\n')
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  git('init', '--quiet')
  git('config', 'user.name', 'A')
  git('config', 'user.email', 'a@example.com')
  const commit = (message: string) => {
    git('add', '--all')
    git('commit', '--quiet', '--message', message)
  }
  return { folder, git, commit, read: (path: string): string => readFileSync(join(folder, path), 'utf8') }
}

test('a release gets the texts of its changes, one version in all manifests and the lock file, and an annotated tag', () => {
  const { folder, git, commit, read } = createRepository()
  commit('Begin')
  expect(() => prepareRelease(folder)).toThrow('Nothing has changed')
  const noted = writeChange(folder, { kind: 'added', breaking: false, text: 'Lists can be printed.' })
  expect(noted).toBe(join('changes', 'lists-can-be-printed.md'))
  writeChange(folder, { kind: 'changed', breaking: true, text: 'Pages have 50 records.\nSet the size of yours.' })
  commit('Print lists')
  expect(() => tagRelease(folder, { version: '9.9.9' })).toThrow('no section of 9.9.9')
  expect(() => prepareRelease(folder, '9.9')).toThrow("'9.9' is not a version")
  expect(prepareRelease(folder, '9.9.9')).toBe('9.9.9')

  const today = new Date().toISOString().slice(0, 10)
  const section = `## 9.9.9 - ${today}

### Added

- Lists can be printed.

### Changed

- **Breaking:** Pages have 50 records.
  Set the size of yours.

## ${version} - `
  expect(read('CHANGELOG.md')).toContain(section)
  expect(readdirSync(join(folder, 'changes'))).toEqual(['README.md'])
  const lock = JSON.parse(read('package-lock.json'))
  expect([lock.version, lock.packages[''].version]).toEqual(['9.9.9', '9.9.9'])
  for (const place of ['packages/plinth', 'packages/rental', 'packages/create-plinth', 'packages/web'])
    expect([lock.packages[place].version, JSON.parse(read(`${place}/package.json`)).version]).toEqual([
      '9.9.9',
      '9.9.9',
    ])
  expect(lock.packages['packages/rental'].peerDependencies).toEqual({ plinth: '9.9.9' })
  expect(lock.packages['examples/library']).toMatchObject({ version: '0.0.0', dependencies: { plinth: '9.9.9' } })

  expect(() => tagRelease(folder)).toThrow('not committed')
  commit('Release 9.9.9')
  expect(tagRelease(folder)).toBe('v9.9.9')
  expect(git('cat-file', '-t', 'v9.9.9')).toBe('tag\n')
  expect(git('tag', '--list', '--format=%(contents)', 'v9.9.9')).toContain('### Added\n\n- Lists can be printed.\n')
  expect(() => tagRelease(folder)).toThrow('exists already')
  expect(tagRelease(folder, { version: String(version), commit: 'HEAD~1' })).toBe(`v${version}`)
})
