// Data of a service that has been started before. A first start makes tables, people and a shop, which takes longer than most
// tests: it is done once in each process, for each clock, set of modules and settings that matter, and copied.

import { rmSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Module } from '../../src/core/module.ts'
import type { Database } from './databases.ts'
import { type AppParts, type Config, createApp, loadConfig } from './platform.ts'
import { copyDatabase, createDatabase } from './postgres.ts'

export interface Data {
  readonly folder: string
  /** Of PostgreSQL; empty for SQLite. */
  readonly url: string
}

/** Settings that decide what a first start writes. */
const isDeciding = (name: string): boolean => /^app\.(?:demo$|modules$|rental\.|nodes\.)/.test(name)

/** A test with these brings data of its own. */
const isOwnData = (name: string): boolean => name === 'app.dataDir' || name === 'app.database.url'

const originals = new Map<string, Promise<Data>>()
const seen = new Set<string>()

export const newData = async (
  database: Database,
  settings: Readonly<Record<string, string>>,
  parts: AppParts,
): Promise<Data> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-test-'))
  // Read once: a clock that runs would give the data another time than the name that they go by.
  const start = parts.clock?.()
  const fixed: AppParts = { ...parts, ...(start && { clock: () => start }) }
  const key = keyOf(database, settings, fixed)
  if (key === undefined) return { folder, url: await emptyUrl(database) }
  const original = originals.get(key) ?? prepare(database, settings, fixed)
  originals.set(key, original)
  const { folder: from, url } = await original
  await cp(from, folder, { recursive: true })
  return { folder, url: url && (await copyDatabase(url)) }
}

/** Names the data that such a service starts with; nothing for data that no second service is likely to need. */
const keyOf = (
  database: Database,
  settings: Readonly<Record<string, string>>,
  { clock, modules = [] }: AppParts,
): string | undefined => {
  if (Object.keys(settings).some(isOwnData)) return undefined
  const deciding = Object.entries(settings).filter(([name]) => isDeciding(name))
  const time = clock?.().toISOString()
  const key = JSON.stringify([database, time, deciding.sort(), modules.map(numberOf)])
  const isUsual = time === undefined && modules.length === 0 && deciding.every(([name]) => isCommon(name))
  if (isUsual || seen.has(key)) return key
  seen.add(key)
  return undefined
}

/** Clocks, modules and nodes of one test alone are not worth a preparation: the second start with the same ones is. */
const isCommon = (name: string): boolean => name === 'app.demo' || name === 'app.modules'

const numbers = new Map<Module, number>()
const numberOf = (module: Module): number => {
  const number = numbers.get(module) ?? numbers.size
  numbers.set(module, number)
  return number
}

/** For a service on this data. */
export const configOn = ({ folder, url }: Data, settings: Readonly<Record<string, string>>): Config =>
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

const emptyUrl = async (database: Database): Promise<string> =>
  database === 'postgres' ? createDatabase(inject('postgresUrl')) : ''

const prepare = async (
  database: Database,
  settings: Readonly<Record<string, string>>,
  { clock, modules }: AppParts,
): Promise<Data> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-original-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const url = await emptyUrl(database)
  const deciding = Object.fromEntries(Object.entries(settings).filter(([name]) => isDeciding(name)))
  const app = await createApp(configOn({ folder, url }, deciding), {
    ...(modules && { modules }),
    ...(clock && { clock }),
  })
  await app.listen()
  await app.close()
  return { folder, url }
}
