// The devices on which a user is signed in, for that user to look at and to end.

import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context } from '../../../core/rest/platform.ts'
import type { Task } from '../../../core/rest/respond.ts'
import { users } from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { isOver, isRemembered } from '../sessions/rotate.ts'
import { eventOf } from '../sessions/session-events.ts'
import { endSessions, type SessionRow, sessions } from '../sessions/sessions.ts'

const ownPk = ({ caller }: Context): string => {
  if (caller.pk === null) throw new Problem('unauthorized')
  return caller.pk
}

const maxShown = 500

export const listSessions = async (context: Context): Promise<Answer> => {
  const { records, clock } = context.platform
  const own = await records.find(sessions, { where: { user: ownPk(context) }, limit: maxShown })
  const now = clock()
  const entries = own
    .filter(session => session.state === 'full' && (!isOver(session, now) || isRemembered(session, now)))
    .map(session => toShown(session, context.caller.session))
  return { kind: 'list', names: { list: 'sessions', entry: 'session' }, entries }
}

const toShown = (session: SessionRow, current: string | undefined) => ({
  id: session.pk,
  created: session.created,
  lastUsed: session.lastUsed,
  expires: session.until,
  userAgent: session.userAgent,
  address: session.address,
  remembered: session.rememberHash !== null,
  current: session.pk === current,
})

export const endSession =
  (auth: AuthContext) =>
  async (context: Context, { request }: Task): Promise<Answer> => {
    const userPk = ownPk(context)
    await context.platform.store.transaction(async tx => {
      const records = recordsIn(tx)
      const session = await records.lock(sessions, request.params.id ?? '')
      if (session?.user.pk !== userPk) throw new Problem('not_found')
      await records.remove(sessions, session.pk)
      await authAudit.record(tx, eventOf(auth, { type: 'SESSION_ENDED', session, request }))
    })
    return { kind: 'nothing', status: 204 }
  }

/** For administrators: the user is signed out everywhere, and may sign in again. */
export const endSessionsOf = async ({ platform, caller }: Context, { request }: Task): Promise<Answer> => {
  await platform.store.transaction(async tx => {
    const user = await recordsIn(tx).get(users, request.params.pk ?? '')
    const count = await endSessions(tx, user.pk)
    const data = { address: request.remoteAddress, count: String(count), user: user.username }
    await authAudit.record(tx, { type: 'SESSION_ENDED', principal: caller.username, data, now: platform.clock() })
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
