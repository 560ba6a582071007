// So many in a minute, for each of many keys. Counted in the memory of this instance.

import { LRUCache } from 'lru-cache'
import { Problem } from './problem.ts'

const minute = 60_000
/** How many keys are remembered. To make it forget one, a caller needs as many others. */
const maxKeys = 100_000

export interface Standing {
  /** Milliseconds until so many are left; 0 when they are. */
  readonly waitMs: number
  readonly left: number
  /** Milliseconds until the count starts again. */
  readonly resetMs: number
}

interface Spent {
  readonly since: number
  count: number
}

export class Quota {
  readonly perMinute: number
  readonly #clock: () => Date
  // Made with its first key: room for so many takes time to set up, and many services never need it.
  #spent: LRUCache<string, Spent> | null = null

  constructor(perMinute: number, clock: () => Date) {
    this.perMinute = perMinute
    this.#clock = clock
  }

  /** Says whether the key has so many left. */
  look(key: string, count: number): Standing {
    const now = this.#clock().getTime()
    return this.#standing(this.#current(key, now), count, now)
  }

  /** Takes them as well, when it has. */
  take(key: string, count: number): Standing {
    const now = this.#clock().getTime()
    const current = this.#current(key, now)
    const before = this.#standing(current, count, now)
    return before.waitMs > 0 ? before : this.#add(key, current, { count, now })
  }

  /** Takes them even if fewer are left, unless none is left. */
  overdraw(key: string, count: number): Standing {
    const now = this.#clock().getTime()
    const current = this.#current(key, now)
    const before = this.#standing(current, 1, now)
    return before.waitMs > 0 ? before : this.#add(key, current, { count, now })
  }

  #current(key: string, now: number): Spent {
    const known = this.#spent?.get(key)
    return known && now - known.since < minute ? known : { since: now, count: 0 }
  }

  #standing({ since, count: spent }: Spent, count: number, now: number): Standing {
    const resetMs = since + minute - now
    return {
      waitMs: spent + count > this.perMinute ? resetMs : 0,
      left: Math.max(0, this.perMinute - spent),
      resetMs,
    }
  }

  #add(key: string, current: Spent, { count, now }: { readonly count: number; readonly now: number }): Standing {
    current.count += count
    // By size, since `max` would allocate room for all keys at once.
    this.#spent ??= new LRUCache({ maxSize: maxKeys, sizeCalculation: () => 1 })
    this.#spent.set(key, current)
    return { ...this.#standing(current, 0, now), waitMs: 0 }
  }
}

// The headers that describe a limit: the fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), and
// with a refusal also the three fields of earlier drafts, which many clients know.

export interface Limited {
  /** The name of the limit. */
  readonly policy: string
  readonly limit: number
  readonly left: number
  /** The milliseconds until the count starts again. */
  readonly resetMs: number
}

export const rateLimitOf = ({ policy, left, resetMs }: Limited): string =>
  `"${policy}";r=${Math.floor(left)};t=${toSeconds(resetMs)}`

/** The header of refusals that end after a while. */
export const retryAfter = (waitMs: number) => ({ 'Retry-After': toSeconds(waitMs).toString() })

/** 429 `too_many_requests`. */
export const tooManyRequests = (limited: Limited, detail: string): Problem => {
  const seconds = String(toSeconds(limited.resetMs))
  return new Problem('too_many_requests', {
    detail: `${detail}; try again in ${seconds} seconds.`,
    headers: {
      'Retry-After': seconds,
      'RateLimit-Policy': `"${limited.policy}";q=${limited.limit}`,
      RateLimit: rateLimitOf({ ...limited, left: 0 }),
      'RateLimit-Limit': String(limited.limit),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': seconds,
    },
  })
}

const toSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
