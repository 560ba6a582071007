// Data of a service that has been started before. A first start makes tables, people and a shop, which takes longer than most
// tests: it is done once for all processes, or in each process for modules of its own, and copied.

import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { jobStates } from '../../plinth/src/core/jobs/runs.ts'
import type { Module } from '../../plinth/src/core/module.ts'
import { errorCode } from '../../plinth/src/core/problem.ts'
import { until } from '../../plinth/src/testing/waiting.ts'
import type { TestedDatabase } from './databases.ts'
import { type App, type AppParts, type Config, createApp, loadConfig, modules as standard } from './platform.ts'
import { copyDatabase, createDatabase } from './postgres.ts'

export interface Data {
  readonly folder: string
  /** The address of PostgreSQL; empty for SQLite. */
  readonly url: string
}

type TestSettings = Readonly<Record<string, string>>

/** Settings that decide what a first start writes. */
const isDeciding = (name: string): boolean => /^app\.(?:demo$|modules$|rental\.currency$|nodes\.)/.test(name)

/** A test with these brings data of its own. */
const bringsData = (settings: TestSettings): boolean => 'app.dataDir' in settings || 'app.database.url' in settings

const originals = new Map<string, Promise<Data>>()
const seen = new Set<string>()

export const newData = async (database: TestedDatabase, settings: TestSettings, parts: AppParts): Promise<Data> => {
  if (bringsData(settings)) return ownData(database, settings)
  // Read once: a clock that runs would give the data another time than the name that they go by.
  const start = parts.clock?.()
  const fixed: AppParts = {
    ...(parts.modules && { modules: parts.modules }),
    ...(start && !mayBeOlder(start, settings, parts) && { clock: () => start }),
  }
  const deciding = Object.fromEntries(Object.entries(settings).filter(([name]) => isDeciding(name)))
  return isWorthPreparing(database, deciding, fixed)
    ? copyOf(await original(database, deciding, fixed))
    : firstData(database, deciding, fixed)
}

const minute = 60_000

/** Data of today serve a service with a later clock, unless they depend on the day: those of a shop do. */
const mayBeOlder = (start: Date, settings: TestSettings, { modules }: AppParts): boolean =>
  start.getTime() > Date.now() - minute && (modules !== undefined || settings['app.modules'] === '')

const ownData = async (database: TestedDatabase, settings: TestSettings): Promise<Data> => ({
  folder: settings['app.dataDir'] ?? (await newFolder()),
  url: settings['app.database.url'] ?? (await emptyUrl(database)),
})

export const emptyData = (database: TestedDatabase): Promise<Data> => ownData(database, {})

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'plinth-test-'))

const copyOf = async ({ folder: from, url }: Data): Promise<Data> => {
  const folder = await newFolder()
  await cp(from, folder, { recursive: true })
  return { folder, url: url && (await copyDatabase(url)) }
}

/**
 * What a first start finds: the data of the standard modules, where it has these and others, and nothing else otherwise. The
 * start then creates the tables of the others alone.
 */
const firstData = async (
  database: TestedDatabase,
  deciding: TestSettings,
  { clock, modules = [] }: AppParts,
): Promise<Data> => {
  const isExtended = modules.length > standard.length && standard.every(module => modules.includes(module))
  return isExtended && !clock && Object.keys(deciding).every(isCommon)
    ? copyOf(await original(database, deciding, { modules: standard }))
    : emptyData(database)
}

/**
 * Clocks, modules and nodes of one test alone are not worth a preparation. The second start with the same ones is, and so is one for
 * which another process has prepared the data.
 */
const isWorthPreparing = (database: TestedDatabase, deciding: TestSettings, parts: AppParts): boolean => {
  const isUsual = !parts.clock && !parts.modules && Object.keys(deciding).every(isCommon)
  const key = keyOf(database, deciding, parts)
  const isSeen = seen.has(key)
  seen.add(key)
  return isUsual || isSeen || (isShared(parts) && existsSync(placeOf(key)))
}

/** Modules are objects of one process. */
const isShared = ({ modules }: AppParts): boolean => modules === undefined

/** Names the data that such a service starts with. */
const keyOf = (database: TestedDatabase, deciding: TestSettings, { clock, modules = [] }: AppParts): string =>
  JSON.stringify([database, clock?.().toISOString(), Object.entries(deciding).sort(), modules.map(numberOf)])

const isCommon = (name: string): boolean => name === 'app.demo' || name === 'app.modules'

const numbers = new Map<Module, number>()
const numberOf = (module: Module): number => {
  const number = numbers.get(module) ?? numbers.size
  numbers.set(module, number)
  return number
}

/** Returns the settings of a service on this data. */
export const configOn = ({ folder, url }: Data, settings: TestSettings): Config =>
  loadConfig({
    env: {},
    cwd: folder,
    overrides: {
      'server.port': '0',
      'app.demo': 'true',
      'app.dataDir': folder,
      'app.database.url': url,
      'app.log.level': 'error',
      // Test files share a process, pause it as they please, and send many requests from one address.
      'app.api.maxEventLoopLag': '0',
      'app.api.rateLimit.anonymousRequests': '0',
      'app.api.rateLimit.anonymousCost': '0',
      // Samples of webhooks have addresses that tests must not send anything to.
      'app.webhooks.enabled': 'false',
      'app.webhooks.maxPerUser': '1000',
      ...settings,
    },
  })

const emptyUrl = async (database: TestedDatabase): Promise<string> =>
  database === 'postgres' ? createDatabase(inject('postgresUrl')) : ''

const original = (database: TestedDatabase, deciding: TestSettings, parts: AppParts): Promise<Data> => {
  const key = keyOf(database, deciding, parts)
  const make = () => prepare(database, deciding, parts)
  const prepared = originals.get(key) ?? (isShared(parts) ? sharedData(key, make) : removedAtExit(make()))
  originals.set(key, prepared)
  // Tests that come later try again.
  prepared.catch(() => originals.delete(key))
  return prepared
}

const prepare = async (
  database: TestedDatabase,
  deciding: TestSettings,
  { clock, modules }: AppParts,
): Promise<Data> => {
  const options = { ...(modules && { modules }), ...(clock && { clock }) }
  const data = await firstData(database, deciding, options)
  const app = await createApp(configOn(data, deciding), options)
  try {
    await app.listen()
    // Jobs take longer than a start. Once they have run, they are not due when a test starts.
    await until('the jobs of the first start to end', async () => !(await hasDueJobs(app.platform)))
  } finally {
    await app.close()
  }
  return data
}

const hasDueJobs = async ({ records, clock }: App['platform']): Promise<boolean> => {
  const now = clock().toISOString()
  return (await records.find(jobStates)).some(({ run, nextRun }) => run !== null || nextRun <= now)
}

const removedAtExit = async (made: Promise<Data>): Promise<Data> => {
  const data = await made
  process.on('exit', () => rmSync(data.folder, { recursive: true, force: true }))
  return data
}

const placeOf = (key: string): string =>
  join(inject('preparedFolder'), createHash('sha256').update(key).digest('hex').slice(0, 16))

/** Returns data made by the first process that needs them. The others wait for it, and try themselves when it fails. */
const sharedData = async (key: string, make: () => Promise<Data>): Promise<Data> => {
  const place = placeOf(key)
  const [note, unfinished] = [join(place, 'data.json'), join(place, 'data.new')]
  while (!existsSync(note)) {
    if (!(await isCreated(place))) {
      await until(`another process to prepare the data ${key}`, () => existsSync(note) || !existsSync(place))
      continue
    }
    try {
      const data = await movedTo(join(place, 'data'), make())
      await writeFile(unfinished, JSON.stringify(data))
      await rename(unfinished, note)
    } catch (error) {
      await rm(place, { recursive: true, force: true })
      throw error
    }
  }
  return JSON.parse(await readFile(note, 'utf8'))
}

/** Returns false for a folder that another process has created. */
const isCreated = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Moves data to a folder, with which they are removed. */
const movedTo = async (folder: string, made: Promise<Data>): Promise<Data> => {
  const data = await made
  await rename(data.folder, folder)
  return { ...data, folder }
}
