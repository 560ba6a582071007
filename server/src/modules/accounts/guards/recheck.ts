// Connections that stay open outlive the token that opened them. What counts for them is the session: whether it goes on,
// and what its user may do by now.

import type { Service } from '../../../core/rest/service.ts'
import { isOpen, type ReadSession } from '../sessions/session-reader.ts'

export const createRecheck =
  (
    { platform: { clock } }: Pick<Service, 'platform'>,
    identify: Service['identify'],
    readSession: ReadSession,
  ): Service['recheck'] =>
  async (caller, request) => {
    if (caller.session === undefined) return identify(request)
    const session = await readSession(caller.session)
    return session && isOpen(session, clock()) ? session.caller : null
  }
