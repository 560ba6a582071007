// Code of an application that runs, and its calls of records: for messages about code that does not end and calls that nothing awaits.

import { type CallSite, placeOf, toPlace } from '../source-place.ts'
import type { Suspension, Suspensions } from './suspensions.ts'

/** Something that messages name. */
export interface DescribedCode {
  describe(): string
}

const withPlace = (name: string, place: string | null): string => (place === null ? name : `${name} (${place})`)

/** A hook, an endpoint, a job or a seed. */
export class RunningCode implements DescribedCode {
  readonly name: string
  readonly #definitions: readonly object[]
  #over: Error | null = null

  /** The first of the definitions that was made by a `define…` tells the place. */
  constructor(name: string, ...definitions: readonly object[]) {
    this.name = name
    this.#definitions = definitions
  }

  /** Describes the code as `hook after of books (modules/library/book-hooks.ts:5)`. */
  describe(): string {
    const [place = null] = this.#definitions.map(placeOf).filter(one => one !== null)
    return withPlace(this.name, place)
  }

  /** Ends the code: from now on its records take no calls. */
  end(reason: Error): void {
    this.#over = reason
  }

  mustBeRunning(): void {
    if (this.#over) throw this.#over
  }
}

export interface RecordCallParts {
  /** A method of `Records`. */
  readonly operation: string
  /** The name of the resource; null for those of none, such as `transaction`. */
  readonly resource: string | null
  readonly site: CallSite
  /** The code that makes the call, if it is known. */
  readonly code: RunningCode | null
}

/** A call of a method of `Records`. */
export class RecordCall implements DescribedCode {
  readonly operation: string
  readonly resource: string | null
  readonly code: RunningCode | null
  readonly #site: CallSite
  /** What the caller got. */
  result: Promise<unknown> = Promise.resolve()

  constructor({ operation, resource, site, code }: RecordCallParts) {
    this.operation = operation
    this.resource = resource
    this.code = code
    this.#site = site
  }

  /** The file and the line. */
  get place(): string | null {
    return toPlace(this.#site)
  }

  get isWrite(): boolean {
    return !reads.has(this.operation)
  }

  /** Describes the call as `records.create(books) in the endpoint POST /api/books (modules/library/add-book.ts:12)`. */
  describe(): string {
    const place = this.code ? ` in the ${this.code.name}` : ''
    return withPlace(`records.${this.operation}(${this.resource ?? ''})${place}`, this.place)
  }
}

const reads: ReadonlySet<string> = new Set(['get', 'first', 'find', 'count', 'lock'])

/** A call that was still under way when the work of its transaction was done. */
export interface StrayCall {
  readonly call: RecordCall
  /** What it failed with; undefined when it succeeded. */
  readonly error: unknown
}

/** Reports mistakes in code of applications. */
export interface MistakeListener {
  reportStray(stray: StrayCall): void
  reportSuspension(suspension: Suspension): void
  /** Code has kept its transaction open for a while, without using the database. */
  reportWait(code: DescribedCode, waitedMs: number): void
}

interface ActivityParts {
  readonly mistakes?: MistakeListener | undefined
  readonly suspensions?: Suspensions
  /** How long the transaction has waited for anything but the database so far, in milliseconds. */
  readonly waitedMs?: () => number
}

/** Others may have to wait for as long; a request to another service takes more than that when it is slow. In milliseconds. */
const noticeableMs = 300

/** What goes on in one transaction. */
export class Activity {
  /** The code that runs, with the time when it began. */
  readonly #running = new Map<DescribedCode, number>()
  readonly #calls = new Set<RecordCall>()
  readonly #mistakes: MistakeListener | null
  readonly #suspensions: Suspensions | null
  readonly #waitedMs: () => number
  #code: RunningCode | null = null
  #isLate = false

  constructor({ mistakes, suspensions, waitedMs = () => 0 }: ActivityParts = {}) {
    this.#mistakes = mistakes ?? null
    this.#suspensions = suspensions ?? null
    this.#waitedMs = waitedMs
  }

  /** Runs the code as a part of the transaction, unless it is suspended. */
  async during<T>(code: DescribedCode, work: () => Promise<T> | T): Promise<T> {
    if (code instanceof RunningCode) this.#suspensions?.enter(code.name)
    this.#running.set(code, performance.now())
    if (code instanceof RunningCode) this.#code = code
    const waitedBefore = code instanceof RunningCode ? this.#waitedMs() : 0
    try {
      return await work()
    } finally {
      this.#running.delete(code)
      if (code instanceof RunningCode && !this.#isLate) this.#leave(code, this.#waitedMs() - waitedBefore)
      this.#code = [...this.#running.keys()].findLast(one => one instanceof RunningCode) ?? null
    }
  }

  #leave(code: RunningCode, waitedMs: number): void {
    this.#suspensions?.leave(code.name)
    if (waitedMs >= noticeableMs) this.#mistakes?.reportWait(code, waitedMs)
  }

  /** The transaction has met its deadline, while other transactions waited for it or not. */
  noteLate(isAwaited: boolean): void {
    this.#isLate = true
    const began = this.#code && this.#running.get(this.#code)
    if (isAwaited && this.#code && began) this.#suspensions?.suspend(this.#code, performance.now() - began)
  }

  /** Are there no calls under way? */
  get isQuiet(): boolean {
    return this.#calls.size === 0
  }

  add(call: RecordCall): void {
    this.#calls.add(call)
  }

  remove(call: RecordCall): void {
    this.#calls.delete(call)
  }

  /** The code that began last: hooks run within one another. */
  get code(): RunningCode | null {
    return this.#code
  }

  describe(): string {
    const [last] = [...this.#running.keys(), ...(this.#running.size === 0 ? this.#calls : [])].slice(-1)
    return last?.describe() ?? 'code of the application'
  }

  /**
   * Waits for calls that nothing awaits, one after the other: what they write is part of the transaction, as a whole. A write that fails
   * fails the transaction.
   */
  async settle(): Promise<void> {
    for (;;) {
      const [call] = this.#calls
      if (!call) return
      const error = await call.result.then(
        () => undefined,
        (reason: unknown) => reason ?? new Error('rejected without a reason'),
      )
      this.#mistakes?.reportStray({ call, error })
      if (error !== undefined && call.isWrite) throw error
    }
  }
}
