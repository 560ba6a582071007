// Reads of one moment on SQLite: a connection of its own in a transaction, which sees nothing that is committed later. Writers go on;
// the write-ahead log grows until the transaction ends.

import { ownTurn } from '../../pauses.ts'
import type { Connection } from '../connection.ts'
import { openSqlite } from './open.ts'

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
        await ownTurn()
        return database.prepare(sql).all(...cells) as (readonly unknown[])[]
      },
    })
  } finally {
    database.close()
  }
}

/** Finds damages of the file itself, and references to records that do not exist. */
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
