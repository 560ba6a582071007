// The last exchanges, for a person who wants to see what is going on.

import type { Observe, Request } from '../http/exchange.ts'

export interface RecentExchange {
  readonly at: Date
  readonly id: string
  readonly method: string
  /** Without the query, which may hold what a caller would not want to be seen. */
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly callerPk: string | null
  readonly remoteAddress: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Recent {
  readonly observe: Observe
  /** Newest first. */
  list(): readonly RecentExchange[]
}

/** Named one by one: a header that is not listed is not kept, so credentials cannot be. */
const kept = [
  'host',
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'user-agent',
  'origin',
  'sec-fetch-site',
  'if-match',
  'if-none-match',
  'traceparent',
] as const

const keptOf = ({ headers }: Request): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const name of kept) {
    const value = headers[name]
    if (value !== undefined) found[name] = String(value)
  }
  return found
}

/** A ring: writing never moves what is there. */
export const createRecent = (size: number, clock: () => Date): Recent => {
  const ring: RecentExchange[] = []
  let next = 0
  return {
    observe: ({ request, status, ms }) => {
      const { id, method, path, remoteAddress } = request
      const callerPk = request.callerPk ?? null
      ring[next] = { at: clock(), id, method, path, status, ms, callerPk, remoteAddress, headers: keptOf(request) }
      next = (next + 1) % size
    },
    list: () => [...ring.slice(next), ...ring.slice(0, next)].reverse(),
  }
}
