// Slow reads on PostgreSQL: connections of their own, one statement at a time on each, which is cancelled when its caller
// leaves or the service stops. The server ends it at the deadline.

import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Requester } from '../../model/caller.ts'
import type { Problem } from '../../problem.ts'
import { queryTimeout, type SlowRead, SlowReads } from '../slow-reads.ts'
import type { PostgresClient } from './client.ts'
import { isCancelled } from './errors.ts'
import type { PostgresLane } from './lane.ts'

interface SlowReadParts {
  readonly lane: PostgresLane
  /** Connections of the lane. */
  readonly places: number
  /** The deadline that the connections of the lane have, in milliseconds. */
  readonly timeout: number
  /** Asks the server to cancel what this process of it does. */
  readonly cancel: (pid: number) => Promise<unknown>
}

type Send<T> = (sql: postgres.Sql) => Promise<T>

/** A statement that was not under way when it was cancelled is cancelled again. */
const cancelAgainMs = 250

export class PostgresSlowReads extends SlowReads {
  readonly #parts: SlowReadParts

  constructor(parts: SlowReadParts) {
    super(parts.places, parts.timeout)
    this.#parts = parts
  }

  statement<T>(requester: Requester | undefined, send: Send<T>): Promise<T> {
    return this.run(requester, () => new SlowStatement(this.#parts, send))
  }
}

class SlowStatement<T> implements SlowRead<T> {
  readonly result: Promise<T>
  readonly #parts: SlowReadParts
  #client: PostgresClient | null = null
  #isOver = false
  #cancelling: Promise<void> | null = null
  /** Why it was ended. */
  #reason: Problem | null = null

  constructor(parts: SlowReadParts, send: Send<T>) {
    this.#parts = parts
    this.result = parts.lane.use(client => this.#run(client, send))
  }

  end(reason: Problem): Promise<void> {
    this.#reason ??= reason
    this.#cancelling ??= this.#cancelUntilOver()
    return this.#cancelling
  }

  async #run(client: PostgresClient, send: Send<T>): Promise<T> {
    this.#client = client
    const { timeout } = this.#parts
    const began = performance.now()
    try {
      return await send(client.sql)
    } catch (error) {
      if (this.#reason) throw this.#reason
      const wasLate = performance.now() - began > 0.9 * timeout
      throw isCancelled(error) && wasLate ? queryTimeout(timeout) : error
    } finally {
      this.#isOver = true
      // The connection is free for the next statement once nothing may cancel it any more.
      await this.#cancelling
    }
  }

  async #cancelUntilOver(): Promise<void> {
    const client = this.#client
    const pid = (await client?.pid) ?? null
    while (!this.#isOver && pid !== null && !client?.lost) {
      await this.#parts.cancel(pid).catch(() => {})
      if (!this.#isOver) await sleep(cancelAgainMs)
    }
  }
}
