// What became of a session, for the audit.

import type { Request } from '../../../core/http/exchange.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import type { AuditEvent } from '../../audit/index.ts'
import type { AuthAuditType } from '../audit.ts'
import type { SessionRow } from './sessions.ts'

interface Happening {
  readonly type: AuthAuditType
  readonly session: SessionRow
  readonly request: Request
}

export const eventOf = (
  { platform }: { readonly platform: Platform },
  { type, session, request }: Happening,
): AuditEvent<AuthAuditType> => ({
  type,
  principal: session.username,
  data: { address: request.remoteAddress, session: session.pk, path: request.path },
  now: platform.clock(),
})
