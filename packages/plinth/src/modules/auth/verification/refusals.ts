// Failed authentication and authorisation in the audit. To keep strangers from filling the database, a limited number is
// recorded per minute: of each type, for one user or for all strangers in one network. The last one says that it is the last.

import { networkOf } from '../../../core/http/caller-address.ts'
import type { Request } from '../../../core/http/exchange.ts'
import { Problem } from '../../../core/problem.ts'
import { Quota } from '../../../core/quota.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import { type Secrets, usernameOf } from '../../people/index.ts'
import { type AuthAuditType, authAudit } from '../problems.ts'

export interface AuditedRefusal {
  readonly type: AuthAuditType
  readonly principal: string | null
  readonly request: Request
  readonly reason: string
}

export type RecordRefusal = (refusal: AuditedRefusal) => Promise<void>

const perMinute = 20

export const createRefusalLog = ({ records, clock }: Platform): RecordRefusal => {
  const quota = new Quota(perMinute, clock)
  return async ({ type, principal, request, reason }) => {
    const key = `${type} ${request.callerPk ?? networkOf(request.remoteAddress)}`
    const { waitMs, left } = quota.take(key, 1)
    if (waitMs > 0) return
    const { remoteAddress: address, method, path } = request
    const isLast = left === 0
    const data = { address, method, path, reason, ...(isLast && { more: 'are not recorded within this minute' }) }
    await records.transaction(records => authAudit.record(records, { type, principal, data, now: clock() }))
  }
}

/** Credentials that are forged, stolen or revoked. Credentials that have merely expired are not recorded. */
export class RejectedCredentials extends Problem {
  constructor() {
    super('unauthorized', 'The credentials are invalid or expired.')
  }
}

/** The password was right, but the account has changed since it was verified. */
export class OutdatedVerification extends Problem {
  readonly #principal: string

  constructor(verified: Secrets) {
    super('unauthorized', 'The account has changed since the password was verified.')
    this.#principal = usernameOf(verified)
  }

  toRefusal(request: Request): AuditedRefusal {
    return { type: 'AUTHENTICATION_FAILURE', principal: this.#principal, request, reason: this.message }
  }
}
