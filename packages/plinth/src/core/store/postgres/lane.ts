// Several connections to PostgreSQL. What is asked for in one turn of the event loop is sent in one piece, which costs less than to
// spread it.

import { Problem } from '../../problem.ts'
import type { PostgresClient } from './client.ts'
import { isLost, isReadOnly } from './errors.ts'

export class PostgresLane {
  readonly #open: () => PostgresClient
  readonly #clients: (PostgresClient | null)[]
  #closed = false

  constructor(size: number, open: () => PostgresClient) {
    this.#open = open
    this.#clients = Array.from({ length: size }, () => null)
  }

  async use<T>(statement: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = this.#leastBusy()
    client.countBegin()
    try {
      return await statement(client)
    } catch (error) {
      // A lost client ends at once, with all that waits for it: with time to part it may connect again. A read-only one is
      // sound, and finishes what others read on it.
      if (isLost(error)) void client.retire(isReadOnly(error) ? 5 : 0)
      throw error
    } finally {
      client.ended()
    }
  }

  get isBusy(): boolean {
    return this.#opened().some(client => client.underWay > 0)
  }

  /** Gives up the connections that will not answer. */
  dropDead(): void {
    for (const client of this.#opened()) if (client.isDead) void client.retire(0)
  }

  /** Gives up all connections, so that what they wait for fails. */
  reset(): void {
    for (const client of this.#opened()) void client.retire(0)
  }

  async close(seconds: number): Promise<void> {
    this.#closed = true
    await Promise.all(this.#opened().map(client => client.retire(seconds)))
  }

  #opened(): PostgresClient[] {
    return this.#clients.filter(client => client !== null)
  }

  #leastBusy(): PostgresClient {
    if (this.#closed) throw new Problem('unavailable', 'The database is closed.')
    let least = 0
    for (let at = 1; at < this.#clients.length; at++) if (this.#loadOf(at) < this.#loadOf(least)) least = at
    const client = this.#clients[least]
    if (client?.isFit) return client
    if (client && !client.lost) void client.retire()
    const opened = this.#open()
    this.#clients[least] = opened
    return opened
  }

  #loadOf(at: number): number {
    const client = this.#clients[at]
    return client && !client.lost ? client.underWay : 0
  }
}
