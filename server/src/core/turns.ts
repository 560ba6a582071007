// Work that would crowd the machine if all of it ran at once waits for its turn.

import { Problem } from './problem.ts'

export interface TurnsOptions {
  readonly atOnce: number
  /** How many may wait; more are turned away. */
  readonly waiting: number
}

/** `mayWait`: others than those who may are turned away as soon as all places are taken. */
export type Turns = <T>(work: () => Promise<T>, mayWait?: boolean) => Promise<T>

export const createTurns = ({ atOnce, waiting }: TurnsOptions): Turns => {
  const queue: (() => void)[] = []
  let running = 0
  const enter = (mayWait: boolean): Promise<void> | void => {
    if (running < atOnce) {
      running += 1
      return
    }
    if (!mayWait || queue.length >= waiting)
      throw new Problem('unavailable', { detail: 'Too many are waiting; try again.', headers: { 'Retry-After': '2' } })
    return new Promise(resolve => queue.push(resolve))
  }
  // Whoever leaves hands the place over, so `running` stays the same.
  const leave = (): void => {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }
  return async (work, mayWait = true) => {
    await enter(mayWait)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** Turns of their own for each key; keys that nobody uses are forgotten. */
export const createTurnsByKey = (options: TurnsOptions) => {
  const known = new Map<string, { readonly turns: Turns; users: number }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const entry = known.get(key) ?? { turns: createTurns(options), users: 0 }
    known.set(key, entry)
    entry.users += 1
    try {
      return await entry.turns(work)
    } finally {
      entry.users -= 1
      if (entry.users === 0) known.delete(key)
    }
  }
}
