// The live end of the event log: reads new changes in order and publishes them to listeners. One for each instance.

import { setTimeout as sleep } from 'node:timers/promises'
import { every } from '../guarded.ts'
import type { ChangeEvent, EventLog, EventRetention } from '../model/event.ts'

/** Gets every change once and in order. The next batch waits until it is done. */
export type ChangeListener = (events: readonly ChangeEvent[]) => Promise<void> | void

export interface FeedOptions {
  readonly retention: EventRetention
  readonly log: { error(fields: object, message: string): void }
}

const batchSize = 500
/** Changes that come faster are published together, which saves most of the work under load. */
const restMs = 25
/**
 * The interval at which changes without a signal are looked for: an instance died between a commit and its signal, or a
 * connection was lost.
 */
const pollMs = 1000
const pruneMs = 60_000

export class ChangeFeed implements Pick<EventLog, 'read' | 'window' | 'arrange'> {
  readonly read: EventLog['read']
  readonly window: EventLog['window']
  readonly arrange: EventLog['arrange']
  readonly #events: EventLog
  readonly #options: FeedOptions
  readonly #listeners = new Set<ChangeListener>()
  readonly #ending = new AbortController()
  /** The sequence of the last change that was published. */
  #position = 0
  #isAwake = false
  /** The last work: one after the other. */
  #running: Promise<void> = Promise.resolve()
  #stops: (() => Promise<void>)[] = []

  constructor(events: EventLog, options: FeedOptions) {
    this.#events = events
    this.#options = options
    this.read = events.read
    this.window = events.window
    this.arrange = events.arrange
  }

  async start(): Promise<void> {
    const { log } = this.#options
    const stopWatching = await this.#events.watch(this.#wake)
    this.#stops = [
      every(pollMs, { name: 'the poll for changes', log }, this.#wake),
      every(pruneMs, { name: 'the pruning of old changes', log }, () => this.#prune()),
      stopWatching,
    ]
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    for (const stop of this.#stops) await stop()
    await this.#running
  }

  /** Subscribes from now on. Returns the sequence that it begins after, and the function that ends it. */
  async subscribe(listener: ChangeListener): Promise<{ readonly position: number; stop(): void }> {
    let position = 0
    await this.#inQueue(async () => {
      await this.#events.arrange()
      // Without listeners nothing was read.
      if (this.#listeners.size === 0) this.#position = (await this.#events.window()).latest
      position = this.#position
      this.#listeners.add(listener)
    })
    if (!this.#listeners.has(listener)) throw new Error('the log of changes cannot be read now')
    return { position, stop: () => void this.#listeners.delete(listener) }
  }

  readonly #wake = (): void => {
    if (this.#isAwake || this.#ending.signal.aborted) return
    this.#isAwake = true
    void this.#inQueue(async () => {
      this.#isAwake = false
      await this.#publish()
      await sleep(restMs, undefined, { signal: this.#ending.signal }).catch(() => {})
    })
  }

  async #publish(): Promise<void> {
    await this.#events.arrange()
    while (this.#listeners.size > 0) {
      const batch = await this.#events.read({ after: this.#position, upTo: Number.MAX_SAFE_INTEGER, limit: batchSize })
      const last = batch.at(-1)
      if (!last) return
      this.#position = last.sequence
      for (const listener of this.#listeners) await this.#notify(listener, batch)
      if (batch.length < batchSize) return
    }
  }

  async #notify(listener: ChangeListener, batch: readonly ChangeEvent[]): Promise<void> {
    await Promise.resolve(listener(batch)).catch(error => this.#options.log.error({ err: error }, 'a listener failed'))
  }

  #inQueue(work: () => Promise<void>): Promise<void> {
    this.#running = this.#running.then(work).catch(error => {
      // Nothing is lost: the position has not moved, and the next poll tries again.
      if (!this.#ending.signal.aborted) this.#options.log.error({ err: error }, 'changes could not be read')
    })
    return this.#running
  }

  async #prune(): Promise<void> {
    while (!this.#ending.signal.aborted && (await this.#events.prune(this.#options.retention)) > 0) await sleep(restMs)
  }
}
