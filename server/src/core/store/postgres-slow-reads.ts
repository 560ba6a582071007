// Slow reads on PostgreSQL: connections of their own, one statement at a time on each, which is cancelled when its caller
// leaves or the service stops. The server ends it at the deadline.

import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Requester } from '../model/caller.ts'
import type { Problem } from '../problem.ts'
import { callerLeft, FairQueue, queryTimeout, slowReadLimits, stopping } from './fair-queue.ts'
import type { PostgresClient } from './postgres-client.ts'
import { isCancelled } from './postgres-errors.ts'
import type { PostgresLane } from './postgres-lane.ts'

export interface SlowReadParts {
  readonly lane: PostgresLane
  /** Connections of the lane. */
  readonly places: number
  /** The deadline that the connections of the lane have, in milliseconds. */
  readonly timeout: number
  /** Asks the server to cancel what this process of it does. */
  readonly cancel: (pid: number) => Promise<unknown>
}

/** A statement that was not under way when it was cancelled is cancelled again. */
const cancelAgainMs = 250

export class PostgresSlowReads {
  readonly #parts: SlowReadParts
  readonly #queue: FairQueue
  readonly #running = new Set<Running>()
  #ending: NodeJS.Timeout | null = null

  constructor(parts: SlowReadParts) {
    this.#parts = parts
    this.#queue = new FairQueue(slowReadLimits(parts.places, parts.timeout))
  }

  run<T>(requester: Requester | undefined, statement: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    return this.#queue.run(requester, () =>
      this.#parts.lane.use(client => this.#read(client, statement, requester?.signal())),
    )
  }

  /** Lets reads that run finish if they do so soon, and refuses all others. */
  drain(graceMs: number): void {
    this.#queue.close()
    this.#ending ??= setTimeout(() => void this.close(), graceMs).unref()
  }

  /** Settles when no statement runs any more. */
  async close(): Promise<void> {
    this.#queue.close()
    if (this.#ending) clearTimeout(this.#ending)
    await Promise.all([...this.#running].map(one => one.end(stopping())))
  }

  async #read<T>(
    client: PostgresClient,
    statement: (sql: postgres.Sql) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    if (signal?.aborted) throw callerLeft()
    const { timeout, cancel } = this.#parts
    const running = new Running(client, cancel)
    const leave = () => void running.end(callerLeft())
    signal?.addEventListener('abort', leave)
    this.#running.add(running)
    const began = performance.now()
    try {
      return await statement(client.sql)
    } catch (error) {
      if (running.reason) throw running.reason
      const wasLate = performance.now() - began > 0.9 * timeout
      throw isCancelled(error) && wasLate ? queryTimeout(timeout) : error
    } finally {
      signal?.removeEventListener('abort', leave)
      this.#running.delete(running)
      await running.over()
    }
  }
}

/** A statement that runs, and can be ended. */
class Running {
  readonly #client: PostgresClient
  readonly #cancel: SlowReadParts['cancel']
  #isOver = false
  #cancelling: Promise<void> | null = null
  /** Why it was ended. */
  reason: Problem | null = null

  constructor(client: PostgresClient, cancel: SlowReadParts['cancel']) {
    this.#client = client
    this.#cancel = cancel
  }

  end(reason: Problem): Promise<void> {
    this.reason ??= reason
    this.#cancelling ??= this.#cancelUntilOver()
    return this.#cancelling
  }

  /** The connection is free for the next statement once nothing may cancel it any more. */
  async over(): Promise<void> {
    this.#isOver = true
    await this.#cancelling
  }

  async #cancelUntilOver(): Promise<void> {
    const pid = await this.#client.pid
    while (!this.#isOver && pid !== null && !this.#client.lost) {
      await this.#cancel(pid).catch(() => {})
      if (!this.#isOver) await sleep(cancelAgainMs)
    }
  }
}
