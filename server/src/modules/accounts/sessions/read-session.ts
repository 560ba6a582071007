// The read that every request of a signed-in caller begins with.

import type { Caller } from '../../../core/model/caller.ts'
import type { Link, StoredRecord } from '../../../core/model/record.ts'
import type { Reader } from '../../../core/model/transaction.ts'

export const readSession = (reader: Reader, sid: string): Promise<StoredRecord | null> =>
  reader.get(reader.resource('sessions'), sid)

/** From the row's own copies of the user's name and roles. */
export const callerOf = ({ pk, user, username, roles }: StoredRecord): Caller => ({
  pk: (user as Link).pk,
  username: username as string,
  roles: new Set(roles as readonly string[]),
  session: pk,
})
