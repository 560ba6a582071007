// The PostgreSQL driver: prepared, pipelined statements on a pool of connections.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Cell, Connection, Driver } from './driver.ts'
import { codeOf, frozen, isLost, isReadOnly, lostInTransaction, toProblem } from './postgres-errors.ts'
import { readTableSizes } from './postgres-sizes.ts'
import { Watchdog } from './postgres-watchdog.ts'
import { type Preparable, PreparedTexts } from './prepared-texts.ts'
import { type TransactionClient, TransactionClients } from './transaction-clients.ts'
import { untilFailure } from './until-failure.ts'

const maxAttempts = 5

export const createPostgresDriver = (url: string, poolSize = 10): Driver => {
  const instance = `plinth ${randomUUID()}`
  const connection = { ...options.connection, application_name: instance }
  const connect = (more: postgres.Options<Types>) => postgres(url, { ...options, connection, ...more })
  const forTransactions = Math.max(1, Math.floor(poolSize / 2))
  const pool = createPool(Math.max(1, poolSize - forTransactions), () => connect({ max_lifetime: 30 * 60 }))
  const clients = new TransactionClients(forTransactions, more => connect({ ...more, max_lifetime: null }))
  const watchdog = new Watchdog({
    probe: () => askForLife(connect({ connect_timeout: 5 })),
    reset: () => {
      pool.reset()
      clients.reset()
    },
  })
  const watched = async <T>(statement: Promise<T>): Promise<T> => {
    watchdog.begun()
    try {
      return await statement
    } finally {
      watchdog.ended()
    }
  }
  const texts = new PreparedTexts()
  let statements = 0
  const rows: SendRows = (sql, text, cells) => {
    if (watchdog.isFrozen) throw frozen()
    statements += 1
    return watched(send(sql, texts.of(text), cells))
  }
  const script: SendScript = async (sql, text) => {
    if (watchdog.isFrozen) throw frozen()
    await watched(sql.unsafe(text).simple())
  }
  return {
    dialect: 'postgres',
    instance,
    isRunning: async name => {
      const [found] = await pool.use(sql => rows(sql, connectionsOf, [name, instance]))
      // Where not even this process is seen under its name, as behind some poolers, the others are not either.
      return Number(found?.[0]) > 0 || Number(found?.[1]) === 0
    },
    rows: (text, cells, quick) => pool.use(sql => rows(sql, text, cells), quick),
    script: text => pool.use(sql => script(sql, text)),
    transaction: work => persistently(() => clients.use(client => transact(client, { rows, script }, work))),
    listen: async (channel, wake) => {
      // A connection of its own, made again when it is lost; what was told meanwhile is found by looking.
      const listener = connect({})
      await listener.listen(channel, wake, wake)
      return () => listener.end({ timeout: 5 })
    },
    tableSizes: () => pool.use(sql => readTableSizes(text => rows(sql, text, []))),
    generation: () => null,
    get statements() {
      return statements
    },
    ping: () => pool.use(async sql => mustBeWritable(await rows(sql, readOnlySetting, []))),
    close: async () => {
      watchdog.stop()
      await Promise.all([pool.close(), clients.close()])
    },
  }
}

const connectionsOf = `SELECT count(*) FILTER (WHERE application_name = $1), count(*) FILTER (WHERE application_name = $2)
  FROM pg_stat_activity`

interface Slot {
  sql: postgres.Sql
  underWay: number
}

/**
 * Connections for single statements, each a client of its own: a client with several of them seeks the next one in a list
 * that grows for as long as all are busy. One that is lost is replaced: its client would send statements that are asked
 * for in that very moment to the dead connection, where they wait for ever.
 *
 * One is for quick statements alone: what nearly every request begins with never waits for somebody's long search. And
 * what is asked for in one turn of the event loop is sent in one piece, which costs less than to spread it.
 */
const createPool = (size: number, connect: () => postgres.Sql) => {
  const open = (): Slot => ({ sql: connect(), underWay: 0 })
  const forQuick = open()
  const forOthers = size > 1 ? Array.from({ length: size - 1 }, open) : [forQuick]
  let closed = false
  /**
   * A lost client ends at once, with all that waits for it: with time to part it may connect again. A read-only one is sound,
   * and finishes what others read on it.
   */
  const replace = (slot: Slot, partingSeconds = 0): void => {
    const { sql } = slot
    slot.sql = connect()
    sql.end({ timeout: partingSeconds }).catch(() => {})
  }
  return {
    use: async <T>(statement: (sql: postgres.Sql) => Promise<T>, quick = false): Promise<T> => {
      const slot = quick ? forQuick : leastBusy(forOthers)
      const { sql } = slot
      slot.underWay += 1
      try {
        return await statement(sql)
      } catch (error) {
        if (isLost(error) && sql === slot.sql && !closed) replace(slot, isReadOnly(error) ? 5 : 0)
        throw toProblem(error)
      } finally {
        slot.underWay -= 1
      }
    },
    reset: () => {
      for (const slot of new Set([forQuick, ...forOthers])) if (!closed) replace(slot)
    },
    close: async () => {
      closed = true
      await Promise.all([forQuick, ...forOthers].map(({ sql }) => sql.end({ timeout: 5 })))
    },
  }
}

const leastBusy = (slots: readonly Slot[]): Slot =>
  slots.reduce((least, one) => (one.underWay < least.underWay ? one : least))

type SendRows = (sql: postgres.Sql, text: string, cells: readonly Cell[]) => Promise<Rows>
type SendScript = (sql: postgres.Sql, text: string) => Promise<void>

/** One statement at a time: what waits behind a statement that loses its connection must not be sent on another. */
const transact = async <T>(
  client: TransactionClient,
  send: { readonly rows: SendRows; readonly script: SendScript },
  work: (connection: Connection) => Promise<T>,
): Promise<T> => {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <R>(statement: (sql: postgres.Sql) => Promise<R>): Promise<R> => {
    const result = last.then(() => {
      if (client.lost) throw lostInTransaction()
      return statement(client.sql)
    })
    last = result.catch(error => {
      client.lost ||= isLost(error)
    })
    return result
  }
  const script = (text: string) => inTurn(sql => send.script(sql, text))
  try {
    await script('BEGIN')
    const connection = {
      rows: (text: string, cells: readonly Cell[]) => inTurn(sql => send.rows(sql, text, cells)),
      script,
    }
    const value = await untilFailure(connection, work)
    await script('COMMIT')
    return value
  } catch (error) {
    if (!client.lost) await script('ROLLBACK').catch(() => {})
    throw error
  }
}

/** An error is an answer too, if it comes from the server. */
const askForLife = async (sql: postgres.Sql): Promise<void> => {
  try {
    await sql.unsafe('SELECT 1').simple()
  } catch (error) {
    if (!(error instanceof Error && 'severity' in error)) throw error
  } finally {
    sql.end({ timeout: 0 }).catch(() => {})
  }
}

const readOnlySetting = "SELECT current_setting('transaction_read_only')"

/** On for every session of a standby, and where the operator wants it so. */
const mustBeWritable = ([row]: Rows): void => {
  if (row?.[0] === 'on') throw Object.assign(new Error('the database is read-only'), { code: '25006' })
}

/** Again after a serialization failure or a deadlock: the transaction would succeed if tried again. */
const persistently = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (!['40001', '40P01'].includes(codeOf(error)) || attempts === maxAttempts) throw toProblem(error)
      // At random, so that those who met once do not meet again.
      await sleep(Math.random() * 10 * 2 ** attempts)
    }
  }
}

const asIs = (text: string): string => text

type Types = Record<string, postgres.PostgresType>

const options: postgres.Options<Types> = {
  max: 1,
  connect_timeout: 10,
  backoff: (attempts: number) => Math.min(attempts * 0.1, 1),
  // Lists are sent as text, so there are no array types to ask for.
  fetch_types: false,
  onnotice: () => {},
  connection: { TimeZone: 'UTC', DateStyle: 'ISO' },
  types: {
    bigint: { to: 20, from: [20], serialize: String, parse: Number },
    instant: { to: 1184, from: [1184], serialize: asIs, parse: toInstant },
    date: { to: 1082, from: [1082], serialize: asIs, parse: asIs },
    json: { to: 3802, from: [114, 3802], serialize: asIs, parse: JSON.parse },
  },
}

/** `2024-02-03 04:05:06.78+00` → `2024-02-03T04:05:06.780Z`; the session's zone is UTC. */
export function toInstant(text: string): string {
  const fraction = text.slice(20, text.length - 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

const prepared = { prepare: true, simple: false }
const unprepared = { prepare: false, simple: false }

type Rows = readonly (readonly unknown[])[]

const send = (sql: postgres.Sql, text: Preparable, cells: readonly Cell[]): Promise<Rows> => {
  if (!text.prepared) return sql.unsafe(text.sql, cells as Cell[], unprepared).values()
  if (text.reads) return sql.unsafe(text.sql, cells as Cell[], prepared).values()
  // The client remembers the text of each failed `unsafe` for ever, but only one for each template. Reads hardly fail;
  // a refused write is an everyday event.
  return sql(text.template, ...text.order.map(slot => cells[slot - 1] as Cell)).values()
}
