// Opens a SQLite database the way every connection of the service has it.

import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { fold } from '../sql/columns.ts'

/** The SQL function for searches that ignore the case of all letters. */
export const foldFunction = 'plinth_fold'

const busyTimeout = 5000

export const openSqlite = (path: string): DatabaseSyncInstance => {
  const database = new DatabaseSync(path, {
    enableForeignKeyConstraints: true,
    timeout: busyTimeout,
    returnArrays: true,
    defensive: true,
  })
  database.exec('PRAGMA cache_size = -20000; PRAGMA temp_store = MEMORY')
  database.function(foldFunction, { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? fold(text) : null,
  )
  return database
}
