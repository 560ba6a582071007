// How the PostgreSQL client is set up, how a statement is sent by it, and which statements the server keeps prepared.

import { LRUCache } from 'lru-cache'
import postgres from 'postgres'
import type { Cell, ResultRows } from '../connection.ts'

type Types = Record<string, postgres.PostgresType>

export type PostgresOptions = postgres.Options<Types>

const asIs = (text: string): string => text

const options: PostgresOptions = {
  max: 1,
  // Clients are replaced as a whole: a connection that the client makes again would have none of the limits.
  max_lifetime: null,
  connect_timeout: 10,
  backoff: (attempts: number) => Math.min(attempts * 0.1, 1),
  // Lists are sent as text, so there are no array types to ask for.
  fetch_types: false,
  onnotice: () => {},
  types: {
    bigint: { to: 20, from: [20], serialize: String, parse: Number },
    instant: { to: 1184, from: [1184], serialize: asIs, parse: toInstant },
    date: { to: 1082, from: [1082], serialize: asIs, parse: asIs },
    json: { to: 3802, from: [114, 3802], serialize: asIs, parse: JSON.parse },
  },
}

/** Connections that the server knows by this name. */
export const createConnect =
  (url: string, name: string) =>
  (more: PostgresOptions = {}): postgres.Sql =>
    postgres(url, { ...options, connection: { TimeZone: 'UTC', DateStyle: 'ISO', application_name: name }, ...more })

/** `2024-02-03 04:05:06.78+00` → `2024-02-03T04:05:06.780Z`; the session's zone is UTC. */
export function toInstant(text: string): string {
  const fraction = text.slice(20, text.length - 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

const prepared = { prepare: true, simple: false }
const unprepared = { prepare: false, simple: false }

/**
 * When a statement fails after its first rows, the client counts those rows to the next statement of the connection: its rows
 * come behind as many holes.
 */
export const withoutHoles = (rows: ResultRows): ResultRows =>
  rows.length === 0 || 0 in rows ? rows : rows.filter(() => true)

export const send = async (sql: postgres.Sql, text: Preparable, cells: readonly Cell[]): Promise<ResultRows> =>
  withoutHoles(await sendRaw(sql, text, cells))

const sendRaw = (sql: postgres.Sql, text: Preparable, cells: readonly Cell[]): Promise<ResultRows> => {
  if (!text.prepared) return sql.unsafe(text.sql, cells as Cell[], unprepared).values()
  if (text.reads) return sql.unsafe(text.sql, cells as Cell[], prepared).values()
  // The client remembers the text of each failed `unsafe` for ever, but only one for each template. Reads hardly fail;
  // a refused write is an everyday event.
  return sql(text.template, ...text.order.map(slot => cells[slot - 1] as Cell)).values()
}

// Prepared statements. A server keeps each one on each connection for as long as the connection lives, and callers can make up
// new shapes of queries without end: so only what comes again is prepared, and only so much in a given time.

export interface Preparable {
  readonly sql: string
  readonly prepared: boolean
  /** Says that the statement changes nothing. */
  readonly reads: boolean
  /** The text between the placeholders, and the slots of the placeholders in the order of the text. */
  readonly template: TemplateStringsArray
  readonly order: readonly number[]
}

/** Connections live for half an hour: a server never holds more than twice this many on one of them. */
const budget = 1000
const period = 30 * 60 * 1000

export class PreparedTexts {
  readonly #seen = new LRUCache<string, { -readonly [K in keyof Preparable]: Preparable[K] }>({ max: 2 * budget })
  #spent = 0
  #since = Date.now()

  of(sql: string): Preparable {
    const known = this.#seen.get(sql)
    if (!known) {
      const first = { sql, prepared: false, reads: /^(SELECT|EXPLAIN)\b/.test(sql), ...toTemplate(sql) }
      this.#seen.set(sql, first)
      return first
    }
    known.prepared ||= this.#spend()
    return known
  }

  #spend(): boolean {
    if (this.#spent >= budget) {
      if (Date.now() - this.#since < period) return false
      this.#spent = 0
      this.#since = Date.now()
    }
    this.#spent += 1
    return true
  }
}

const toTemplate = (sql: string): Pick<Preparable, 'template' | 'order'> => {
  const pieces = sql.split(/\$\d+/)
  return {
    template: Object.assign(pieces, { raw: pieces }),
    order: [...sql.matchAll(/\$(\d+)/g)].map(match => Number(match[1])),
  }
}
