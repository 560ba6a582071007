// For what needs the person, and not just a browser that was left open.

import { type Caller, isInPerson } from '../../core/model/caller.ts'
import type { Reader } from '../../core/model/transaction.ts'
import { readerOf } from '../../core/records/reader.ts'
import { sessions } from './sessions/sessions.ts'

export const recentMinutes = 15

/** Has the caller shown a password of late? One that comes with the request itself was; a key is none. */
export const hasSignedInRecently = async (reader: Reader, caller: Caller, now: Date): Promise<boolean> => {
  if (caller.session === undefined) return isInPerson(caller)
  const session = await readerOf(reader).first(sessions, { pk: caller.session })
  const since = Date.parse(session?.verified ?? session?.created ?? '')
  return now.getTime() - since <= recentMinutes * 60_000
}
