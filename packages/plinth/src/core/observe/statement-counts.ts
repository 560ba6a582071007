// How many statements a request takes, for the log of a developer: reading records one by one is fast on a laptop, and slow when the
// database is on another machine.

import { backgroundActivity } from '../guarded.ts'
import type { Observation, Request } from '../http/exchange.ts'

interface CountedRequest {
  readonly before: number
  /** How often work in the background had begun before it. */
  readonly begunBefore: number
  /** Nothing else ran when it began, and no other request since: the statements are its own. */
  isAlone: boolean
  /** Is set once the request is answered. */
  result?: { readonly count: number | undefined }
}

export interface StatementCounts {
  readonly around: <T>(request: Request, run: () => Promise<T>) => Promise<T>
  /** Is undefined when another request or work in the background ran at the same time. */
  readonly countOf: (done: Observation) => number | undefined
}

/** `total`: the statements of the whole service so far, those of background work among them. */
export const createStatementCounts = (total: () => number): StatementCounts => {
  const running = new Set<CountedRequest>()
  const counted = new WeakMap<Request, CountedRequest>()
  const countNow = ({ before, begunBefore, isAlone }: CountedRequest): number | undefined =>
    isAlone && backgroundActivity.starts === begunBefore ? total() - before : undefined
  return {
    around: async (request, run) => {
      const own: CountedRequest = {
        before: total(),
        begunBefore: backgroundActivity.starts,
        isAlone: running.size === 0 && backgroundActivity.running === 0,
      }
      for (const other of running) other.isAlone = false
      running.add(own)
      counted.set(request, own)
      try {
        return await run()
      } finally {
        own.result = { count: countNow(own) }
        running.delete(own)
      }
    },
    countOf: ({ request }) => {
      const own = counted.get(request)
      if (!own) return undefined
      return own.result ? own.result.count : countNow(own)
    },
  }
}
