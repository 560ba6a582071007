// One writer, many waiting: units of work take turns inside one transaction and are answered after its commit, so that
// the cost of reaching the disk is shared by all who wait at the same time.

import type { Connection } from './driver.ts'

export interface Writer {
  readonly connection: Connection
  /** Transaction control, outside of what is counted. */
  control(sql: string): void
  /** False when the database has given up the transaction by itself, as it does when the disk is full. */
  inTransaction(): boolean
}

interface Unit {
  readonly work: (connection: Connection) => Promise<unknown>
  /** Outside of any transaction, for settings that cannot change within one. */
  readonly alone: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** Nobody waits for more than this many others. */
const maxBatch = 100

export class GroupCommit {
  readonly #writer: Writer
  readonly #waiting: Unit[] = []
  #draining: Promise<void> | null = null

  constructor(writer: Writer) {
    this.#writer = writer
  }

  run<T>(work: (connection: Connection) => Promise<T>, alone = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, alone, resolve: value => resolve(value as T), reject })
      // Not at once: the requests that arrived in the same turn of the event loop join the batch.
      this.#draining ??= new Promise<void>(done => setImmediate(() => this.#drain().then(done)))
    })
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waiting[0]?.alone) await this.#runAlone()
      else await this.#runBatch()
    }
    this.#draining = null
  }

  async #runAlone(): Promise<void> {
    const unit = this.#waiting.shift()
    await unit?.work(this.#writer.connection).then(unit.resolve, unit.reject)
  }

  async #runBatch(): Promise<void> {
    const batch: Outcome[] = []
    try {
      this.#writer.control('BEGIN IMMEDIATE')
      while (batch.length < maxBatch && this.#waiting[0]?.alone === false) {
        const unit = this.#waiting.shift() as Unit
        const outcome = { unit, answer: () => {} }
        batch.push(outcome)
        outcome.answer = await this.#runUnit(unit)
      }
      this.#writer.control('COMMIT')
    } catch (error) {
      this.#abandon(batch, error)
      return
    }
    for (const { answer } of batch) answer()
  }

  /** Runs a unit in a savepoint of its own; gives what to tell its caller once the batch is on disk. */
  async #runUnit({ work, resolve, reject }: Unit): Promise<() => void> {
    this.#writer.control('SAVEPOINT unit')
    try {
      const value = await work(this.#writer.connection)
      this.#writer.control('RELEASE unit')
      return () => resolve(value)
    } catch (error) {
      if (!this.#writer.inTransaction()) throw error
      this.#writer.control('ROLLBACK TO unit')
      this.#writer.control('RELEASE unit')
      return () => reject(error)
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

interface Outcome {
  readonly unit: Unit
  answer: () => void
}
