// All connections to PostgreSQL but those that listen: some for each kind of statement, so that no kind waits for another.

import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { type DatabaseLimits, defaultTransactionTimeout } from '../driver.ts'
import { slowReadPlaces } from '../slow-reads.ts'
import { PostgresClient, type SessionLimits } from './client.ts'
import { PostgresLane } from './lane.ts'
import { fastReadMs, PostgresReads } from './reads.ts'
import { PostgresSender } from './sender.ts'
import { PostgresSlowReads } from './slow-reads.ts'
import { TransactionClients } from './transactions.ts'
import type { PostgresOptions } from './wire.ts'

/** How long single writes wait for locks of others, in milliseconds: others wait behind them. After that they take a transaction. */
const lockMs = 50

/** How long statements may take to end when the connections are closed. */
const closingMs = 500

export class PostgresConnections {
  readonly sender: PostgresSender
  /** Reads by key, with which nearly every request begins. */
  readonly quick: PostgresLane
  readonly writes: PostgresLane
  readonly transactions: TransactionClients
  readonly reads: PostgresReads
  readonly slowReads: PostgresSlowReads
  readonly #all: readonly (PostgresLane | TransactionClients)[]

  constructor(connect: (options: PostgresOptions) => postgres.Sql, limits: DatabaseLimits) {
    const {
      poolSize = 12,
      queryTimeout = 5000,
      writeTimeout = 30_000,
      transactionTimeout: idle = defaultTransactionTimeout,
    } = limits
    const sizes = sizesFor(poolSize)
    const open =
      (statement: number, more: Partial<SessionLimits> = {}) =>
      () =>
        new PostgresClient(connect, { statement, idle, ...more })
    const openForTransactions = () => new PostgresClient(connect, { statement: writeTimeout, idle, endsAtErrors: true })
    const [fast, slow] = [
      new PostgresLane(sizes.fast, open(fastReadMs)),
      new PostgresLane(sizes.slow, open(queryTimeout)),
    ]
    this.quick = new PostgresLane(1, open(queryTimeout, { hasOnePlan: true }))
    this.writes = new PostgresLane(sizes.writes, open(writeTimeout, { hasOnePlan: true, lock: lockMs }))
    this.transactions = new TransactionClients(sizes.transactions, openForTransactions, writeTimeout)
    this.#all = [this.quick, fast, slow, this.writes, this.transactions]
    this.sender = new PostgresSender({
      probe: () => askForLife(connect({ connect_timeout: 5 })),
      reset: () => {
        for (const one of this.#all) one.reset()
      },
      dropDead: () => {
        for (const one of this.#all) one.dropDead()
      },
    })
    this.slowReads = new PostgresSlowReads({
      lane: slow,
      places: sizes.slow,
      timeout: queryTimeout,
      cancel: pid => this.quick.use(({ sql }) => sql`SELECT pg_cancel_backend(${pid})`),
    })
    const send = this.sender.rows.bind(this.sender)
    this.reads = new PostgresReads({ fast, slow: this.slowReads, send })
  }

  /** Ends what still runs. True when the server may go on with some of it. */
  async close(): Promise<boolean> {
    this.sender.stop()
    await Promise.race([this.slowReads.close(), sleep(closingMs, undefined, { ref: false })])
    const mayGoOn = this.#all.some(one => one.isBusy)
    await Promise.all(this.#all.map(one => one.close(closingMs / 1000)))
    return mayGoOn
  }
}

/** Five at least: one for each kind of statement. */
const sizesFor = (poolSize: number) => {
  const slow = slowReadPlaces(poolSize)
  const fast = slow
  // Beside the one for reads by key.
  const forWriting = Math.max(2, poolSize - 1 - fast - slow)
  // Single writes share statements; each transaction keeps a connection to itself while it waits for answers.
  const writes = Math.min(2, Math.floor(forWriting / 2))
  return { fast, slow, writes, transactions: forWriting - writes }
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
