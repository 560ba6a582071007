// A refresh token is good once. Used again soon, it gives what it gave before: the answer may have been lost, or two tabs
// asked at once. Used again later, it was stolen by one of two holders, and nobody can tell by which: the session ends.

import { uuidv7 } from 'uuidv7'
import type { StoredRecord } from '../../../core/model/record.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { after, type Terms } from './terms.ts'

const grace = 20_000

export type Rotation =
  | { readonly outcome: 'rotated' | 'repeated'; readonly session: StoredRecord }
  | { readonly outcome: 'ended'; readonly session: StoredRecord }
  | { readonly outcome: 'unknown' }

export interface Moment {
  readonly now: Date
  readonly terms: Terms
}

export const isOver = ({ idleUntil, until }: StoredRecord, now: Date): boolean => {
  const date = now.toISOString()
  return String(idleUntil) <= date || String(until) <= date
}

/** May its device come back by `remember-me`, however long the session was idle? */
export const isRemembered = ({ rememberHash, rememberUntil, until }: StoredRecord, now: Date): boolean => {
  const date = now.toISOString()
  return rememberHash !== null && String(rememberUntil) > date && String(until) > date
}

/** Exchanges the refresh token `jti` of a session. */
export const rotate = async (
  tx: Transaction,
  { sid, jti }: { readonly sid: string; readonly jti: string },
  moment: Moment,
): Promise<Rotation> => {
  const session = await tx.lock(tx.resource('sessions'), sid)
  if (!session || isOver(session, moment.now)) return { outcome: 'unknown' }
  if (session.refreshId === jti) return advance(tx, session, moment)
  if (session.formerRefreshId === jti && isFresh(session, moment.now)) return { outcome: 'repeated', session }
  await tx.remove(tx.resource('sessions'), sid)
  return { outcome: 'ended', session }
}

/** New tokens for a session whose holder is known by other means; soon after another rotation, those that it gave. */
export const renew = async (tx: Transaction, session: StoredRecord, moment: Moment): Promise<StoredRecord | null> => {
  if (session.formerRefreshId !== null && isFresh(session, moment.now)) return session
  const advanced = await advance(tx, session, moment)
  return advanced.outcome === 'rotated' ? advanced.session : null
}

const isFresh = ({ rotated }: StoredRecord, now: Date): boolean => now.getTime() - Date.parse(String(rotated)) <= grace

const advance = async (tx: Transaction, session: StoredRecord, { now, terms }: Moment): Promise<Rotation> => {
  const date = now.toISOString()
  const advanced = await tx.update(tx.resource('sessions'), session.pk, {
    refreshId: uuidv7(),
    formerRefreshId: session.refreshId,
    rotated: date,
    lastUsed: date,
    idleUntil: after(now, terms.idle),
  })
  return advanced ? { outcome: 'rotated', session: advanced } : { outcome: 'unknown' }
}
