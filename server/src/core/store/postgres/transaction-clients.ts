// Connections for transactions on PostgreSQL, each a client of its own. The client's own pooled transactions send a
// rollback to a connection that is lost, which ends the process; and they run what waits in line on the next one.

import { Problem } from '../../problem.ts'
import type { PostgresClient } from './client.ts'

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
    // In its own time: nobody waits for the old one to part.
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
    detail: 'No connection to the database became free in time.',
    headers: { 'Retry-After': '2' },
  })
