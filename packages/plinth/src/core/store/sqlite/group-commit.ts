// One writer, many waiting: units of work take turns inside one transaction and are answered after its commit, so that
// the cost of reaching the disk is shared by all who wait at the same time.

import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../problem.ts'
import type { Connection, TransactionConnection, TransactionOptions } from '../connection.ts'
import { defaultTransactionTimeout, type TransactionWait } from '../driver.ts'
import { TransactionWork } from '../transaction-work.ts'

export interface Writer {
  readonly connection: Connection
  /** Begins a transaction; false while another process writes. */
  begin(): boolean
  /** Transaction control, outside of what is counted. */
  control(sql: string): void
  /** Returns false when the database has given up the transaction by itself, as it does when the disk is full. */
  inTransaction(): boolean
}

/**
 * `shared`: with others in one transaction. `own`: in a transaction of its own, because the others would wait for its end. `outside`:
 * in none, for settings that cannot change within one.
 */
type UnitPlace = 'shared' | 'own' | 'outside'

/** An unlimited unit waits for its turn as long as it takes. */
interface UnitOptions extends TransactionOptions {
  /** `shared` unless given. */
  readonly place?: UnitPlace
  /** What is left to do when the work is done. */
  readonly beforeCommit?: () => Promise<void>
}

type UnitWork<T> = (connection: TransactionConnection) => Promise<T>

interface Unit {
  readonly work: UnitWork<unknown>
  readonly options: UnitOptions
  readonly place: UnitPlace
  /** The time at which it is refused if its turn has not come. */
  readonly deadline: number
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** A unit waits for at most this many others. */
const maxBatch = 100
/** The longest pause between two looks whether another process still writes, in milliseconds. */
const longestPause = 2

export class GroupCommit {
  readonly #writer: Writer
  readonly #patience: number
  readonly #timeout: number
  #running: TransactionWork | null = null
  #waiting: Unit[] = []
  #draining: Promise<void> | null = null
  #refusing: NodeJS.Timeout | null = null

  /** `patience`: how long a unit waits for its turn; `timeout`: how long others wait for it. In milliseconds. */
  constructor(writer: Writer, patience: number, timeout = defaultTransactionTimeout) {
    this.#writer = writer
    this.#patience = patience
    this.#timeout = timeout
  }

  run<T>(work: UnitWork<T>, options: UnitOptions = {}): Promise<T> {
    const { place = 'shared', isUnlimited = false } = options
    const deadline = isUnlimited ? Number.POSITIVE_INFINITY : performance.now() + this.#patience
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, options, place, deadline, resolve: value => resolve(value as T), reject })
      // One timer for all: hardly a unit ever waits that long.
      if (!isUnlimited) this.#refusing ??= setTimeout(() => this.#refuseLate(), this.#patience).unref()
      // Not at once: the requests that arrived in the same turn of the event loop join the batch.
      this.#draining ??= new Promise<void>(done => setImmediate(() => this.#drain().then(done)))
    })
  }

  /** What the units that wait are waiting for. */
  get wait(): TransactionWait | null {
    return this.#running?.wait ?? null
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waiting[0]?.place === 'outside') await this.#runOutside()
      else await this.#runBatch()
    }
    this.#draining = null
  }

  #refuseLate(): void {
    const now = performance.now()
    const late = this.#waiting.filter(({ deadline }) => deadline <= now)
    this.#waiting = this.#waiting.filter(({ deadline }) => deadline > now)
    for (const { reject } of late) reject(tooLate())
    const next = this.#waiting.find(({ deadline }) => Number.isFinite(deadline))
    this.#refusing = next ? setTimeout(() => this.#refuseLate(), next.deadline - now).unref() : null
  }

  async #runOutside(): Promise<void> {
    const unit = this.#waiting.shift()
    if (!unit) return
    const work = this.#workOf(unit)
    await work.run(unit.work).then(unit.resolve, unit.reject)
  }

  /** All other writers have to wait for it. */
  #workOf({ options }: Unit): TransactionWork {
    return new TransactionWork(this.#writer.connection, options, { timeout: this.#timeout, isAwaited: () => true })
  }

  async #runBatch(): Promise<void> {
    const batch: Outcome[] = []
    try {
      if (!(await this.#begin())) return
      do {
        const unit = this.#waiting.shift() as Unit
        const outcome = { unit, answer: () => {} }
        batch.push(outcome)
        outcome.answer = await this.#runUnit(unit)
      } while (batch[0]?.unit.place === 'shared' && batch.length < maxBatch && this.#waiting[0]?.place === 'shared')
      this.#writer.control('COMMIT')
    } catch (error) {
      this.#abandon(batch, error)
      return
    }
    for (const { answer } of batch) answer()
  }

  /**
   * Begins a transaction. While another process writes, such as a command on the same file, the event loop goes on. False when all
   * who waited were refused since.
   */
  async #begin(): Promise<boolean> {
    const end = performance.now() + this.#patience
    for (let pause = 1; !this.#writer.begin(); pause = Math.min(2 * pause, longestPause)) {
      if (performance.now() > end) throw tooLate()
      await sleep(pause)
      if (this.#waiting.length === 0) return false
    }
    return true
  }

  /** Runs a unit in a savepoint of its own; returns what answers its caller once the batch is on disk. */
  async #runUnit(unit: Unit): Promise<() => void> {
    const { work, options, place, resolve, reject } = unit
    // Where it is alone, a savepoint would keep each page that it changes in memory.
    const hasSavepoint = place === 'shared'
    if (hasSavepoint) this.#writer.control('SAVEPOINT unit')
    this.#running = this.#workOf(unit)
    try {
      const value = await this.#running.run(work)
      await options.beforeCommit?.()
      if (hasSavepoint) this.#writer.control('RELEASE unit')
      return () => resolve(value)
    } catch (error) {
      if (!hasSavepoint || !this.#writer.inTransaction()) throw error
      this.#writer.control('ROLLBACK TO unit')
      this.#writer.control('RELEASE unit')
      return () => reject(error)
    } finally {
      this.#running = null
    }
  }

  /** The transaction is lost, and with it the work of all in the batch; when it never began, that of the first. */
  #abandon(batch: readonly Outcome[], error: unknown): void {
    if (this.#writer.inTransaction()) this.#writer.control('ROLLBACK')
    const first = batch.length === 0 ? this.#waiting.shift() : undefined
    first?.reject(error)
    for (const { unit } of batch) unit.reject(error)
  }
}

const tooLate = (): Problem =>
  new Problem('unavailable', {
    detail: 'The write did not finish in time.',
    headers: { 'Retry-After': '2' },
  })

interface Outcome {
  readonly unit: Unit
  answer: () => void
}
