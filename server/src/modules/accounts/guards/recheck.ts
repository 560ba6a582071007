// Connections that stay open outlive the token that opened them. What counts for them is the session: whether it goes on,
// and what its user may do by now.

import type { Service } from '../../../core/rest/service.ts'
import { callerOf, readSession } from '../sessions/read-session.ts'
import { isOver } from '../sessions/rotate.ts'

export const createRecheck =
  ({ platform: { store, clock } }: Pick<Service, 'platform'>, identify: Service['identify']): Service['recheck'] =>
  async (caller, request) => {
    if (caller.session === undefined) return identify(request)
    const session = await readSession(store, caller.session)
    if (session?.state !== 'full' || isOver(session, clock())) return null
    return callerOf(session)
  }
