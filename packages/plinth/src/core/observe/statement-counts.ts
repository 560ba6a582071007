// How many statements a request takes, for the log of a developer: reading records one by one is fast on a laptop, and slow when the
// database is on another machine.

import type { Observation, Request } from '../http/exchange.ts'

interface CountedRequest {
  readonly before: number
  /** No other request ran at the same time: the statements are its own. */
  isAlone: boolean
  /** The number, once the statement is answered. */
  count?: number
}

export interface StatementCounts {
  readonly around: <T>(request: Request, run: () => Promise<T>) => Promise<T>
  /** Is undefined when requests overlap. */
  readonly countOf: (done: Observation) => number | undefined
}

/** `total`: the statements of the whole service so far, those of background work among them. */
export const createStatementCounts = (total: () => number): StatementCounts => {
  const running = new Set<CountedRequest>()
  const counted = new WeakMap<Request, CountedRequest>()
  return {
    around: async (request, run) => {
      const own: CountedRequest = { before: total(), isAlone: running.size === 0 }
      for (const other of running) other.isAlone = false
      running.add(own)
      counted.set(request, own)
      try {
        return await run()
      } finally {
        own.count = total() - own.before
        running.delete(own)
      }
    },
    countOf: ({ request }) => {
      const own = counted.get(request)
      return own?.isAlone ? (own.count ?? total() - own.before) : undefined
    },
  }
}
