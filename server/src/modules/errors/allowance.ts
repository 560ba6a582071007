// So many in a minute, for each of many.

import { LRUCache } from 'lru-cache'

const minute = 60_000
/** How many are remembered; who would make it forget needs as many names. */
const maxKeys = 100_000

export interface Allowance {
  /** The milliseconds until the key has so many left; 0 when it has. */
  wait(key: string, count: number): number
  /** Takes them as well, when it has. */
  take(key: string, count: number): number
}

interface Spent {
  readonly since: number
  count: number
}

export const createAllowance = (perMinute: number, clock: () => Date): Allowance => {
  // Made with its first key: room for this many takes time to set up, and most services never need it.
  let spent: LRUCache<string, Spent> | undefined
  const currentOf = (key: string, now: number) => {
    const known = spent?.get(key)
    return known && now - known.since < minute ? known : { since: now, count: 0 }
  }
  const wait: Allowance['wait'] = (key, count) => {
    const now = clock().getTime()
    const current = currentOf(key, now)
    return current.count + count > perMinute ? current.since + minute - now : 0
  }
  return {
    wait,
    take: (key, count) => {
      const ms = wait(key, count)
      if (ms > 0) return ms
      const current = currentOf(key, clock().getTime())
      current.count += count
      spent ??= new LRUCache({ max: maxKeys })
      spent.set(key, current)
      return 0
    },
  }
}
