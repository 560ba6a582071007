// A connection to SQLite: prepared statements are kept, and what is out of reach for a while is `unavailable`.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import type { Pause } from '../../pauses.ts'
import { Problem } from '../../problem.ts'
import type { Cell, Connection, ReadHint, ResultRow, ResultRows } from '../connection.ts'
import type { Writer } from './group-commit.ts'

/** Statements that are kept prepared. */
export const maxPrepared = 500

interface ConnectionParts {
  readonly count: () => void
  /** Errors that pass by themselves, by their messages. */
  readonly passing: RegExp
}

/** A connection whose statements run before the call returns. */
export interface SyncConnection extends Connection {
  /** `afterRow` is called for each row that is returned, and ends the statement by an error. */
  read(sql: string, cells: readonly Cell[], afterRow?: () => void): ResultRows
}

const connectionOn = (database: DatabaseSyncInstance, { count, passing }: ConnectionParts): SyncConnection => {
  const prepared = new LRUCache<string, StatementSyncInstance>({ max: maxPrepared })
  const read: SyncConnection['read'] = (sql, cells, afterRow) => {
    try {
      let statement = prepared.get(sql)
      if (!statement) {
        statement = database.prepare(sql)
        prepared.set(sql, statement)
      }
      count()
      if (!afterRow) return statement.all(...cells) as unknown as ResultRows
      const rows: ResultRow[] = []
      for (const row of statement.iterate(...cells)) {
        rows.push(row)
        afterRow()
      }
      return rows
    } catch (error) {
      // The library does not reset a statement that failed while its rows were read one by one.
      if (afterRow) prepared.delete(sql)
      throw toUnavailable(error, { database, passing })
    }
  }
  return {
    read,
    rows: async (sql, cells) => read(sql, cells),
    script: async sql => {
      try {
        database.exec(sql)
      } catch (error) {
        throw toUnavailable(error, { database, passing })
      }
    },
  }
}

export const createConnection = (database: DatabaseSyncInstance, count: () => void): SyncConnection =>
  connectionOn(database, { count, passing })

interface WriterParts {
  readonly count: () => void
  /** Its method takes fewer trigrams for the searches among the cells. */
  readonly costs: { narrow(cells: readonly Cell[], facts: NonNullable<ReadHint['facts']>): readonly Cell[] }
  /** Lets the requests of others go on between two statements of a long transaction, which runs in the process. */
  readonly pause: Pause
}

export const createWriter = (database: DatabaseSyncInstance, { count, costs, pause }: WriterParts): Writer => {
  const connection = connectionOn(database, { count, passing: passingForWriter })
  return {
    connection: {
      ...connection,
      rows: async (sql, cells, _quick, hint) => {
        const paused = pause()
        if (paused) await paused
        return connection.read(sql, hint?.facts ? costs.narrow(cells, hint.facts) : cells)
      },
    },
    begin: () => {
      try {
        database.exec('BEGIN IMMEDIATE')
        return true
      } catch (error) {
        if (database.isOpen && isLocked(error)) return false
        throw toUnavailable(error, { database, passing: passingForWriter })
      }
    },
    control: sql => {
      try {
        database.exec(sql)
      } catch (error) {
        throw toUnavailable(error, { database, passing: passingForWriter })
      }
    },
    inTransaction: () => database.isOpen && database.isTransaction,
  }
}

const isLocked = (error: unknown): boolean => error instanceof Error && error.message === 'database is locked'

/** The errors that pass: a file held by another process for longer than we wait, or a disk that takes no more. */
const passing = /database (?:table )?is locked|database or disk is full|disk I\/O error/
/**
 * The passing errors of the writer, for which a file that is read-only counts too; for a reader a write is a mistake in
 * the code.
 */
const passingForWriter = new RegExp(`${passing.source}|attempt to write a readonly database`)

interface Failed {
  readonly database: DatabaseSyncInstance
  readonly passing: RegExp
}

const toUnavailable = (error: unknown, { database, passing }: Failed): unknown =>
  !database.isOpen || (error instanceof Error && passing.test(error.message))
    ? new Problem('unavailable', { detail: 'The database is not responding.', cause: error })
    : error
