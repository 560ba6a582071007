// The devices on which a user is signed in, for that user to look at and to end.

import { everything, where } from '../../../core/model/query.ts'
import type { Link, StoredRecord } from '../../../core/model/record.ts'
import { Problem } from '../../../core/problem.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context } from '../../../core/rest/platform.ts'
import type { Task } from '../../../core/rest/respond.ts'
import { recordAudit } from '../../audit/index.ts'
import type { Desk } from '../desk/desk.ts'
import { isOver, isRemembered } from '../sessions/rotate.ts'
import { eventOf } from '../sessions/session-events.ts'
import { endSessions } from '../sessions/sessions.ts'

const ownPk = ({ caller }: Context): string => {
  if (caller.pk === null) throw new Problem('unauthorized')
  return caller.pk
}

const maxShown = 500

export const listSessions = async (context: Context): Promise<Answer> => {
  const { store, clock } = context.platform
  const resource = store.resource('sessions')
  const { records } = await store.find(
    resource,
    everything(resource, where(resource, { user: ownPk(context) }), maxShown),
  )
  const now = clock()
  const entries = records
    .filter(session => session.state === 'full' && (!isOver(session, now) || isRemembered(session, now)))
    .map(session => toShown(session, context.caller.session))
  return { kind: 'list', names: { list: 'sessions', entry: 'session' }, entries }
}

const toShown = (session: StoredRecord, current: string | undefined) => ({
  id: session.pk,
  created: String(session.created),
  lastUsed: String(session.lastUsed),
  expires: String(session.until),
  userAgent: session.userAgent as string | null,
  address: session.address as string | null,
  remembered: session.rememberHash !== null,
  current: session.pk === current,
})

export const endSession =
  (desk: Desk) =>
  async (context: Context, { request }: Task): Promise<Answer> => {
    const userPk = ownPk(context)
    await context.platform.store.transaction(async tx => {
      const resource = tx.resource('sessions')
      const session = await tx.lock(resource, request.params.id ?? '')
      if (!session || (session.user as Link).pk !== userPk) throw new Problem('not_found')
      await tx.remove(resource, session.pk)
      await recordAudit(tx, eventOf(desk, { type: 'SESSION_ENDED', session, request }))
    })
    return { kind: 'nothing', status: 204 }
  }

/** For administrators: the user is signed out everywhere, and may sign in again. */
export const endSessionsOf = async ({ platform, caller }: Context, { request }: Task): Promise<Answer> => {
  await platform.store.transaction(async tx => {
    const user = await tx.get(tx.resource('users'), request.params.pk ?? '')
    if (!user) throw new Problem('not_found')
    const count = await endSessions(tx, user.pk)
    const data = { address: request.remoteAddress, count: String(count), user: String(user.username) }
    await recordAudit(tx, { type: 'SESSION_ENDED', principal: caller.username, data, now: platform.clock() })
  })
  return { kind: 'nothing', status: 204 }
}

export const endOtherSessions = async (context: Context, { request }: Task): Promise<Answer> => {
  const userPk = ownPk(context)
  const { platform, caller } = context
  await platform.store.transaction(async tx => {
    const count = await endSessions(tx, userPk, { except: caller.session })
    const data = { address: request.remoteAddress, count: String(count) }
    await recordAudit(tx, { type: 'SESSION_ENDED', principal: caller.username, data, now: platform.clock() })
  })
  return { kind: 'nothing', status: 204 }
}
