// Sign-out, and the sessions of a user: list them, end one, end all others.

import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import { isForeign } from '../../../core/rest/own-site.ts'
import type { Context } from '../../../core/rest/platform.ts'
import type { Task } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import { users } from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { expiredCookies, findClaimedSessions, hasCookies, readSessionClaims } from '../sessions/cookies.ts'
import { endSessions, isEnded, isRemembered, type Session, sessions, toAuditEvent } from '../sessions/session.ts'

/** Ends every session that the cookies name, and deletes all cookies. */
export const signOut =
  (service: Service, auth: AuthContext) =>
  async ({ caller, platform }: Context, { request }: Task): Promise<Answer> => {
    if (hasCookies(request) && (await isForeign(request, service.allowsOrigin))) throw new Problem('forbidden')
    const claims = await readSessionClaims(auth.tokens, request, caller.session)
    const count = await platform.store.transaction(async tx => {
      const found = await findClaimedSessions(tx, claims)
      for (const session of found) {
        await recordsIn(tx).removeWhere(sessions, { pk: session.pk })
        await authAudit.record(tx, toAuditEvent({ type: 'SIGNED_OUT', session, request }, platform.clock()))
      }
      return found.length
    })
    if (count === 0 && caller.pk === null) throw new Problem('unauthorized')
    return { kind: 'nothing', status: 204, headers: auth.cookieHeaders(request, expiredCookies) }
  }

const ownPk = ({ caller }: Context): string => {
  if (caller.pk === null) throw new Problem('unauthorized')
  return caller.pk
}

const maxListed = 500

export const listSessions = async (context: Context): Promise<Answer> => {
  const { records, clock } = context.platform
  const own = await records.find(sessions, { where: { user: ownPk(context) }, limit: maxListed })
  const now = clock()
  const entries = own
    .filter(session => session.state === 'full' && (!isEnded(session, now) || isRemembered(session, now)))
    .map(session => toEntry(session, context.caller.session))
  return { kind: 'list', names: { list: 'sessions', entry: 'session' }, entries }
}

const toEntry = (session: Session, current: string | undefined) => ({
  id: session.pk,
  created: session.created,
  lastUsed: session.lastUsed,
  expires: session.until,
  userAgent: session.userAgent,
  address: session.address,
  remembered: session.rememberHash !== null,
  current: session.pk === current,
})

export const endSession = async (context: Context, { request }: Task): Promise<Answer> => {
  const userPk = ownPk(context)
  const { store, clock } = context.platform
  await store.transaction(async tx => {
    const records = recordsIn(tx)
    const session = await records.lock(sessions, request.params.id ?? '')
    if (session?.user.pk !== userPk) throw new Problem('not_found')
    await records.remove(sessions, session.pk)
    await authAudit.record(tx, toAuditEvent({ type: 'SESSION_ENDED', session, request }, clock()))
  })
  return { kind: 'nothing', status: 204 }
}

export const endOtherSessions = async (context: Context, { request }: Task): Promise<Answer> => {
  const userPk = ownPk(context)
  const { platform, caller } = context
  await platform.store.transaction(async tx => {
    const count = await endSessions(tx, userPk, { except: caller.session })
    const data = { address: request.remoteAddress, count: String(count) }
    await authAudit.record(tx, { type: 'SESSION_ENDED', principal: caller.username, data, now: platform.clock() })
  })
  return { kind: 'nothing', status: 204 }
}

/** For administrators. The user may sign in again. */
export const endSessionsOfUser = async ({ platform, caller }: Context, { request }: Task): Promise<Answer> => {
  await platform.store.transaction(async tx => {
    const user = await recordsIn(tx).get(users, request.params.pk ?? '')
    const count = await endSessions(tx, user.pk)
    const data = { address: request.remoteAddress, count: String(count), user: user.username }
    await authAudit.record(tx, { type: 'SESSION_ENDED', principal: caller.username, data, now: platform.clock() })
  })
  return { kind: 'nothing', status: 204 }
}
