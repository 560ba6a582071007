// The PostgreSQL driver: prepared, pipelined statements, on connections of their own for each kind of statement.

import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import type { Connection, ResultRows } from '../connection.ts'
import { type DatabaseLimits, type Driver, defaultTransactionTimeout } from '../driver.ts'
import { readCommonValues } from './common-values.ts'
import { PostgresConnections } from './connections.ts'
import { createPostgresDialect } from './dialect.ts'
import { toProblem } from './errors.ts'
import { readPostgresSnapshot } from './moment-reads.ts'
import type { PostgresSender } from './sender.ts'
import { readTableSizes } from './table-sizes.ts'
import { persistently, transact } from './transactions.ts'
import { createConnect } from './wire.ts'

export const openPostgres = async (url: string, limits?: DatabaseLimits): Promise<Driver> => {
  const driver = createDriver(url, limits)
  try {
    return Object.assign(driver, { dialect: createPostgresDialect((await driver.rows(icuQuery, [])).length > 0) })
  } catch (error) {
    await driver.close()
    throw error
  }
}

const icuQuery = "SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu' AND getdatabaseencoding() = 'UTF8'"

/** All but the dialect, which depends on what the server can do. */
const createDriver = (url: string, limits: DatabaseLimits = {}): Omit<Driver, 'dialect'> => {
  const instance = `plinth ${randomUUID()}`
  const connect = createConnect(url, instance)
  const connections = new PostgresConnections(connect, limits)
  const { quick, writes, reads, slowReads, transactions, sender } = connections
  const workLimits = {
    timeout: limits.transactionTimeout ?? defaultTransactionTimeout,
    isAwaited: () => transactions.wait !== null,
  }
  const rows: Connection['rows'] = (text, cells, isQuick = false, hint = {}) => {
    if (!isQuick && isRead(text)) return withProblems(reads.rows({ text, cells }, hint))
    const lane = isQuick ? quick : writes
    return withProblems(lane.use(({ sql }) => sender.rows(sql, text, cells)))
  }
  return {
    isEmbedded: false,
    instance,
    isRunning: async name => {
      const [found] = await rows(connectionsOf, [name, instance], true)
      // Where not even this process is seen under its name, as behind some poolers, the others are not either.
      return Number(found?.[0]) > 0 || Number(found?.[1]) === 0
    },
    clockOffset: async () => {
      const sentAt = Date.now()
      const [found] = await rows('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8', [], true)
      return Math.round(Number(found?.[0]) - (sentAt + Date.now()) / 2)
    },
    rows,
    session: (work, signal) => withProblems(useSession(connect, { sender, signal }, work)),
    script: text => withProblems(alone(connect(), sql => sender.script(sql, text))),
    transaction: (work, options = {}) =>
      persistently(() => transactions.use(client => transact(client, { sender, options, limits: workLimits }, work))),
    snapshot: work => readPostgresSnapshot(connect, work),
    findDamages: async () =>
      (await rows(invalidIndexes, [])).map(
        ([name]) => `the index ${name} is invalid: REINDEX INDEX "${name}" repairs it`,
      ),
    listen: async (channel, wake) => {
      // A connection of its own, made again when it is lost; what was published in between is found by looking.
      const listener = connect()
      const stop = () => listener.end({ timeout: 5 })
      try {
        await withProblems(listener.listen(channel, wake, wake))
      } catch (error) {
        stop().catch(() => {})
        throw error
      }
      return stop
    },
    tableSizes: () => readTableSizes(text => rows(text, [])),
    commonValues: () => readCommonValues(text => rows(text, [])),
    generation: () => null,
    // Vacuuming does so.
    eraseRemoved: async () => {},
    get statements() {
      return sender.statements
    },
    get slowReads() {
      return slowReads.startCount
    },
    endSlowReads: graceMs => slowReads.drain(graceMs),
    get wait() {
      return transactions.wait
    },
    ping: () => withProblems(quick.use(async ({ sql }) => mustBeWritable(await sender.rows(sql, readOnlySetting, [])))),
    close: async () => {
      const mayGoOn = await connections.close()
      if (mayGoOn) await alone(connect({ connect_timeout: 1 }), sql => endProcesses(sql, instance)).catch(() => {})
    },
  }
}

const isRead = (text: string): boolean => text.startsWith('SELECT') || text.startsWith('EXPLAIN')

const withProblems = async <T>(statement: Promise<T>): Promise<T> => {
  try {
    return await statement
  } catch (error) {
    throw toProblem(error)
  }
}

/** Runs the work on a connection that ends with it. */
const alone = async <T>(sql: postgres.Sql, work: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
  try {
    return await work(sql)
  } finally {
    sql.end({ timeout: 5 }).catch(() => {})
  }
}

interface SessionParts {
  readonly sender: PostgresSender
  readonly signal: AbortSignal
}

const useSession = <T>(
  connect: ReturnType<typeof createConnect>,
  { sender, signal }: SessionParts,
  work: (connection: Connection) => Promise<T>,
): Promise<T> =>
  alone(connect(), async sql => {
    signal.throwIfAborted()
    const [row] = await sender.rows(sql, 'SELECT pg_backend_pid()', [])
    // The server goes on with a statement although its connection is closed.
    const cancel = () =>
      void alone(connect({ connect_timeout: 1 }), other => other`SELECT pg_cancel_backend(${Number(row?.[0])})`).catch(
        () => {},
      )
    signal.addEventListener('abort', cancel)
    try {
      return await work({
        rows: (text, cells) => sender.rows(sql, text, cells),
        script: text => sender.script(sql, text),
      })
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  })

/**
 * The indexes left by a CREATE INDEX CONCURRENTLY that failed. Those of the service are built again at its next start.
 */
const invalidIndexes = `SELECT c.relname::text FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
  WHERE NOT x.indisvalid AND c.relname NOT LIKE 'plinth\\_%' AND c.relnamespace = current_schema()::regnamespace`

const connectionsOf = `SELECT count(*) FILTER (WHERE application_name = $1), count(*) FILTER (WHERE application_name = $2)
  FROM pg_stat_activity`

/** A server goes on with a statement although its connection is closed. */
const endProcesses = (sql: postgres.Sql, instance: string): Promise<unknown> =>
  sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = ${instance} AND pid <> pg_backend_pid()`

const readOnlySetting = "SELECT current_setting('transaction_read_only')"

/** Refuses sessions that cannot write: those of a standby, and those that the operator has made read-only. */
const mustBeWritable = ([row]: ResultRows): void => {
  if (row?.[0] === 'on') throw Object.assign(new Error('the database is read-only'), { code: '25006' })
}
