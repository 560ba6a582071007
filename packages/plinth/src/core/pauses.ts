// Long work in pieces: after a few milliseconds the event loop serves others first. Of all the work that waits, one piece is done in each
// turn: many pieces of a few milliseconds would delay a request as much as a long one.

import { setImmediate as nextTurn } from 'node:timers/promises'

/** Waits for the next turn of the event loop where the work has taken its time in this one. */
export type Pause = () => Promise<void> | undefined

/** The most milliseconds of a turn: a request takes a few turns. */
const longestTurn = 4

const waiting: (() => void)[] = []

const resumeNext = (): void => {
  // It stays in the list while it runs: what it adds is no first one, which would begin a second series of turns.
  waiting[0]?.()
  waiting.shift()
  if (waiting.length > 0) setImmediate(resumeNext)
}

const enqueue = (work: () => void): void => {
  if (waiting.push(work) === 1) setImmediate(resumeNext)
}

/** Waits for a turn of the event loop in which no other work goes on that waits here. */
export const ownTurn = (): Promise<void> => new Promise(enqueue)

/** Short works in the order in which they came. They share a turn, until its time is over. */
const short: (() => void)[] = []

const runShort = (): void => {
  const began = performance.now()
  while (short.length > 0 && performance.now() - began <= longestTurn) short.shift()?.()
  if (short.length > 0) enqueue(runShort)
}

/** Does work of about a millisecond in a turn that it shares with others like it. */
export const inSharedTurn = <T>(work: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    const run = (): void => {
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    }
    if (short.push(run) === 1) enqueue(runShort)
  })

/** For work that holds up others until it ends, such as a transaction of SQLite, `isAwaited`: it waits for no other work. */
export const createPause = ({ isAwaited = false } = {}): Pause => {
  const turn = isAwaited ? () => nextTurn() : ownTurn
  /** The beginning of the first piece of the work in this turn. */
  let began: number | null = null
  return () => {
    const now = performance.now()
    if (began === null) {
      began = now
      setImmediate(() => {
        began = null
      })
    }
    return now - began > longestTurn ? turn() : undefined
  }
}
