// Data of a service that has been started before. A first start makes tables, people and a shop, which takes longer than most
// tests: it is done once in each process, for each set of modules, and copied.

import { rmSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type AppParts, createApp } from '../../src/app.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { copyDatabase, createDatabase } from './postgres.ts'
import type { Database } from './service.ts'

export interface Data {
  readonly folder: string
  /** Of PostgreSQL; empty for SQLite. */
  readonly url: string
}

/** What decides about what a first start writes. */
const deciding = ['app.demo', 'app.modules']
/** What a test brings along, or what the shop and the nodes are made by. */
const isOwn = (name: string): boolean => /^app\.(?:dataDir|database\.|rental\.|nodes\.)/.test(name)

const originals = new Map<string, Promise<Data>>()

export const newData = async (
  database: Database,
  settings: Readonly<Record<string, string>>,
  parts: AppParts,
): Promise<Data> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-test-'))
  if (parts.clock || parts.modules || Object.keys(settings).some(isOwn))
    return { folder, url: await emptyUrl(database) }
  const key = JSON.stringify([database, ...deciding.map(name => settings[name])])
  const original = originals.get(key) ?? prepare(database, settings)
  originals.set(key, original)
  const { folder: from, url } = await original
  await cp(from, folder, { recursive: true })
  return { folder, url: url && (await copyDatabase(url)) }
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
      ...settings,
    },
  })

const emptyUrl = async (database: Database): Promise<string> =>
  database === 'postgres' ? createDatabase(inject('postgresUrl')) : ''

const prepare = async (database: Database, settings: Readonly<Record<string, string>>): Promise<Data> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-original-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const url = await emptyUrl(database)
  const chosen = Object.fromEntries(Object.entries(settings).filter(([name]) => deciding.includes(name)))
  const app = await createApp(configOn({ folder, url }, chosen))
  await app.listen()
  await app.close()
  return { folder, url }
}
