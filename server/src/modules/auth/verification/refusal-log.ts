// Refusals go to the audit, but nobody can fill the database with them: of each kind, so many a minute of one user, or of
// all strangers in one network. The last one of a minute says that it is the last.

import { LRUCache } from 'lru-cache'
import type { Request } from '../../../core/http/exchange.ts'
import { networkOf } from '../../../core/http/network.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import { type AuthAuditType, authAudit } from '../audit.ts'
import type { Lapsed } from './still-valid.ts'

export interface Refused {
  readonly type: AuthAuditType
  readonly principal: string | null
  readonly request: Request
  readonly reason: string
}

export type NoteRefusal = (refused: Refused) => Promise<void>

const perMinute = 20

export const createRefusalLog = ({ store, clock }: Platform): NoteRefusal => {
  const counts = new LRUCache<string, { count: number }>({ max: 10_000, ttl: 60_000 })
  return async ({ type, principal, request, reason }) => {
    const key = `${type} ${request.callerPk ?? networkOf(request.remoteAddress)}`
    const noted = counts.get(key) ?? { count: 0 }
    if (noted.count === 0) counts.set(key, noted)
    noted.count += 1
    if (noted.count > perMinute) return
    const { remoteAddress: address, method, path } = request
    const isLast = noted.count === perMinute
    const data = { address, method, path, reason, ...(isLast && { more: 'are not kept within this minute' }) }
    await store.transaction(tx => authAudit.record(tx, { type, principal, data, now: clock() }))
  }
}

/** A proof that was good until the account was changed. */
export const refusedAsLapsed = ({ principal, message }: Lapsed, request: Request): Refused => ({
  type: 'AUTHENTICATION_FAILURE',
  principal,
  request,
  reason: message,
})
