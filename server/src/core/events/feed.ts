// The live end of the log of changes: reads what is new, in order, and tells whoever listens. One for each instance.

import { setTimeout as sleep } from 'node:timers/promises'
import { every } from '../guarded.ts'
import type { ChangeEvent, EventLog, EventRetention } from '../model/event.ts'

/** Told of every change once and in order. The next ones wait until it is done. */
export type ChangeListener = (events: readonly ChangeEvent[]) => Promise<void> | void

export interface ChangeFeed extends Pick<EventLog, 'read' | 'window'> {
  /** From now on; gives the sequence that it begins after, and how to stop. */
  subscribe(listener: ChangeListener): Promise<{ readonly position: number; stop(): void }>
  start(): Promise<void>
  stop(): Promise<void>
}

export interface FeedOptions {
  readonly retention: EventRetention
  readonly log: { error(fields: object, message: string): void }
}

const batchSize = 500
/** Changes that come faster are told together: under load this saves most of the work, and nobody sees the difference. */
const restMs = 25
/** For what no signal told of: an instance that died between a commit and its signal, or a lost connection. */
const pollMs = 1000
const pruneMs = 60_000

export const createChangeFeed = (events: EventLog, { retention, log }: FeedOptions): ChangeFeed => {
  const listeners = new Set<ChangeListener>()
  const ending = new AbortController()
  let position = 0
  let isAwake = false
  let running: Promise<void> = Promise.resolve()
  let stopWatching = async () => {}
  const stops: (() => Promise<void>)[] = []

  const tell = async (): Promise<void> => {
    await events.arrange()
    while (listeners.size > 0) {
      const batch = await events.read({ after: position, upTo: Number.MAX_SAFE_INTEGER, limit: batchSize })
      const last = batch.at(-1)
      if (!last) return
      position = last.sequence
      for (const listener of listeners) {
        await Promise.resolve(listener(batch)).catch(error => log.error({ err: error }, 'a listener failed'))
      }
      if (batch.length < batchSize) return
    }
  }
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    running = running.then(work).catch(error => {
      // Nothing is lost: the position has not moved, and the next poll tries again.
      if (!ending.signal.aborted) log.error({ err: error }, 'changes could not be read')
    })
    return running
  }
  const wake = (): void => {
    if (isAwake || ending.signal.aborted) return
    isAwake = true
    void inTurn(async () => {
      isAwake = false
      await tell()
      await sleep(restMs, undefined, { signal: ending.signal }).catch(() => {})
    })
  }
  const pruneAll = async (): Promise<void> => {
    while (!ending.signal.aborted && (await events.prune(retention)) > 0) await sleep(restMs)
  }

  return {
    read: events.read,
    window: events.window,
    subscribe: async listener => {
      let begun = 0
      await inTurn(async () => {
        await events.arrange()
        // Nobody listened until now, so nothing was read.
        if (listeners.size === 0) position = (await events.window()).latest
        begun = position
        listeners.add(listener)
      })
      if (!listeners.has(listener)) throw new Error('the log of changes cannot be read now')
      return { position: begun, stop: () => void listeners.delete(listener) }
    },
    start: async () => {
      stopWatching = await events.watch(wake)
      stops.push(
        every(pollMs, { name: 'the poll for changes', log }, wake),
        every(pruneMs, { name: 'the pruning of old changes', log }, pruneAll),
      )
    },
    stop: async () => {
      ending.abort()
      await Promise.all(stops.map(stop => stop()))
      await stopWatching()
      await running
    },
  }
}
