// The read that every request of a signed-in caller begins with.

import type { Caller } from '../../../core/model/caller.ts'
import type { Link, StoredRecord } from '../../../core/model/record.ts'
import type { Reader, ReadOptions } from '../../../core/model/transaction.ts'

/** The row alone: its copies of the user's name and roles save the joins. */
const alone: ReadOptions = { guards: new Map([['user', false]]) }

export const readSession = (reader: Reader, sid: string): Promise<StoredRecord | null> =>
  reader.get(reader.resource('sessions'), sid, alone)

export const callerOf = ({ pk, user, username, roles }: StoredRecord): Caller => ({
  pk: (user as Link).pk,
  username: username as string,
  roles: new Set(roles as readonly string[]),
  session: pk,
})
