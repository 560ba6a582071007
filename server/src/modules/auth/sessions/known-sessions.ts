// The read that every request of a signed-in caller begins with. What ends or changes a session takes effect on the next
// request, on every instance.

import type { Caller } from '../../../core/model/caller.ts'
import { createRevalidatingCache, type RevalidatingCache } from '../../../core/store/revalidating-cache.ts'
import type { Store } from '../../../core/store/store.ts'
import { type SessionRow, sessions } from './sessions.ts'

export interface Session {
  readonly row: SessionRow
  /** From the row's own copies of the user's name and roles. */
  readonly caller: Caller
  /** In milliseconds since 1970. */
  readonly lastUsed: number
  readonly over: number
}

export type KnownSessions = RevalidatingCache<Session>

export const createKnownSessions = (store: Store): KnownSessions =>
  createRevalidatingCache(store, store.resource(sessions), row => toSession(row as SessionRow))

const toSession = (row: SessionRow): Session => {
  const { pk, user, username, roles, lastUsed, idleUntil, until } = row
  return {
    row,
    caller: {
      pk: user.pk,
      username,
      roles: new Set(roles),
      session: pk,
    },
    lastUsed: Date.parse(lastUsed),
    over: Math.min(Date.parse(idleUntil), Date.parse(until)),
  }
}

/** Does it open anything at this moment? */
export const isOpen = ({ row, over }: Session, now: Date): boolean => row.state === 'full' && now.getTime() < over

/** How exactly it is known when a session was last used: finer would cost a write for each request. */
const touchedEvery = 60_000

export const isToBeTouched = ({ lastUsed }: Session, now: Date): boolean => now.getTime() - lastUsed >= touchedEvery
