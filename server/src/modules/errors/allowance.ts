// So many in a minute, for each of many.

import { LRUCache } from 'lru-cache'

const minute = 60_000
/** How many are remembered; who would make it forget needs as many names. */
const maxKeys = 100_000

/** Takes from the key's allowance: 0 when there was enough, else the milliseconds until there is some again. */
export type Allowance = (key: string, count: number) => number

export const createAllowance = (perMinute: number, clock: () => Date): Allowance => {
  const spent = new LRUCache<string, { readonly since: number; count: number }>({ max: maxKeys })
  return (key, count) => {
    const now = clock().getTime()
    const known = spent.get(key)
    const current = known && now - known.since < minute ? known : { since: now, count: 0 }
    if (current.count + count > perMinute) return current.since + minute - now
    current.count += count
    spent.set(key, current)
    return 0
  }
}
