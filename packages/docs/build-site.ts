// `npm run docs`: the pages of the TypeScript API and the documentation site, in `packages/docs/dist`. The old site stays there until
// the new one is whole.
//
// With `--if-stale`, a site that is newer than its pages is kept. With `--idle`, for `npm start`, the build takes only what other
// processes leave of the machine, and ends with the process that started it.

import { spawn } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buildStale, isMissing, isStale, root, site } from '../../scripts/builds.js'
import { takeLock } from '../../scripts/lock.js'
import { writeApiPages } from './typescript-api.ts'

const folder = join(root, 'packages/docs')
const target = join(folder, 'dist')
const cache = join(folder, '.vitepress/cache')
const lock = join(cache, 'building')

const isIdle = process.argv.includes('--idle')
const keepsFresh = isIdle || process.argv.includes('--if-stale')

/** Two builds at a time would disturb each other: VitePress has one folder for temporary files. */
const withLock = async (work: () => Promise<void>): Promise<void> => {
  while (!takeLock(lock)) await delay(500)
  try {
    await work()
  } finally {
    await rm(lock, { force: true })
  }
}

/** What it prints is only of interest when it fails. */
const runVitePress = (...args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const program = join(root, 'node_modules/vitepress/bin/vitepress.js')
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    process.once('exit', () => child.kill())
    const pieces: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece))
    child.once('error', reject)
    child.once('close', code =>
      code === 0 ? resolve() : reject(new Error(`${Buffer.concat(pieces)}\nVitePress ended with ${code}.`)),
    )
  })

const build = async (): Promise<void> => {
  if (keepsFresh && !isStale(site)) return
  const [made, old] = [join(cache, 'made'), join(cache, 'old')]
  const removeRest = () => Promise.all([made, old].map(rest => rm(rest, { recursive: true, force: true })))
  writeApiPages()
  // A build that was killed may have left some.
  await removeRest()
  try {
    await runVitePress('build', '--outDir', made)
    if (!isMissing(site)) await rename(target, old)
    else await rm(target, { recursive: true, force: true })
    await rename(made, target)
  } finally {
    await removeRest()
  }
  console.log('The documentation is built. The service shows it at /docs/.')
}

if (isIdle) {
  setPriority(constants.priority.PRIORITY_LOW)
  process.once('disconnect', () => process.exit(1))
}

try {
  buildStale(site.needs)
  await withLock(build)
} catch (error) {
  console.error(`The documentation could not be built: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
// The channel would keep the process alive.
if (process.connected) process.disconnect()
