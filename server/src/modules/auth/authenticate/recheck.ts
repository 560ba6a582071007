// Connections that stay open outlive the token that opened them. What counts for them is the session: whether it goes on,
// and what its user may do by now.

import type { Service } from '../../../core/rest/service.ts'
import { isOpen, type KnownSessions } from '../sessions/known-sessions.ts'

export const createRecheck =
  (
    { platform: { clock } }: Pick<Service, 'platform'>,
    identify: Service['identify'],
    sessions: KnownSessions,
  ): Service['recheck'] =>
  async (caller, request) => {
    if (caller.session === undefined) return identify(request)
    const session = await sessions.read(caller.session)
    return session && isOpen(session, clock()) ? session.caller : null
  }
