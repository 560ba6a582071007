// `npm start` in this repository: it builds only where the development dependencies are, and the process that it starts gets the
// signals that npm gets.

import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testAll } from '@plinth/test-kit/extent'
import { preparedFolder } from '@plinth/test-kit/service-process'
import { expect, onTestFinished, test } from 'vitest'
import { waitingFor } from '../packages/plinth/src/testing/waiting.ts'

const checkout = fileURLToPath(new URL('..', import.meta.url))

const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-launcher-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Stands for every build: it writes each of their results. */
const build = `require('node:fs').mkdirSync('dist', { recursive: true })
for (const file of ['main.js', 'index.js', 'index.html', 'plinth.config.js'])
  require('node:fs').writeFileSync('dist/' + file, "console.log('rebuilt')")`

const toPackage = (name: string, folder: string): Readonly<Record<string, string>> => ({
  [`packages/${folder}/package.json`]: JSON.stringify({
    name,
    type: 'module',
    scripts: Object.fromEntries(['build', 'build:js', 'build:web'].map(name => [name, 'node build.cjs'])),
  }),
  [`packages/${folder}/build.cjs`]: build,
  [`packages/${folder}/src/main.ts`]: '',
})

/** A checkout whose program prints a word, with the real scripts. */
const sourcesIn = async (folder: string): Promise<void> => {
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ type: 'module', workspaces: ['packages/*'] }),
    'plinth.config.ts': '',
    ...toPackage('plinth', 'plinth'),
    ...toPackage('@plinth/rental', 'rental'),
    ...toPackage('@plinth/membership', 'membership'),
    ...toPackage('@plinth/web', 'web'),
    'packages/web/index.html': '',
    'packages/web/vite.config.ts': '',
  }
  for (const [file, text] of Object.entries(files)) await put(join(folder, file), text)
  for (const part of ['packages/plinth/bin', 'scripts'])
    await cp(join(checkout, part), join(folder, part), { recursive: true })
}

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const results = [
  'packages/plinth/dist/main.js',
  'packages/rental/dist/index.js',
  'packages/membership/dist/index.js',
  'packages/rental/dist/web/index.js',
  'packages/membership/dist/web/index.js',
  'packages/web/dist/index.html',
  'dist/plinth.config.js',
]

/** Makes the build as old as it gets when its sources are checked out again. */
const buildEarlier = async (folder: string): Promise<void> => {
  for (const file of results) {
    await put(join(folder, file), "console.log('as built')")
    await utimes(join(folder, file), new Date(0), new Date(0))
  }
}

const addDevDependencies = async (folder: string): Promise<void> => {
  for (const tool of ['esbuild', 'vite']) await mkdir(join(folder, 'node_modules', tool), { recursive: true })
}

interface ScriptOutcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

const run = (...args: string[]): Promise<ScriptOutcome> => {
  const ended = new Promise<ScriptOutcome>(resolve => {
    const child = execFile(process.execPath, args, (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }))
  })
  return waitingFor(`${args.join(' ')} to end`, ended)
}

/** Starts as `npm start` does. */
const start = async (folder: string): Promise<ScriptOutcome> => {
  const built = await run(join(folder, 'scripts/build-stale.js'))
  if (built.code !== 0) return built
  const { code, out, err } = await run(join(folder, 'packages/plinth/bin/plinth.js'))
  return { code, out, err: built.err + err }
}

testAll('a development checkout builds what is older than its source', async () => {
  const folder = await emptyFolder()
  await sourcesIn(folder)
  await buildEarlier(folder)
  await addDevDependencies(folder)
  const names = ['plinth', '@plinth/rental', '@plinth/membership', '@plinth/web', 'the application']
  expect(await start(folder)).toEqual({
    code: 0,
    out: 'rebuilt\n',
    err: names.map(name => `Building ${name} …\n`).join(''),
  })
})

test('without the development dependencies nothing is built: the program runs as it was built', async () => {
  const folder = await emptyFolder()
  await sourcesIn(folder)
  await buildEarlier(folder)
  expect(await start(folder)).toEqual({ code: 0, out: 'as built\n', err: '' })
})

test('without the development dependencies and a build, it says what to do', async () => {
  const folder = await emptyFolder()
  await sourcesIn(folder)
  const { code, out, err } = await start(folder)
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('Not built: plinth. packages/plinth/dist/main.js is missing.')
  expect(err).toContain('npm ci && npm run build')
  expect(err).not.toMatch(/esbuild|^ +at /m)
  const launched = await run(join(folder, 'packages/plinth/bin/plinth.js'))
  expect(launched.code).toBe(1)
  expect(launched.err).toContain('Plinth is not built: packages/plinth/dist/main.js is missing.')
})

testAll('a missing web client is reported, and the service starts without it', async () => {
  const folder = await emptyFolder()
  await sourcesIn(folder)
  await buildEarlier(folder)
  await rm(join(folder, 'packages/web/dist'), { recursive: true })
  const { code, out, err } = await start(folder)
  expect([code, out]).toEqual([0, 'as built\n'])
  expect(err).toContain('Not built: @plinth/web. packages/web/dist/index.html is missing.')
})

/** A script that writes the site, and goes on. */
const buildSite = `import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('packages/docs/dist')
writeFileSync('packages/docs/dist/pid', String(process.pid))
writeFileSync('packages/docs/dist/index.html', '<h1>Documentation</h1>')
setInterval(() => {}, 1000)`

/** A service that ends once there is a site. */
const untilDocumented = `import { existsSync } from 'node:fs'
setInterval(() => existsSync(new URL('../../docs/dist/index.html', import.meta.url)) && process.exit(), 20)`

testAll('the documentation is built while the service runs, in a process that ends with it', async () => {
  const folder = await emptyFolder()
  await sourcesIn(folder)
  await buildEarlier(folder)
  await put(join(folder, 'packages/plinth/dist/main.js'), untilDocumented)
  await put(join(folder, 'packages/docs/build-site.ts'), buildSite)
  await mkdir(join(folder, 'node_modules/vitepress'), { recursive: true })
  await symlink(join(checkout, 'node_modules/tsx'), join(folder, 'node_modules/tsx'), 'dir')
  expect(await run(join(folder, 'scripts/start.js'))).toEqual({ code: 0, out: '', err: '' })
  const builder = Number(await readFile(join(folder, 'packages/docs/dist/pid'), 'utf8'))
  const isRunning = () => {
    try {
      return process.kill(builder, 0)
    } catch {
      return false
    }
  }
  await expect.poll(isRunning).toBe(false)
})

test('SIGTERM to npm start stops the service', { timeout: 120_000 }, async () => {
  const options = ['--server.port=0', '--app.demo', `--app.dataDir=${await preparedFolder()}`]
  // In a process group of its own, so that the test can end all of it.
  const npm = spawn('npm', ['start', '--', ...options], { cwd: checkout, detached: true })
  const ended = new Promise<void>(resolve => npm.once('exit', () => resolve()))
  onTestFinished(() => {
    try {
      if (npm.pid) process.kill(-npm.pid, 'SIGKILL')
    } catch {
      // The group has ended.
    }
  })
  let said = ''
  npm.stdout.setEncoding('utf8').on('data', text => {
    said += text
  })
  const ready = /ready at (\S+)/
  await expect.poll(() => said, { timeout: 100_000 }).toMatch(ready)
  const [, address = ''] = ready.exec(said) ?? []
  const isUp = () =>
    fetch(address).then(
      () => true,
      () => false,
    )
  expect(await isUp()).toBe(true)
  npm.kill('SIGTERM')
  await waitingFor('npm start to end', ended)
  await expect.poll(isUp, { timeout: 15_000 }).toBe(false)
})
