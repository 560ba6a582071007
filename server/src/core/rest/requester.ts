// Who is behind a request, for what callers share: places for slow searches, and rate limits.

import { networkOf } from '../http/caller-address.ts'
import type { Request } from '../http/exchange.ts'
import type { Caller, Requester } from '../model/caller.ts'

/** A program with an API key is a caller of its own. Callers without credentials are distinguished by their networks. */
export const callerKey = ({ pk, apiKey }: Caller, { remoteAddress }: Request): string => {
  if (apiKey !== undefined) return `key ${apiKey}`
  return pk === null ? `address ${networkOf(remoteAddress)}` : `user ${pk}`
}

export const requesterOf = (caller: Caller, request: Request): Requester => ({
  key: () => callerKey(caller, request),
  signal: () => request.signal,
})
