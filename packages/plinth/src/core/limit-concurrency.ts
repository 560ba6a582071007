// Limits how much costly work runs at the same time; the rest waits in a queue.

import { Problem } from './problem.ts'

export interface ConcurrencyOptions {
  readonly atOnce: number
  /** How many may wait; more are refused. */
  readonly waiting: number
}

/** `mayWait`: false is refused as soon as all places are taken. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>, mayWait?: boolean) => Promise<T>

export const limitConcurrency = ({ atOnce, waiting }: ConcurrencyOptions): ConcurrencyLimit => {
  const queue: (() => void)[] = []
  let running = 0
  const enter = (mayWait: boolean): Promise<void> | void => {
    if (running < atOnce) {
      running += 1
      return
    }
    if (!mayWait || queue.length >= waiting)
      throw new Problem('unavailable', {
        detail: 'Too many requests are waiting; try again later.',
        headers: { 'Retry-After': '2' },
      })
    return new Promise(resolve => queue.push(resolve))
  }
  // Finished work hands its place over, so `running` stays the same.
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

/** A limit for each key; keys without work are forgotten. */
export const limitConcurrencyByKey = (options: ConcurrencyOptions) => {
  const known = new Map<string, { readonly limit: ConcurrencyLimit; users: number }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const entry = known.get(key) ?? { limit: limitConcurrency(options), users: 0 }
    known.set(key, entry)
    entry.users += 1
    try {
      return await entry.limit(work)
    } finally {
      entry.users -= 1
      if (entry.users === 0) known.delete(key)
    }
  }
}
