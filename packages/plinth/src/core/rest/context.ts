// The context of one caller: what an operation needs beyond its own input.

import type { Request } from '../http/exchange.ts'
import type { Caller, Requester } from '../model/caller.ts'
import type { InTransaction, RecordContext } from '../records/context.ts'
import type { Platform } from './platform.ts'
import { requesterOf } from './rate-limiter.ts'

/** One caller's doing: everything an operation needs beyond its own input. */
export interface Context extends RecordContext {
  readonly platform: Platform
  /** Is absent where no request is behind it. */
  readonly requester?: Requester | undefined
}

/**
 * What code needs to act as a caller: in commands and imports, which have no request.
 *
 * @example const records = recordsFor(contextFor(platform, caller))
 */
export const contextFor = (platform: Platform, caller: Caller, request: Request | null = null): Context => ({
  platform,
  caller,
  sender: request && {
    remoteAddress: request.remoteAddress,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id,
  },
  requester: request ? requesterOf(caller, request) : undefined,
  visibility: platform.access.visibility(caller),
  tx: null,
})

/** The context within a transaction. */
export type TransactionContext = InTransaction<Context>
