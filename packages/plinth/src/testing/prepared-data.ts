// Data of a service that has been started before. A first start creates tables and users, which takes longer than most tests: it is
// done once and copied.
//
// What belongs to the standard modules alone is kept in the temporary folder, for all test processes. The modules of an application
// are migrated and seeded on top of it, so that a change in them always takes effect.

import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AppDefinition, defineApp } from '../app/define-app.ts'
import { createApp } from '../app.ts'
import { type Config, loadConfig } from '../config.ts'
import { sha256Of } from '../core/digest.ts'
import { version } from '../version.ts'

/** Settings by their full names, as texts. */
export type TestSettings = Readonly<Record<string, string>>

/**
 * Loads the settings of a test: neither files nor the environment take part, and no limit applies to many requests from
 * one address.
 */
export const testConfig = (app: AppDefinition, folder: string, settings: TestSettings): Config =>
  loadConfig(app, {
    env: {},
    cwd: folder,
    overrides: {
      'server.port': '0',
      'app.demo': 'true',
      'app.dataDir': folder,
      'app.log.level': 'error',
      // Test files share a process, pause it as they please, and send many requests from one address.
      'app.api.maxEventLoopLag': '0',
      'app.api.rateLimit.anonymousRequests': '0',
      'app.api.rateLimit.anonymousCost': '0',
      ...settings,
    },
  })

const originals = new Map<string, Promise<string>>()

/** Puts the data of the standard modules into the folder. */
export const copyPreparedData = async (folder: string, { 'app.demo': demo = 'true' }: TestSettings): Promise<void> => {
  const original = originals.get(demo) ?? findOrPrepare(demo)
  originals.set(demo, original)
  await cp(await original, folder, { recursive: true })
}

const findOrPrepare = async (demo: string): Promise<string> => {
  const cache = await cacheFolder()
  if (cache === null) {
    const folder = await prepare(demo, tmpdir())
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  }
  const kept = join(cache, `${version}-${await fingerprint()}-${demo}`)
  if (await exists(kept)) return kept
  const folder = await prepare(demo, cache)
  // Another process may have been faster.
  await rename(folder, kept).catch(() => rm(folder, { recursive: true, force: true }))
  return kept
}

const thisFile = fileURLToPath(import.meta.url)

/** Changes with the build of Plinth. */
const fingerprint = async (): Promise<string> => {
  const { mtimeMs, size } = await stat(thisFile)
  return sha256Of(`${thisFile} ${mtimeMs} ${size}`).slice(0, 16)
}

/**
 * Returns null where Plinth runs from its source, which may change at any time, or where others could write to the
 * folder.
 */
const cacheFolder = async (): Promise<string | null> => {
  if (thisFile.endsWith('.ts')) return null
  const user = process.getuid?.() ?? 'user'
  const folder = join(tmpdir(), `plinth-testing-${user}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = await stat(folder)
  const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)
  return isOurs ? folder : null
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const prepare = async (demo: string, parent: string): Promise<string> => {
  const folder = await mkdtemp(join(parent, 'plinth-prepared-'))
  const standard = defineApp({ name: 'Prepared data' })
  const app = await createApp(standard, testConfig(standard, folder, { 'app.demo': demo }), { logTo: 'stderr' })
  try {
    await app.prepare()
    // Everything in one file: each copy would otherwise read the journal first.
    await app.platform.store.eraseRemoved()
  } finally {
    await app.close()
  }
  return folder
}
