// The built service on SQLite and PostgreSQL, with many localities.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type PostgresServer, startPostgres } from '@plinth/test-kit/postgres'
import { fillLocalities } from './fill.ts'
import { type Running, startPlinth } from './servers.ts'

/** An empty database. */
export interface FilledDatabase {
  readonly settings: Readonly<Record<string, string>>
  readonly database: string
}

export type NewFilledDatabase = () => Promise<FilledDatabase>

const usual = { 'app.demo': 'true', 'server.port': '0', 'app.log.level': 'error' }

/** `only`: `sqlite` or `postgres`; both when left out. */
export const onDatabases = async (
  only: string | undefined,
  bench: (name: string, newPlace: NewFilledDatabase) => Promise<void>,
  startServer: () => Promise<PostgresServer> = startPostgres,
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const inFolder = async () => ({ ...usual, 'app.dataDir': await mkdtemp(join(folder, 'data-')) })
  try {
    if (only !== 'postgres')
      await bench('SQLite', async () => {
        const settings = await inFolder()
        return { settings, database: join(settings['app.dataDir'], 'plinth.db') }
      })
    if (only !== 'sqlite') await onPostgres(await startServer(), inFolder, newPlace => bench('PostgreSQL', newPlace))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (
  server: PostgresServer,
  inFolder: () => Promise<FilledDatabase['settings']>,
  bench: (newPlace: NewFilledDatabase) => Promise<void>,
): Promise<void> => {
  try {
    await bench(async () => {
      const database = await createDatabase(server.url)
      return { settings: { ...(await inFolder()), 'app.database.url': database }, database }
    })
  } finally {
    await server.stop()
  }
}

/** The service creates the tables, `fill` puts records into them, and the service runs until the work is done. */
export const withRecords = async <T>(
  { settings }: FilledDatabase,
  fill: () => Promise<void>,
  work: (plinth: Running) => Promise<T>,
): Promise<T> => {
  const first = await startPlinth(settings)
  await first.stop()
  await fill()
  const plinth = await startPlinth(settings)
  try {
    return await work(plinth)
  } finally {
    await plinth.stop()
  }
}

export const withLocalities = <T>(
  place: FilledDatabase,
  count: number,
  work: (plinth: Running) => Promise<T>,
): Promise<T> => withRecords(place, () => fillLocalities(place.database, count), work)
