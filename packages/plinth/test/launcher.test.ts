// The launcher: it builds only in a development checkout, and the process that it starts gets the signals that npm gets.

import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const checkout = fileURLToPath(new URL('../../..', import.meta.url))

const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-launcher-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const build = `require('node:fs').mkdirSync('dist', { recursive: true })
require('node:fs').writeFileSync('dist/main.js', "console.log('rebuilt')")
require('node:fs').writeFileSync('dist/index.html', '')`

/** A checkout whose program prints a word, with the real launcher. */
const sourcesIn = async (folder: string): Promise<void> => {
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ workspaces: ['packages/*'] }),
    'packages/plinth/package.json': JSON.stringify({
      type: 'module',
      name: 'plinth',
      scripts: { build: 'node build.cjs' },
    }),
    'packages/plinth/src/main.ts': '',
    'packages/plinth/build.cjs': build,
    'packages/web/package.json': JSON.stringify({ name: 'plinth-web', scripts: { build: 'node build.cjs' } }),
    'packages/web/src/main.tsx': '',
    'packages/web/index.html': '',
    'packages/web/vite.config.ts': '',
    'packages/web/build.cjs': build,
  }
  for (const [file, text] of Object.entries(files)) await put(join(folder, file), text)
  await cp(join(checkout, 'packages/plinth/bin'), join(folder, 'packages/plinth/bin'), { recursive: true })
}

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** As old as a build gets when its sources are checked out again. */
const buildEarlier = async (folder: string): Promise<void> => {
  for (const [file, text] of [
    ['packages/plinth/dist/main.js', "console.log('as built')"],
    ['packages/web/dist/index.html', ''],
  ] as const) {
    await put(join(folder, file), text)
    await utimes(join(folder, file), new Date(0), new Date(0))
  }
}

const addDevDependencies = async (folder: string): Promise<void> => {
  for (const tool of ['esbuild', 'vite']) await mkdir(join(folder, 'node_modules', tool), { recursive: true })
}

const launch = (
  folder: string,
  plinth = 'packages/plinth',
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> =>
  new Promise(resolve => {
    const child = execFile(process.execPath, [join(folder, plinth, 'bin/plinth.js')], (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })

test('a development checkout builds what is older than its source', async () => {
  const folder = await emptyFolder()
  await sourcesIn(folder)
  await buildEarlier(folder)
  await addDevDependencies(folder)
  expect(await launch(folder)).toEqual({
    code: 0,
    out: 'rebuilt\n',
    err: 'Building plinth …\nBuilding plinth-web …\n',
  })
})

test('without the development dependencies nothing is built: the program runs as it was built', async () => {
  const folder = await emptyFolder()
  await sourcesIn(folder)
  await buildEarlier(folder)
  expect(await launch(folder)).toEqual({ code: 0, out: 'as built\n', err: '' })
})

test('without the development dependencies and a build, the launcher says what to do', async () => {
  const folder = await emptyFolder()
  await sourcesIn(folder)
  const { code, out, err } = await launch(folder)
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('Plinth is not built: packages/plinth/dist/main.js is missing.')
  expect(err).toContain('npm ci && npm run build')
  expect(err).not.toMatch(/esbuild|^ +at /m)
})

test('a missing web client is reported, and the service starts without it', async () => {
  const folder = await emptyFolder()
  await sourcesIn(folder)
  await buildEarlier(folder)
  await rm(join(folder, 'packages/web/dist'), { recursive: true })
  const { code, out, err } = await launch(folder)
  expect([code, out]).toEqual([0, 'as built\n'])
  expect(err).toContain('The web client is not built: packages/web/dist/index.html is missing.')
})

test('an installed package has no sources, and runs as it was built', async () => {
  const folder = await emptyFolder()
  await put(join(folder, 'packages/plinth/package.json'), JSON.stringify({ type: 'module' }))
  await put(join(folder, 'packages/plinth/dist/main.js'), "console.log('as built')")
  await cp(join(checkout, 'packages/plinth/bin'), join(folder, 'packages/plinth/bin'), { recursive: true })
  await rename(join(folder, 'packages/plinth'), join(folder, 'plinth'))
  expect(await launch(folder, 'plinth')).toEqual({ code: 0, out: 'as built\n', err: '' })
})

test('SIGTERM to npm start stops the service', { timeout: 120_000 }, async () => {
  const folder = await emptyFolder()
  const options = ['--server.port=0', `--app.dataDir=${folder}`]
  // In a process group of its own, so that the test can end whatever is left of it.
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
  await ended
  await expect.poll(isUp, { timeout: 15_000 }).toBe(false)
})
