// What a user may do is copied to where every request finds it in one read. Whatever changes it calls this.

import { everything, where } from '../../core/model/query.ts'
import type { Link, StoredRecord } from '../../core/model/record.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { loginNameOf } from './find-user.ts'

export const roleNamesOf = (user: StoredRecord): string[] =>
  (user.roles as readonly Link[]).flatMap(({ label }) => (label === null ? [] : [label]))

/** Copies the user's name and roles, except for a role that is about to go. */
export const copyRights = async (tx: Transaction, userPk: string, without?: string): Promise<void> => {
  const user = await tx.get(tx.resource('users'), userPk)
  if (!user) return
  const roles = roleNamesOf(user).filter(name => name !== without)
  await tx.update(tx.resource('secrets'), userPk, { loginName: loginNameOf(String(user.username)), roles })
  const sessions = tx.resource('sessions')
  for await (const batch of tx.stream(sessions, everything(sessions, where(sessions, { user: userPk })))) {
    for (const session of batch) await tx.update(sessions, session.pk, { username: user.username, roles })
  }
}
