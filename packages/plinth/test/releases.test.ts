// Changes, versions and tags: a release from the notes of its changes to its tag, in a repository of its own.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readNotes } from '../../../scripts/changelog.ts'
import { readChanges } from '../../../scripts/changes.ts'
import { manifestsIn, readManifest } from '../../../scripts/manifests.ts'
import { isVersion, nextVersion } from '../../../scripts/next-version.ts'

const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const { version } = readManifest(join(checkout, 'package.json'))

test('the version is one that npm understands, all packages have it, and the changelog has its date', () => {
  expect(isVersion(String(version))).toBe(true)
  for (const file of manifestsIn('packages')) expect([file, readManifest(file).version]).toEqual([file, version])
  expect(readNotes(String(version))?.date).toMatch(/^\d{4}-\d\d-\d\d$/)
})

test('every section of the changelog is a release with a date, and every unreleased change says its kind', () => {
  const headings = readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8').match(/^## .*/gm) ?? []
  expect(headings.length).toBeGreaterThan(3)
  for (const heading of headings) expect(heading).toMatch(/^## \d+\.\d+\.\d+(-\S+)? - \d{4}-\d\d-\d\d$/)
  expect(() => readChanges()).not.toThrow()
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

/** A repository with the manifests, the scripts and the changelog of this one, and no changes. */
const createRepository = () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const manifests = [...manifestsIn('packages'), ...manifestsIn('examples')].map(file => file.slice(checkout.length))
  for (const path of ['scripts', 'CHANGELOG.md', 'package.json', 'package-lock.json', ...manifests]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(checkout, path), join(folder, path), { recursive: true })
  }
  mkdirSync(join(folder, 'changes'))
  writeFileSync(join(folder, 'changes/README.md'), '# Changes\n')
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'), 'dir')
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    })
  git('init', '--quiet')
  git('config', 'user.name', 'A')
  git('config', 'user.email', 'a@example.com')
  const run = (script: string, ...args: readonly string[]) => {
    const tsx = join(checkout, 'node_modules/tsx/dist/cli.mjs')
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsx, join(folder, 'scripts', script), ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
    return { code: status, out: stdout, err: stderr }
  }
  const commit = (message: string) => {
    git('add', '--all')
    git('commit', '--quiet', '--message', message)
  }
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  return { folder, git, run, commit, read }
}

test('a release gets the texts of its changes, one version in all manifests and the lock file, and an annotated tag', () => {
  const { folder, git, run, commit, read } = createRepository()
  commit('Begin')
  expect(run('release-version.ts')).toMatchObject({ code: 1, err: expect.stringContaining('Nothing has changed') })
  expect(run('change.ts', 'new', 'x')).toMatchObject({ code: 1, err: expect.stringContaining('added, changed') })
  const noted = run('change.ts', 'added', 'Lists can be printed.')
  expect(noted).toMatchObject({ code: 0, out: `${join('changes', 'lists-can-be-printed.md')}\n` })
  run('change.ts', 'changed', 'Pages have 50 records.\nSet the size of yours.', '--breaking')
  commit('Print lists')
  expect(run('release-tag.ts', '9.9.9').err).toContain('no section of 9.9.9')
  expect(run('release-version.ts', '9.9').err).toContain("'9.9' is not a version")
  expect(run('release-version.ts', '9.9.9')).toMatchObject({ code: 0, err: '' })

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

  expect(run('release-tag.ts').err).toContain('not committed')
  commit('Release 9.9.9')
  expect(run('release-tag.ts')).toMatchObject({ code: 0, out: expect.stringContaining('v9.9.9 is ') })
  expect(git('cat-file', '-t', 'v9.9.9')).toBe('tag\n')
  expect(git('tag', '--list', '--format=%(contents)', 'v9.9.9')).toContain('### Added\n\n- Lists can be printed.\n')
  expect(run('release-tag.ts').err).toContain('exists already')
  expect(run('release-tag.ts', String(version), 'HEAD~1')).toMatchObject({ code: 0 })
})
