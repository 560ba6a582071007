// The SQLite driver: one connection that writes, one that reads what is committed.

import { randomUUID } from 'node:crypto'
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import { Problem } from '../problem.ts'
import type { Connection, Driver } from './driver.ts'
import { GroupCommit, type Writer } from './group-commit.ts'
import { fold } from './names.ts'
import { foldFunction } from './sqlite-dialect.ts'
import { untilFailure } from './until-failure.ts'

const maxPrepared = 500
const busyTimeout = 5000

export const createSqliteDriver = (path: string): Driver => {
  let statements = 0
  const count = () => {
    statements += 1
  }
  const writing = open(path)
  // Before the reader comes: it cannot change the mode of a database that it may not write to.
  writing.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  // An in-memory database belongs to its connection.
  const reading = path === ':memory:' ? writing : open(path)
  if (reading !== writing) reading.exec('PRAGMA query_only = ON')
  const reader = createConnection(reading, { count, passing })
  // A number of the connection: it changes when another connection has committed.
  const generation = reading.prepare('PRAGMA data_version')
  const queue = new GroupCommit(createWriter(writing, count))
  const instance = randomUUID()
  return {
    dialect: 'sqlite',
    instance,
    // Another process on the same file is the exception, and cannot be seen from here.
    isRunning: async name => name === instance,
    rows: reader.rows,
    script: sql => queue.run(connection => connection.script(sql), true),
    transaction: work => queue.run(connection => untilFailure(connection, work)),
    generation: () => (reading === writing ? null : ((generation.get() as unknown as number[])[0] ?? null)),
    get statements() {
      return statements
    },
    ping: async () => {
      await reader.rows('SELECT 1', [])
    },
    close: async () => {
      await queue.idle()
      if (reading !== writing && reading.isOpen) reading.close()
      if (writing.isOpen) writing.close()
    },
  }
}

const open = (path: string): DatabaseSyncInstance => {
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

interface ConnectionParts {
  readonly count: () => void
  /** Errors that pass by themselves, by their messages. */
  readonly passing: RegExp
}

const createConnection = (database: DatabaseSyncInstance, { count, passing }: ConnectionParts): Connection => {
  const prepared = new LRUCache<string, StatementSyncInstance>({ max: maxPrepared })
  return {
    rows: async (sql, cells) => {
      try {
        let statement = prepared.get(sql)
        if (!statement) {
          statement = database.prepare(sql)
          prepared.set(sql, statement)
        }
        count()
        return statement.all(...cells) as (readonly unknown[])[]
      } catch (error) {
        throw toUnavailable(error, { database, passing })
      }
    },
    script: async sql => {
      try {
        database.exec(sql)
      } catch (error) {
        throw toUnavailable(error, { database, passing })
      }
    },
  }
}

const createWriter = (database: DatabaseSyncInstance, count: () => void): Writer => ({
  connection: createConnection(database, { count, passing: passingForWriter }),
  control: sql => {
    try {
      database.exec(sql)
    } catch (error) {
      throw toUnavailable(error, { database, passing: passingForWriter })
    }
  },
  inTransaction: () => database.isOpen && database.isTransaction,
})

/** Held by another process for longer than we wait, or on a disk that takes no more. */
const passing = /database (?:table )?is locked|database or disk is full|disk I\/O error/
/** For the reader a write is a mistake in the code; for the writer the file has become read-only. */
const passingForWriter = new RegExp(`${passing.source}|attempt to write a readonly database`)

interface Failed {
  readonly database: DatabaseSyncInstance
  readonly passing: RegExp
}

const toUnavailable = (error: unknown, { database, passing }: Failed): unknown =>
  !database.isOpen || (error instanceof Error && passing.test(error.message))
    ? new Problem('unavailable', { detail: 'The database cannot answer now.', cause: error })
    : error
