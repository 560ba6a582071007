// Long work in pieces: after a few milliseconds the event loop serves others first.

import { setImmediate as nextTurn } from 'node:timers/promises'

/** Waits for the next turn of the event loop where the work has taken its time in this one. */
export type Pause = () => Promise<void> | undefined

/** The most milliseconds of a turn: a request takes a few turns. */
const longestTurn = 4

export const createPause = (): Pause => {
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
    return now - began > longestTurn ? nextTurn() : undefined
  }
}
