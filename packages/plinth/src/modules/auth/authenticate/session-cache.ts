// The read that every request of a signed-in caller begins with: the row of the session, cached and revalidated. What ends or
// changes a session takes effect on the next request, on every instance.

import type { Caller, CallerAttributes } from '../../../core/model/caller.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import { RevalidatingCache } from '../../../core/store/revalidating-cache.ts'
import type { AuthContext } from '../context.ts'
import { after, clockTolerance, type Session, sessions } from '../sessions/session.ts'
import { readAttributesBeside } from './caller-attributes.ts'

export interface CachedSession {
  readonly pk: string
  readonly isFull: boolean
  readonly ssoHash: string | null
  /** The caller, from the copies of the user's name and roles in the row. */
  readonly caller: Caller
  /** The beginning in milliseconds since 1970. */
  readonly began: number
  readonly lastUsed: number
  readonly expires: number
}

export type SessionCache = RevalidatingCache<CachedSession>

export const createSessionCache = (platform: Pick<Platform, 'store' | 'access'>): SessionCache => {
  const { beside, toAttributes } = readAttributesBeside(platform, sessions)
  return RevalidatingCache.of({ store: platform.store, beside }, sessions, (session, values) =>
    toCached(session, toAttributes(values)),
  )
}

const toCached = (session: Session, attributes: CallerAttributes | undefined): CachedSession => {
  const { pk, user, username, roles, state, ssoHash, created, lastUsed, idleUntil, until } = session
  return {
    pk,
    isFull: state === 'full',
    ssoHash,
    caller: { pk: user.pk, username, roles: new Set(roles), session: pk, ...(attributes && { attributes }) },
    began: Date.parse(created),
    lastUsed: Date.parse(lastUsed),
    expires: Math.min(Date.parse(idleUntil), Date.parse(until)),
  }
}

/** Does it authenticate its user at this moment? */
export const isValid = ({ isFull, began, expires }: CachedSession, now: Date): boolean =>
  isFull && now.getTime() < expires && began <= now.getTime() + clockTolerance

/** How precisely the last use of a session is known: more would cost a write for each request. */
const touchedEvery = 60_000

/**
 * Says whether the last use has to be stored; also when the clock was ahead then, for the session would stay idle for
 * too long.
 */
export const needsTouch = ({ lastUsed }: CachedSession, now: Date): boolean =>
  Math.abs(now.getTime() - lastUsed) >= touchedEvery

/** Stores the time of use. */
export const touch = async (
  { platform, lifetimes, log }: AuthContext,
  { pk }: CachedSession,
  now: Date,
): Promise<void> => {
  const used = { lastUsed: now.toISOString(), idleUntil: after(now, lifetimes.idle) }
  try {
    await platform.records.updateMany(sessions, { where: { pk } }, used)
  } catch (error) {
    // A full disk must not keep callers from reading.
    log.warn({ err: error }, 'the last use of a session could not be stored')
  }
}
