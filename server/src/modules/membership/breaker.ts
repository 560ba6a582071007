// A circuit breaker: after several failures in a row, callers are told so at once instead of waiting for another one.

export interface Breaker {
  /** How long until a call may be tried, in milliseconds; 0 when now. A try after failures lets one call through. */
  wait(): number
  succeeded(): void
  failed(): void
}

const tolerated = 4
const shortest = 500
const longest = 4_000

export const createBreaker = (now: () => number = () => performance.now()): Breaker => {
  let failures = 0
  let closedAgain = 0
  return {
    wait: () => {
      if (failures <= tolerated) return 0
      const left = closedAgain - now()
      if (left > 0) return left
      // Those who come while the one is on its way wait for what it finds.
      closedAgain = now() + shortest
      return 0
    },
    succeeded: () => {
      failures = 0
    },
    failed: () => {
      failures++
      closedAgain = now() + Math.min(longest, shortest * 2 ** Math.max(0, failures - tolerated - 1))
    },
  }
}
