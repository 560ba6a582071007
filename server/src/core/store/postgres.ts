// The PostgreSQL driver: prepared, pipelined statements on a pool of connections.

import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { Problem } from '../problem.ts'
import type { Cell, Connection, Driver } from './driver.ts'
import { type Preparable, PreparedTexts } from './prepared-texts.ts'

type Sql = postgres.Sql | postgres.TransactionSql

const maxAttempts = 5

export const createPostgresDriver = (url: string, poolSize = 10): Driver => {
  const sql = postgres(url, options(poolSize))
  const texts = new PreparedTexts()
  let statements = 0
  const connectionOf = (sql: Sql): Connection => ({
    rows: (text, cells) => {
      statements += 1
      return send(sql, texts.of(text), cells).then(undefined, fail)
    },
    script: text =>
      sql
        .unsafe(text)
        .simple()
        .then(() => {}, fail),
  })
  const transaction = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await sql.begin(inner => work(connectionOf(inner)))) as T
      } catch (error) {
        if (!isTransient(error) || attempt === maxAttempts) return fail(error)
        // At random, so that those who met once do not meet again.
        await sleep(Math.random() * 10 * 2 ** attempt)
      }
    }
  }
  return {
    dialect: 'postgres',
    ...connectionOf(sql),
    transaction,
    get statements() {
      return statements
    },
    close: () => sql.end({ timeout: 5 }),
  }
}

const asIs = (text: string): string => text

const options = (max: number) =>
  ({
    max,
    connect_timeout: 10,
    max_lifetime: 30 * 60,
    backoff: (attempts: number) => Math.min(attempts * 0.1, 1),
    // Lists are sent as text, so there are no array types to ask for.
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'plinth', TimeZone: 'UTC', DateStyle: 'ISO' },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      instant: { to: 1184, from: [1184], serialize: asIs, parse: toInstant },
      date: { to: 1082, from: [1082], serialize: asIs, parse: asIs },
      json: { to: 3802, from: [114, 3802], serialize: asIs, parse: JSON.parse },
    },
  }) satisfies postgres.Options<Record<string, postgres.PostgresType>>

/** `2024-02-03 04:05:06.78+00` → `2024-02-03T04:05:06.780Z`; the session's zone is UTC. */
export function toInstant(text: string): string {
  const fraction = text.slice(20, text.length - 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

const prepared = { prepare: true, simple: false }
const unprepared = { prepare: false, simple: false }

const send = (sql: Sql, text: Preparable, cells: readonly Cell[]): Promise<readonly (readonly unknown[])[]> => {
  if (!text.prepared) return sql.unsafe(text.sql, cells as Cell[], unprepared).values()
  if (text.reads) return sql.unsafe(text.sql, cells as Cell[], prepared).values()
  // The client remembers the text of each failed `unsafe` for ever, but only one for each template. Reads hardly fail;
  // a refused write is an everyday event.
  return sql(text.template, ...text.order.map(slot => cells[slot - 1] as Cell)).values()
}

/** The transaction would succeed if tried again: serialization failure, deadlock. */
const isTransient = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Connection classes of SQLSTATE (08, 53, 57P), those of the client, and those of the network. */
const lost =
  /^(08...|53...|57P0.|CONNECTION_.*|CONNECT_TIMEOUT|ECONN.*|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/

const fail = (error: unknown): never => {
  if (!lost.test(codeOf(error))) throw error
  throw new Problem('unavailable', { detail: 'The database cannot answer now.', cause: error })
}
