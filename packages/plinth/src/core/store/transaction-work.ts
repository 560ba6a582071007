// The work of one transaction, on a connection that ends with it. It may wait only so long for anything but the database: others wait for
// the transaction.

import { executionTimeout } from '../deadline.ts'
import type { Problem } from '../problem.ts'
import type { Connection, TransactionConnection, TransactionOptions, TransactionWait } from './driver.ts'

/** How late timers may be without the process having been frozen, in milliseconds. */
const longestDelay = 1000

interface WorkLimits {
  /** That of the database, in milliseconds. */
  readonly timeout: number
  /** Whether other transactions have to wait for this one at the moment. */
  readonly isAwaited: () => boolean
}

export class TransactionWork {
  readonly #options: TransactionOptions
  readonly #timeout: number
  readonly #isAwaited: () => boolean
  readonly #isLong: boolean
  readonly #connection: TransactionConnection
  readonly #failures: unknown[] = []
  #underWay = 0
  #lastStatement: Promise<unknown> = Promise.resolve()
  /** Outside the database until the last statement. */
  #waited = 0
  #since = performance.now()
  #timer: NodeJS.Timeout | undefined
  #end: 'settled' | 'late' | null = null

  /** Its time counts from now on. */
  constructor(connection: Connection, options: TransactionOptions, { timeout, isAwaited }: WorkLimits) {
    this.#options = options
    this.#isAwaited = isAwaited
    this.#isLong = options.isLong === true || options.isUnlimited === true
    this.#timeout = options.timeout ?? (options.isUnlimited ? 0 : timeout)
    this.#connection = {
      rows: (sql, cells) => this.#send(() => connection.rows(sql, cells).catch(error => this.#note(error))),
      script: sql => this.#send(() => connection.script(sql)),
      attempt: part => this.#attempt(part),
    }
  }

  get wait(): TransactionWait {
    return { ms: this.#waitedMs, cause: this.#cause }
  }

  /** A statement that failed fails the transaction, on every database, even if the work continues; unless it was an attempt. */
  async run<T>(work: (connection: TransactionConnection) => Promise<T>): Promise<T> {
    const late = new Promise<never>((_, reject) => this.#watch(reject))
    try {
      const value = await Promise.race([work(this.#connection), late])
      this.#end = 'settled'
      // Those that the work did not await are part of the transaction all the same.
      await this.#lastStatement.catch(() => {})
      this.#mustHaveNone(0)
      return value
    } finally {
      this.#end ??= 'settled'
      clearTimeout(this.#timer)
    }
  }

  get #cause(): string {
    return this.#options.describe?.() ?? 'code of the application'
  }

  get #waitedMs(): number {
    return this.#waited + (this.#underWay > 0 ? 0 : performance.now() - this.#since)
  }

  #watch(reject: (reason: Problem) => void): void {
    const timeout = this.#timeout
    if (timeout === 0) return
    const left = timeout - this.#waitedMs
    if (left > 0) {
      const due = performance.now() + left
      this.#timer = setTimeout(() => {
        this.#forgive(performance.now() - due)
        this.#watch(reject)
      }, left)
    } else {
      const cause = new Error(`${this.#cause} kept its transaction waiting for ${timeout / 1000} s`)
      this.#end = 'late'
      this.#options.onLate?.(this.#isAwaited())
      reject(executionTimeout(cause))
    }
  }

  /** While the process was frozen, the work could not go on. */
  #forgive(delay: number): void {
    if (delay > longestDelay && this.#underWay === 0) this.#since += delay
  }

  async #send<R>(statement: () => Promise<R>): Promise<R> {
    if (this.#end) throw this.#ended()
    if (this.#underWay === 0) this.#waited = this.#isLong ? 0 : this.#waitedMs
    this.#underWay += 1
    const sent = statement()
    this.#lastStatement = sent
    try {
      return await sent
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#since = performance.now()
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
