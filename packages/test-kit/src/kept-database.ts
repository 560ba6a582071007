// A database that outlives the service on it, for tests of what a restart finds.

import { rm } from 'node:fs/promises'
import type { TestedDatabase } from './databases.ts'
import { type Data, emptyData, newData } from './prepared-data.ts'

export interface KeptDatabase {
  /** The settings of each start of the service. */
  readonly settings: Record<string, string>
  remove(): Promise<void>
}

/** Keeps a database with the data of a first start, by these settings. */
export const keepDatabase = async (
  database: TestedDatabase,
  settings: Readonly<Record<string, string>> = {},
): Promise<KeptDatabase> => keep(await newData(database, settings, {}))

/** Keeps an empty database, for tests of the first start itself. */
export const keepEmptyDatabase = async (database: TestedDatabase): Promise<KeptDatabase> =>
  keep(await emptyData(database))

const keep = ({ folder, url }: Data): KeptDatabase => ({
  settings: { 'app.dataDir': folder, 'app.database.url': url },
  remove: () => rm(folder, { recursive: true, force: true }),
})
