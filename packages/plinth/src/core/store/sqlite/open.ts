// Opens a SQLite database the way every connection of the service has it.

import { chmodSync } from 'node:fs'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { Problem } from '../../problem.ts'
import type { Connection } from '../connection.ts'
import type { DatabaseUse } from '../driver.ts'
import { fold } from '../sql/text-patterns.ts'
import { allowAll } from './statement-watch.ts'

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

// Reads of one moment on SQLite: a connection of its own in a transaction, which sees nothing that is committed later. Writers go
// on; the write-ahead log grows until the transaction ends.

export const readSqliteSnapshot = async <T>(
  path: string,
  work: (connection: Pick<Connection, 'rows'>) => Promise<T>,
): Promise<T> => {
  const database = openSqlite(path)
  try {
    // The moment is that of the first read, not of BEGIN.
    database.exec('PRAGMA query_only = ON; BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1')
    return await work({
      rows: async (sql, cells) => {
        // A service that backs itself up answers requests between two batches.
        await yieldToOthers()
        return database.prepare(sql).all(...cells) as (readonly unknown[])[]
      },
    })
  } finally {
    database.close()
  }
}

/** Of the file itself, and of references to records that are not there. */
export const findSqliteDamages = async (connection: Pick<Connection, 'rows'>): Promise<readonly string[]> => {
  const pages = await connection.rows('PRAGMA integrity_check', [])
  const references = await connection.rows('PRAGMA foreign_key_check', [])
  return [
    ...pages.map(([message]) => String(message)).filter(message => message !== 'ok'),
    ...references.map(
      ([table, row, target]) => `row ${row} of ${table} refers to a record of ${target} that is not there`,
    ),
  ]
}
