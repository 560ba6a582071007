// The work of one transaction, on a connection that ends with it. It may wait only so long for anything but the database: others wait for
// the transaction. Its statements end before it does, so none of them runs after a rollback.

import { executionTimeout } from '../deadline.ts'
import type { Problem } from '../problem.ts'
import type { Connection, ReadHint, TransactionConnection, TransactionOptions } from './connection.ts'
import type { TransactionWait } from './driver.ts'

/** How many times as long it may wait in all, statement by statement: a large bulk calculates between its statements. */
const totalFactor = 5

/** How late timers may be without the process having been frozen, in milliseconds. */
const longestDelay = 1000

interface WorkLimits {
  /** The time limit of the database, in milliseconds. */
  readonly timeout: number
  /** Says whether other transactions have to wait for this one at the moment. */
  readonly isAwaited: () => boolean
}

const unended = (hint: ReadHint): ReadHint => ({ ...hint, isLast: false })

export class TransactionWork {
  readonly #options: TransactionOptions
  readonly #timeout: number
  readonly #isAwaited: () => boolean
  readonly #isLong: boolean
  readonly #connection: TransactionConnection
  readonly #failures: unknown[] = []
  /** Statements under way. */
  readonly #sent = new Set<Promise<unknown>>()
  /** The time spent outside the database until the last statement, in milliseconds. */
  #waitedBefore = 0
  #since = performance.now()
  #timer: NodeJS.Timeout | undefined
  #end: 'settled' | 'late' | null = null

  /** Starts the time of the work. */
  constructor(connection: Connection, options: TransactionOptions, { timeout, isAwaited }: WorkLimits) {
    this.#options = options
    this.#isAwaited = isAwaited
    this.#isLong = options.isLong === true || options.isUnlimited === true
    this.#timeout = options.timeout ?? (options.isUnlimited ? 0 : timeout)
    this.#connection = {
      rows: (sql, cells, quick, hint) =>
        this.#send(() =>
          connection
            .rows(sql, cells, quick, hint?.isLast && !this.#mayEnd ? unended(hint) : hint)
            .catch(error => this.#note(error)),
        ),
      script: sql => this.#send(() => connection.script(sql)),
      attempt: part => this.#attempt(part),
      waitedMs: () => this.#waitedBefore + this.#waitingMs,
    }
  }

  get wait(): TransactionWait {
    return { ms: this.#waitingMs, cause: this.#cause }
  }

  /** A statement that failed fails the transaction, on every database, even if the work continues; unless it was an attempt. */
  async run<T>(work: (connection: TransactionConnection) => Promise<T>): Promise<T> {
    const late = new Promise<never>((_, reject) => this.#watch(reject))
    try {
      const value = await Promise.race([work(this.#connection), late])
      await this.#settle()
      this.#mustHaveNone(0)
      return value
    } catch (error) {
      await this.#settle()
      throw error
    } finally {
      clearTimeout(this.#timer)
    }
  }

  /** Takes no statements from now on. Those that the work did not await are part of the transaction, and must not run after it. */
  async #settle(): Promise<void> {
    this.#end ??= 'settled'
    if (this.#sent.size > 0) await Promise.allSettled(this.#sent)
  }

  /** Has nothing failed, and is nothing under way that may? */
  get #mayEnd(): boolean {
    return this.#failures.length === 0 && this.#sent.size === 0
  }

  get #cause(): string {
    return this.#options.describe?.() ?? 'code of the application'
  }

  /** The milliseconds since the last statement. */
  get #waitingMs(): number {
    return this.#sent.size > 0 ? 0 : performance.now() - this.#since
  }

  /** How long it may go on waiting. */
  get #leftMs(): number {
    const waiting = this.#waitingMs
    const left = this.#timeout - waiting
    return this.#isLong ? left : Math.min(left, totalFactor * this.#timeout - this.#waitedBefore - waiting)
  }

  #watch(reject: (reason: Problem) => void): void {
    if (this.#timeout === 0) return
    const left = this.#leftMs
    if (left > 0) {
      const due = performance.now() + left
      this.#timer = setTimeout(() => {
        this.#forgive(performance.now() - due)
        this.#watch(reject)
      }, left)
    } else {
      const seconds = Math.round((this.#waitedBefore + this.#waitingMs) / 1000)
      const cause = new Error(`${this.#cause} kept its transaction waiting for ${seconds} s`)
      this.#end = 'late'
      this.#options.onLate?.(this.#isAwaited())
      reject(executionTimeout(cause))
    }
  }

  /** Adds the time to the limit in which the process was frozen and the work could not go on. */
  #forgive(delay: number): void {
    if (delay > longestDelay && this.#sent.size === 0) this.#since += delay
  }

  async #send<R>(statement: () => Promise<R>): Promise<R> {
    if (this.#end) throw this.#ended()
    this.#waitedBefore += this.#waitingMs
    const sent = statement()
    this.#sent.add(sent)
    try {
      return await sent
    } finally {
      this.#sent.delete(sent)
      if (this.#sent.size === 0) this.#since = performance.now()
    }
  }

  async #attempt<T>(part: () => Promise<T>): Promise<T> {
    const { script } = this.#connection
    const before = this.#failures.length
    await script('SAVEPOINT attempt')
    try {
      const value = await part()
      this.#mustHaveNone(before)
      await script('RELEASE SAVEPOINT attempt')
      return value
    } catch (error) {
      // Fails where the transaction itself is lost, and then so does the transaction.
      await script('ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt')
      this.#failures.length = before
      throw error
    }
  }

  #note(error: unknown): never {
    this.#failures.push(error)
    throw error
  }

  #mustHaveNone(before: number): void {
    if (this.#failures.length > before) throw this.#failures[before]
  }

  #ended(): Error {
    const why = this.#end === 'late' ? 'it was rolled back at its deadline' : 'await every call before its work is done'
    return new Error(`the transaction has ended: ${why}`)
  }
}
