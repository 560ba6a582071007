// The SQLite driver: one connection that writes, one that reads what is committed, and processes for reads that may be slow.

import { randomUUID } from 'node:crypto'
import { createPause } from '../../pauses.ts'
import type { Connection } from '../connection.ts'
import type { Database, DatabaseLimits, Driver } from '../driver.ts'
import { readCommonValues } from './common-values.ts'
import { createConnection, createWriter } from './connection.ts'
import { diagnoseSqlite } from './diagnose.ts'
import { sqliteDialect } from './dialect.ts'
import { GroupCommit } from './group-commit.ts'
import { LargeLog, maxKeptLog } from './large-log.ts'
import { mergeTrigrams } from './merge-trigrams.ts'
import { findSqliteDamages, readSqliteSnapshot } from './moment-reads.ts'
import { busyTimeout, claimSqlite, openSqlite } from './open.ts'
import { maxMsInPlace, maxWorkInPlace, ReadPlacement } from './placement.ts'
import { PlanCosts } from './plan-costs.ts'
import { SqliteReaders } from './readers.ts'
import { StatementWatch } from './statement-watch.ts'
import { SqliteSizes } from './table-sizes.ts'

export const sqliteDatabase: Database = {
  name: 'sqlite',
  // The path of a file, or `:memory:`.
  accepts: url => !url.includes('://'),
  open: async (path, limits) => createDriver(path, limits),
  diagnose: diagnoseSqlite,
}

const createDriver = (path: string, limits: DatabaseLimits = {}): Driver => {
  const { queryTimeout = 5000, writeTimeout = 30_000, transactionTimeout, isDisposable = false } = limits
  let statements = 0
  const count = () => {
    statements += 1
  }
  const writing = openSqlite(path)
  // Before the reader comes: it cannot change the mode of a database that it may not write to.
  writing.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${isDisposable ? 'OFF' : 'FULL'}`)
  // Overwrites removed records where that writes no further pages.
  writing.exec('PRAGMA secure_delete = FAST')
  // After a large transaction the log is not left at its size for ever.
  writing.exec(`PRAGMA journal_size_limit = ${maxKeptLog}`)
  // Waiting for another process would stop the event loop: the queue tries again instead.
  writing.exec(impatient)
  // An in-memory database belongs to its connection.
  const reading = path === ':memory:' ? writing : openSqlite(path)
  if (reading !== writing) reading.exec('PRAGMA query_only = ON')
  const reader = createConnection(reading, count)
  // A number of the connection: it changes when another connection has committed.
  const generation = reading.prepare('PRAGMA data_version')
  const sizes = new SqliteSizes(reading)
  const costs = new PlanCosts(reading, sizes, maxWorkInPlace)
  const queue = new GroupCommit(
    createWriter(writing, {
      count,
      costs,
      // Reads on the same connection would see a transaction that goes on.
      pause: reading === writing ? () => undefined : createPause({ isAwaited: true }),
    }),
    writeTimeout,
    transactionTimeout,
  )
  const readers = new SqliteReaders(path, queryTimeout)
  const watch = reading === writing ? null : new StatementWatch(reading, maxMsInPlace)
  const placement = watch && new ReadPlacement({ here: reader, watch, costs, readers, count })
  const rows: Connection['rows'] = async (sql, values, quick = false, hint = {}) => {
    const { facts, walks, requester } = hint
    if (hint.isOwn && placement) return placement.elsewhere({ sql, cells: values, requester })
    if (quick || !facts || !reading.isOpen) return reader.read(sql, values)
    const cells = costs.narrow(values, facts)
    return placement ? placement.rows({ sql, cells, facts, walks, requester }) : reader.read(sql, cells)
  }
  const script = (sql: string) =>
    queue.run(connection => patiently(connection, sql), { place: 'outside', isUnlimited: true })
  const instance = randomUUID()
  const transaction: Driver['transaction'] = (work, options = {}) => {
    if (!options.isLong || path === ':memory:') return queue.run(work, options)
    const log = new LargeLog({ path, writing, readers })
    const running = queue.run(work, { ...options, place: 'own', beforeCommit: () => log.beforeCommit() })
    return running.finally(() => log.afterCommit())
  }
  return {
    dialect: sqliteDialect,
    isEmbedded: true,
    instance,
    // Another process on the same file is the exception, and cannot be seen from here.
    isRunning: async name => name === instance,
    clockOffset: async () => 0,
    rows,
    script,
    transaction,
    tidy: signal => mergeTrigrams({ transaction }, signal),
    snapshot: work => readSqliteSnapshot(path, work),
    findDamages: () => readSqliteSnapshot(path, findSqliteDamages),
    ...(path !== ':memory:' && { claim: use => claimSqlite(path, use) }),
    tableSizes: () => sizes.all(),
    commonValues: () => readCommonValues(reading, sizes),
    generation: () => (reading === writing ? null : ((generation.get() as unknown as number[])[0] ?? null)),
    eraseRemoved: () => script('PRAGMA wal_checkpoint(TRUNCATE)'),
    get statements() {
      return statements
    },
    get slowReads() {
      return readers.startCount
    },
    endSlowReads: graceMs => readers.drain(graceMs),
    get wait() {
      return queue.wait
    },
    ping: async () => {
      await reader.rows('SELECT 1', [])
    },
    close: async () => {
      await readers.close()
      await queue.idle()
      if (reading !== writing && reading.isOpen) reading.close()
      if (writing.isOpen) writing.close()
    },
  }
}

const impatient = 'PRAGMA busy_timeout = 0'

/** Checkpoints and changes of settings wait for other connections. */
const patiently = async (connection: Connection, sql: string): Promise<void> => {
  await connection.script(`PRAGMA busy_timeout = ${busyTimeout}`)
  try {
    await connection.script(sql)
  } finally {
    await connection.script(impatient)
  }
}
