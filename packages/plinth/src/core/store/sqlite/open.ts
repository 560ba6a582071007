// Opens a SQLite database the way every connection of the service has it.

import { chmodSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { Problem } from '../../problem.ts'
import type { DatabaseUse } from '../driver.ts'
import { fold } from '../sql/text-patterns.ts'
import { addBucketFunction } from './buckets.ts'
import { allowAll } from './statement-watch.ts'
import { addDistanceFunction } from './vectors.ts'

/** The SQL function for searches that ignore the case of all letters. */
export const foldFunction = 'plinth_fold'

/** How long a connection waits for another one, in milliseconds. */
export const busyTimeout = 5000

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
  addBucketFunction(database)
  addDistanceFunction(database)
  allowAll(database)
  return database
}

/**
 * Locks of a second, empty database beside the first: many may read it, and one alone may write. The system releases them when the
 * process ends, however it ends.
 */
export const claimSqlite = (path: string, use: DatabaseUse): (() => void) => {
  const lock = new DatabaseSync(`${path}-use`)
  chmodSync(`${path}-use`, 0o600)
  try {
    lock.exec(use === 'alone' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT * FROM sqlite_master')
  } catch (cause) {
    lock.close()
    const detail =
      use === 'alone'
        ? `A service is running on ${path}: stop it first.`
        : `The database ${path} is being restored: start the service again when that is done.`
    throw new Problem('conflict', { detail, cause })
  }
  return () => {
    if (lock.isOpen) lock.close()
  }
}
