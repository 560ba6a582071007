// What a user may do is copied to where every request finds it in one read. Whatever changes it calls this.

import { everything, where } from '../../core/model/query.ts'
import type { Link, StoredRecord } from '../../core/model/record.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { loginNameOf } from './find-user.ts'

export const roleNamesOf = (user: StoredRecord): string[] =>
  (user.roles as readonly Link[]).flatMap(({ label }) => (label === null ? [] : [label]))

export interface CopiedRoles {
  readonly former: readonly string[]
  readonly roles: readonly string[]
}

/** Copies the user's name and roles, except for a role that is about to go. Null when the user is gone. */
export const copyRights = async (tx: Transaction, userPk: string, without?: string): Promise<CopiedRoles | null> => {
  const secrets = tx.resource('secrets')
  // Held before the user is read: of two who change the same rights at once, the second copies what the first has done.
  const held = await tx.lock(secrets, userPk)
  const user = await tx.get(tx.resource('users'), userPk)
  if (!held || !user) return null
  const roles = roleNamesOf(user).filter(name => name !== without)
  await tx.update(secrets, userPk, { loginName: loginNameOf(String(user.username)), roles })
  const sessions = tx.resource('sessions')
  for await (const batch of tx.stream(sessions, everything(sessions, where(sessions, { user: userPk })))) {
    for (const session of batch) await tx.update(sessions, session.pk, { username: user.username, roles })
  }
  return { former: held.roles as readonly string[], roles }
}
