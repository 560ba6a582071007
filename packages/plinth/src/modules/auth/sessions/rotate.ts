// A refresh token works once. Used again soon after, it gives the same tokens as before: the response may have been lost, or two
// tabs refreshed at the same time. Used again later, it was stolen, and the thief cannot be distinguished from the user: the session ends.

import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../../../core/model/transaction.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { after, isEnded, type Lifetimes, type Session, sessions } from './session.ts'

const graceMs = 20_000

export type Rotation =
  | { readonly outcome: 'rotated' | 'repeated'; readonly session: Session }
  /** The token was used before. */
  | { readonly outcome: 'reused'; readonly session: Session }
  | { readonly outcome: 'unknown' }

export interface RotationTime {
  readonly now: Date
  readonly lifetimes: Lifetimes
}

/** Exchanges the refresh token `jti` of a session. */
export const rotate = async (
  tx: Transaction,
  { sid, jti }: { readonly sid: string; readonly jti: string },
  time: RotationTime,
): Promise<Rotation> => {
  const session = await recordsIn(tx).lock(sessions, sid)
  if (!session || isEnded(session, time.now)) return { outcome: 'unknown' }
  if (session.refreshId === jti) return { outcome: 'rotated', session: await advance(tx, session, time) }
  if (session.formerRefreshId === jti && isRecent(session, time.now)) return { outcome: 'repeated', session }
  await recordsIn(tx).remove(sessions, sid)
  return { outcome: 'reused', session }
}

/** New tokens for a session whose user is authenticated by other means; soon after a rotation, those of that rotation. */
export const renewTokens = async (tx: Transaction, session: Session, time: RotationTime): Promise<Session> => {
  if (session.formerRefreshId !== null && isRecent(session, time.now)) return session
  return advance(tx, session, time)
}

const isRecent = ({ rotated }: Session, now: Date): boolean => now.getTime() - Date.parse(rotated ?? '') <= graceMs

const advance = (tx: Transaction, session: Session, { now, lifetimes }: RotationTime): Promise<Session> => {
  const date = now.toISOString()
  return recordsIn(tx).update(sessions, session.pk, {
    refreshId: uuidv7(),
    formerRefreshId: session.refreshId,
    rotated: date,
    lastUsed: date,
    idleUntil: after(now, lifetimes.idle),
  })
}
