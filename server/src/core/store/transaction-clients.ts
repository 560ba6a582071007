// Connections for transactions on PostgreSQL, each a client of its own. The client's own pooled transactions send a
// rollback to a connection that is lost, which ends the process; and they run what waits in line on the next one.

import type postgres from 'postgres'
import { Problem } from '../problem.ts'

export interface TransactionClient {
  readonly sql: postgres.Sql
  readonly born: number
  /** Nothing may be sent any more: what comes next would run outside of the transaction, on a new connection. */
  lost: boolean
}

/** A client is replaced after this time, so that its server process and its prepared statements are renewed. */
const lifetime = 30 * 60 * 1000

export class TransactionClients {
  readonly #max: number
  readonly #connect: (options: { onclose: () => void }) => postgres.Sql
  readonly #idle: TransactionClient[] = []
  readonly #waiting: { resolve: (client: TransactionClient) => void; reject: (reason: unknown) => void }[] = []
  readonly #all = new Set<TransactionClient>()
  #closed = false

  constructor(max: number, connect: (options: { onclose: () => void }) => postgres.Sql) {
    this.#max = max
    this.#connect = connect
  }

  async use<T>(work: (client: TransactionClient) => Promise<T>): Promise<T> {
    const client = await this.#take()
    try {
      return await work(client)
    } finally {
      this.#giveBack(client)
    }
  }

  /** Gives up all connections: what waits for them fails. */
  reset(): void {
    for (const client of this.#all) {
      client.lost = true
      client.sql.end({ timeout: 0 }).catch(() => {})
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting.splice(0)) reject(closed())
    await Promise.all([...this.#all].map(client => client.sql.end({ timeout: 5 })))
  }

  async #take(): Promise<TransactionClient> {
    if (this.#closed) throw closed()
    const idle = this.#idle.pop()
    if (idle) return this.#isFit(idle) ? idle : this.#replace(idle)
    if (this.#all.size < this.#max) return this.#create()
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  #giveBack(client: TransactionClient): void {
    const fit = this.#isFit(client) ? client : this.#replace(client)
    const next = this.#waiting.shift()
    if (next) next.resolve(fit)
    else this.#idle.push(fit)
  }

  #isFit(client: TransactionClient): boolean {
    return !client.lost && Date.now() - client.born < lifetime
  }

  #replace(client: TransactionClient): TransactionClient {
    this.#all.delete(client)
    // In its own time: nobody waits for the old one to part.
    client.sql.end({ timeout: 5 }).catch(() => {})
    return this.#create()
  }

  #create(): TransactionClient {
    const onclose = () => {
      client.lost = true
    }
    const client: TransactionClient = { sql: this.#connect({ onclose }), born: Date.now(), lost: false }
    this.#all.add(client)
    return client
  }
}

const closed = (): Problem => new Problem('unavailable', 'The database is closed.')
