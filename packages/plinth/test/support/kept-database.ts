// A database that outlives the service on it, for tests of what a restart finds.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Database } from './databases.ts'
import { createDatabase } from './postgres.ts'

export interface KeptDatabase {
  /** For each start of the service. */
  readonly settings: Record<string, string>
  remove(): Promise<void>
}

export const keepDatabase = async (database: Database): Promise<KeptDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-kept-'))
  const url = database === 'postgres' ? await createDatabase(inject('postgresUrl')) : ''
  return {
    settings: { 'app.dataDir': folder, 'app.database.url': url },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
