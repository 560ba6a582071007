// The scripts of the repository that need a build or make packages.

import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testAll } from '@plinth/test-kit/extent'
import { describe, expect, onTestFinished, test } from 'vitest'
import { waitingFor } from '../packages/plinth/src/testing/waiting.ts'
import { takeLock } from '../scripts/lock.js'
import { manifestsIn, publishedManifest, readManifest, toWebAddress } from '../scripts/manifests.ts'

const checkout = fileURLToPath(new URL('..', import.meta.url))

/** The scripts in a checkout that is not built. */
const unbuilt = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-scripts-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const path of ['scripts', 'bench/support/main.ts', 'bench/run.ts', 'packages/create-plinth'])
    await cp(join(checkout, path), join(folder, path), { recursive: true, filter: file => !file.endsWith('/dist') })
  await mkdir(join(folder, 'packages/plinth'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return folder
}

interface ScriptOutcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

const run = (cwd: string, script: string, ...args: readonly string[]): Promise<ScriptOutcome> => {
  const ended = new Promise<ScriptOutcome>(resolve => {
    const child = execFile(
      process.execPath,
      [join(checkout, 'node_modules/tsx/dist/cli.mjs'), join(cwd, script), ...args],
      { cwd },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })
  return waitingFor(`${script} ${args.join(' ')} to end`, ended)
}

testAll('npm run pack explains itself, and takes no option for a folder', async () => {
  const folder = await unbuilt()
  const before = await readdir(folder)
  const help = await run(folder, 'scripts/pack.ts', '--help')
  expect([help.code, help.err]).toEqual([0, ''])
  expect(help.out).toContain('Usage: npm run pack')
  const refused = await run(folder, 'scripts/pack.ts', '--hlep')
  expect([refused.code, refused.out]).toEqual([2, ''])
  expect(refused.err).toContain("'--hlep'")
  expect(await readdir(folder)).toEqual(before)
})

test('without a build, npm run pack says so in one line', async () => {
  expect(await run(await unbuilt(), 'scripts/pack.ts')).toEqual({
    code: 1,
    out: '',
    err: 'packages/plinth/dist/main.js is missing: run `npm run build` first.\n',
  })
})

testAll('npm run create refuses a folder with files before it builds anything', async () => {
  const folder = await unbuilt()
  const { code, out, err } = await run(folder, 'scripts/create.ts', join(folder, 'scripts'))
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/scripts is not empty/)
})

describe('without a build, a script says so in one line', () => {
  const scripts: readonly [string, string][] = [
    ['scripts/api-report.ts', 'packages/plinth/dist/types/index.d.ts'],
    ['scripts/release-check.ts', 'packages/plinth/dist/main.js'],
    ['bench/support/main.ts', 'packages/plinth/dist/main.js'],
  ]
  for (const [script, missing] of scripts)
    testAll(script, async () => {
      const { code, err } = await run(await unbuilt(), script)
      expect([code, err]).toEqual([1, `${missing} is missing: run \`npm run build\` first.\n`])
    })
})

test('one process at a time builds, and one that was killed holds up no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const lock = join(folder, 'cache/build.lock')
  expect([takeLock(lock), takeLock(lock)]).toEqual([true, false])
  const gone = spawnSync(process.execPath, ['--version']).pid
  await writeFile(lock, String(gone))
  expect([takeLock(lock), takeLock(lock), takeLock(lock)]).toEqual([false, true, false])
})

test.each([
  ['https://code.example/plinth/plinth.git\n', 'https://code.example/plinth/plinth'],
  ['https://name:secret@code.example/plinth/plinth', 'https://code.example/plinth/plinth'],
  ['git@code.example:plinth/plinth.git', 'https://code.example/plinth/plinth'],
  ['ssh://git@code.example:2222/plinth/plinth.git', 'https://code.example/plinth/plinth'],
  ['/home/me/plinth', null],
  ['../plinth', null],
  ['', null],
])('the repository of packages that come from %j is %j', (remote, address) => {
  expect(toWebAddress(remote)).toBe(address)
})

const published = ['plinth', 'client', 'rental', 'membership', 'create-plinth']

test.each(published)(
  'the package %s can be found, and its README leads nowhere that the package does not have',
  async name => {
    const manifest = publishedManifest(`packages/${name}`)
    expect(manifest).toMatchObject({ description: expect.any(String), license: 'MIT', keywords: expect.any(Array) })
    expect(JSON.stringify(manifest)).not.toContain('plinth-source')
    const readme = await readFile(join(checkout, 'packages', name, 'README.md'), 'utf8')
    expect([...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target)).toEqual([])
  },
)

test('all packages get one version, and need one another in it', () => {
  for (const name of published) {
    const manifest = publishedManifest(`packages/${name}`, '9.9.9')
    expect(manifest.version).toBe('9.9.9')
    expect(JSON.stringify([manifest.dependencies, manifest.peerDependencies])).not.toContain(
      readManifest(join(checkout, 'package.json')).version,
    )
  }
  expect(manifestsIn('packages').length).toBeGreaterThan(published.length)
})
