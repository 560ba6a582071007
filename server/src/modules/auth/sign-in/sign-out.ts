// Signing out: the session ends by whatever the device shows of it, and the device forgets everything.

import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import { isForeign } from '../../../core/rest/own-site.ts'
import type { Context } from '../../../core/rest/platform.ts'
import type { Task } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import { authAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { forgotten, hasCookies } from '../sessions/cookies.ts'
import { eventOf } from '../sessions/session-events.ts'
import { sessions } from '../sessions/sessions.ts'
import { readShown, shownSessions } from '../sessions/shown-sessions.ts'

export const signOut =
  (service: Service, auth: AuthContext) =>
  async ({ caller, platform }: Context, { request }: Task): Promise<Answer> => {
    if (hasCookies(request) && (await isForeign(request, service.allowsOrigin))) throw new Problem('forbidden')
    const shown = await readShown(auth.tokens, request, caller.session)
    const ended = await platform.store.transaction(async tx => {
      const found = await shownSessions(tx, shown)
      for (const session of found) {
        await recordsIn(tx).removeWhere(sessions, { pk: session.pk })
        await authAudit.record(tx, eventOf(auth, { type: 'SIGNED_OUT', session, request }))
      }
      return found.length
    })
    if (ended === 0 && caller.pk === null) throw new Problem('unauthorized')
    return { kind: 'nothing', status: 204, headers: auth.cookieHeaders(request, forgotten) }
  }
