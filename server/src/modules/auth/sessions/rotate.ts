// A refresh token is good once. Used again soon, it gives what it gave before: the answer may have been lost, or two tabs
// asked at once. Used again later, it was stolen by one of two holders, and nobody can tell by which: the session ends.

import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../../../core/model/transaction.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { type SessionRow, sessions } from './sessions.ts'
import { after, type Terms } from './terms.ts'

const grace = 20_000

export type Rotation =
  | { readonly outcome: 'rotated' | 'repeated'; readonly session: SessionRow }
  | { readonly outcome: 'ended'; readonly session: SessionRow }
  | { readonly outcome: 'unknown' }

export interface Moment {
  readonly now: Date
  readonly terms: Terms
}

export const isOver = ({ idleUntil, until }: SessionRow, now: Date): boolean => {
  const date = now.toISOString()
  return idleUntil <= date || until <= date
}

/** May its device come back by `remember-me`, however long the session was idle? */
export const isRemembered = ({ rememberHash, rememberUntil, until }: SessionRow, now: Date): boolean => {
  const date = now.toISOString()
  return rememberHash !== null && (rememberUntil ?? '') > date && until > date
}

/** Exchanges the refresh token `jti` of a session. */
export const rotate = async (
  tx: Transaction,
  { sid, jti }: { readonly sid: string; readonly jti: string },
  moment: Moment,
): Promise<Rotation> => {
  const session = await recordsIn(tx).lock(sessions, sid)
  if (!session || isOver(session, moment.now)) return { outcome: 'unknown' }
  if (session.refreshId === jti) return { outcome: 'rotated', session: await advance(tx, session, moment) }
  if (session.formerRefreshId === jti && isFresh(session, moment.now)) return { outcome: 'repeated', session }
  await recordsIn(tx).remove(sessions, sid)
  return { outcome: 'ended', session }
}

/** New tokens for a session whose holder is known by other means; soon after another rotation, those that it gave. */
export const renew = async (tx: Transaction, session: SessionRow, moment: Moment): Promise<SessionRow> => {
  if (session.formerRefreshId !== null && isFresh(session, moment.now)) return session
  return advance(tx, session, moment)
}

const isFresh = ({ rotated }: SessionRow, now: Date): boolean => now.getTime() - Date.parse(rotated ?? '') <= grace

const advance = (tx: Transaction, session: SessionRow, { now, terms }: Moment): Promise<SessionRow> => {
  const date = now.toISOString()
  return recordsIn(tx).update(sessions, session.pk, {
    refreshId: uuidv7(),
    formerRefreshId: session.refreshId,
    rotated: date,
    lastUsed: date,
    idleUntil: after(now, terms.idle),
  })
}
