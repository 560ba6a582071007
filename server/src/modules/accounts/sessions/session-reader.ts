// The read that every request of a signed-in caller begins with. A row that was read before is kept, and only its version
// is asked for: once for all requests that arrive together, and never before they have arrived. So what ends or changes a
// session takes effect on the next request, on every instance.

import { LRUCache } from 'lru-cache'
import type { Caller } from '../../../core/model/caller.ts'
import type { Link, StoredRecord } from '../../../core/model/record.ts'
import type { Reader } from '../../../core/model/transaction.ts'

export interface Session {
  readonly row: StoredRecord
  /** From the row's own copies of the user's name and roles. */
  readonly caller: Caller
  /** In milliseconds since 1970. */
  readonly lastUsed: number
  readonly over: number
}

export type ReadSession = (sid: string) => Promise<Session | null>

const kept = 10_000

interface Batch {
  readonly sids: Set<string>
  readonly versions: Promise<ReadonlyMap<string, number>>
}

export const createSessionReader = (reader: Reader): ReadSession => {
  const resource = reader.resource('sessions')
  const known = new LRUCache<string, Session>({ max: kept })
  let gathering: Batch | null = null
  /** Open until all that arrived together has come this far. */
  const gather = (): Batch => {
    const sids = new Set<string>()
    const versions = new Promise<void>(resolve => process.nextTick(resolve)).then(() => {
      gathering = null
      return reader.versions(resource, [...sids])
    })
    return { sids, versions }
  }
  return async sid => {
    gathering ??= gather()
    gathering.sids.add(sid)
    const version = (await gathering.versions).get(sid)
    const before = known.get(sid)
    if (before && before.row.version === version) return before
    const row = version === undefined ? null : await reader.get(resource, sid)
    const session = row && toSession(row)
    if (session) known.set(sid, session)
    else known.delete(sid)
    return session
  }
}

const toSession = (row: StoredRecord): Session => {
  const { pk, user, username, roles, lastUsed, idleUntil, until } = row
  return {
    row,
    caller: {
      pk: (user as Link).pk,
      username: username as string,
      roles: new Set(roles as readonly string[]),
      session: pk,
    },
    lastUsed: Date.parse(String(lastUsed)),
    over: Math.min(Date.parse(String(idleUntil)), Date.parse(String(until))),
  }
}

/** Does it open anything at this moment? */
export const isOpen = ({ row, over }: Session, now: Date): boolean => row.state === 'full' && now.getTime() < over
