// Transactions on PostgreSQL: when they are tried again, and the connections for them.

import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { errorCode, Problem } from '../../problem.ts'
import type { Cell, ReadHint, TransactionConnection, TransactionOptions } from '../connection.ts'
import type { TransactionWait } from '../driver.ts'
import { TransactionWork } from '../transaction-work.ts'
import { goOnAfterErrors, type PostgresClient } from './client.ts'
import { isLost, lostInTransaction, toProblem } from './errors.ts'
import type { PostgresSender } from './sender.ts'

const maxAttempts = 5

interface TransactionParts {
  readonly sender: PostgresSender
  readonly options: TransactionOptions
  readonly limits: ConstructorParameters<typeof TransactionWork>[2]
}

const begin = `BEGIN; ${goOnAfterErrors}`

/** Begins a transaction with the limits of the operator alone. */
const beginUnlimited = `${begin}; SET LOCAL statement_timeout TO DEFAULT; SET LOCAL idle_in_transaction_session_timeout TO DEFAULT`

/**
 * One statement at a time: what waits behind a statement that loses its connection must not be sent on another. The first one is sent
 * together with BEGIN, in the same turn of the event loop and so on the same connection, and is never run without it: outside transactions
 * an error ends the session. COMMIT is sent together with a statement that is the last one. Where both are lost with their connection, so
 * is the answer to the statement.
 */
export const transact = async <T>(
  client: PostgresClient,
  { sender, options, limits }: TransactionParts,
  work: (connection: TransactionConnection) => Promise<T>,
): Promise<T> => {
  const { isUnlimited = false } = options
  let last: Promise<unknown> = Promise.resolve()
  const send = async <R>(statement: (sql: postgres.Sql) => Promise<R>): Promise<R> => {
    if (client.lost) throw lostInTransaction()
    client.countBegin()
    try {
      return await statement(client.sql)
    } finally {
      client.ended()
    }
  }
  const inTurn = <R>(statement: (sql: postgres.Sql) => Promise<R>): Promise<R> => {
    const result = last.then(() => send(statement))
    last = result.catch(error => {
      client.lost ||= isLost(error)
    })
    return result
  }
  let [hasBegun, isOver] = [false, false]
  const inside = <R>(statement: (sql: postgres.Sql) => Promise<R>, isLast = false): Promise<R> =>
    inTurn(async sql => {
      if (isOver) throw new Error('a statement follows the last one of its transaction')
      const begun = hasBegun ? null : sender.script(sql, isUnlimited ? beginUnlimited : begin)
      hasBegun = true
      // What waits for a connection to open may be sent on another one.
      if (begun && !client.isOpen) await begun
      const result = statement(sql)
      if (!begun && !isLast) return result
      isOver = isLast
      const committed = isLast ? sender.script(sql, 'COMMIT') : null
      for (const answer of await Promise.allSettled([begun, result, committed]))
        if (answer.status === 'rejected') throw answer.reason
      return result
    })
  const control = (text: string) => inTurn(sql => sender.script(sql, text))
  client.isLimited = !isUnlimited
  try {
    const connection = {
      rows: (text: string, cells: readonly Cell[], _quick?: boolean, { isLast }: ReadHint = {}) =>
        inside(sql => sender.rows(sql, text, cells), isLast),
      script: (text: string) => inside(sql => sender.script(sql, text)),
    }
    client.work = new TransactionWork(connection, options, limits)
    const value = await client.work.run(work)
    if (hasBegun && !isOver) await control('COMMIT')
    return value
  } catch (error) {
    if (hasBegun && !isOver && !client.lost) await control('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.work = null
    client.isLimited = true
  }
}

/** Tries again after a serialization failure or a deadlock, which may not happen a second time. */
export const persistently = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (!['40001', '40P01'].includes(errorCode(error)) || attempts === maxAttempts) throw toProblem(error)
      // At random, so that those who met once do not meet again.
      await sleep(Math.random() * 10 * 2 ** attempts)
    }
  }
}

// Connections for transactions, each a client of its own. The pooled transactions of the client library send a rollback to a
// connection that is lost, which ends the process; and they run what waits in line on the next one.

interface Waiting {
  readonly resolve: (client: PostgresClient) => void
  readonly reject: (reason: Problem) => void
}

export class TransactionClients {
  readonly #max: number
  readonly #open: () => PostgresClient
  readonly #patience: number
  readonly #idle: PostgresClient[] = []
  readonly #waiting = new Set<Waiting>()
  readonly #all = new Set<PostgresClient>()
  #closed = false

  /** `patience`: how long a transaction waits for a connection, in milliseconds. */
  constructor(max: number, open: () => PostgresClient, patience: number) {
    this.#max = max
    this.#open = open
    this.#patience = patience
  }

  async use<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await this.#take()
    try {
      return await work(client)
    } finally {
      this.#giveBack(client)
    }
  }

  get isBusy(): boolean {
    return [...this.#all].some(client => client.underWay > 0)
  }

  /** What waits the least, of all transactions; null while there is a connection for another one. */
  get wait(): TransactionWait | null {
    if (this.#all.size < this.#max) return null
    const waits = [...this.#all].map(({ work }) => work?.wait ?? null)
    return waits.reduce((least, one) => least && one && (one.ms < least.ms ? one : least))
  }

  /** Gives up the connections that will not answer. */
  dropDead(): void {
    for (const client of this.#all) if (client.isDead) void client.retire(0)
  }

  /** Gives up all connections: what waits for them fails. */
  reset(): void {
    for (const client of this.#all) void client.retire(0)
  }

  async close(seconds: number): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting) reject(new Problem('unavailable', 'The database is closed.'))
    await Promise.all([...this.#all].map(client => client.retire(seconds)))
  }

  async #take(): Promise<PostgresClient> {
    if (this.#closed) throw new Problem('unavailable', 'The database is closed.')
    const idle = this.#idle.pop()
    if (idle) return idle.isFit ? idle : this.#replace(idle)
    if (this.#all.size < this.#max) return this.#create()
    return this.#wait()
  }

  #wait(): Promise<PostgresClient> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
      }
      const waiting: Waiting = {
        resolve: client => {
          settle()
          resolve(client)
        },
        reject: reason => {
          settle()
          reject(reason)
        },
      }
      const timer = setTimeout(() => waiting.reject(noConnection()), this.#patience)
      this.#waiting.add(waiting)
    })
  }

  #giveBack(client: PostgresClient): void {
    const fit = client.isFit || this.#closed ? client : this.#replace(client)
    const [next] = this.#waiting
    if (next) next.resolve(fit)
    else this.#idle.push(fit)
  }

  #replace(client: PostgresClient): PostgresClient {
    this.#all.delete(client)
    // In the background: no request waits until the old one has closed.
    void client.retire(5)
    return this.#create()
  }

  #create(): PostgresClient {
    const client = this.#open()
    this.#all.add(client)
    return client
  }
}

const noConnection = (): Problem =>
  new Problem('unavailable', {
    detail: 'No database connection became available in time.',
    headers: { 'Retry-After': '2' },
  })
