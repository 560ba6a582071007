// A session changes in one place at a time: signing in, refreshing and signing out wait for each other.

import { runtime } from './runtime.ts'

/** The last work on each storage, where there are no tabs. */
const queues = new WeakMap<object, Promise<unknown>>()

interface SessionPlace {
  /** Tabs with the same name wait for each other. */
  readonly name: string
  /** Clients that share it wait for each other. */
  readonly storage: object
}

/** Runs the work when no other runs there. Web Locks are shared by all tabs of an origin; only browsers have origins. */
export const withSessionLock = <T>({ name, storage }: SessionPlace, work: () => Promise<T>): Promise<T> => {
  const locks = runtime.location && runtime.navigator?.locks
  if (locks) return locks.request(`plinth.refresh ${name}`, work)
  const running = (queues.get(storage) ?? Promise.resolve()).then(work, work)
  queues.set(storage, running)
  return running
}

/** The key of the time when a tab of this browser last refreshed the cookies, which no page can read. */
const stampKey = (name: string): string => `plinth.refreshed ${name}`

export const lastRefresh = (name: string): number => {
  try {
    return Number(runtime.localStorage?.getItem(stampKey(name)) ?? 0)
  } catch {
    return 0
  }
}

export const noteRefresh = (name: string): void => {
  try {
    runtime.localStorage?.setItem(stampKey(name), String(Date.now()))
  } catch {
    // A page may be denied its storage: then each tab refreshes by itself.
  }
}
