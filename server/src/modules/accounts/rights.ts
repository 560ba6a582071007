// What a user may do is copied to where every request finds it in one read. Whatever changes it calls this.

import type { Row } from '../../core/model/row.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { recordsIn } from '../../core/records/records.ts'
import { loginNameOf } from './find-user.ts'
import { secrets } from './secrets.ts'
import { sessions } from './sessions/sessions.ts'
import { users } from './users.ts'

export const roleNamesOf = ({ roles }: Pick<Row<typeof users>, 'roles'>): string[] =>
  roles.flatMap(({ label }) => (label === null ? [] : [label]))

export interface CopiedRoles {
  readonly former: readonly string[]
  readonly roles: readonly string[]
}

/** Copies the user's name and roles, except for a role that is about to go. Null when the user is gone. */
export const copyRights = async (tx: Transaction, userPk: string, without?: string): Promise<CopiedRoles | null> => {
  const records = recordsIn(tx)
  // Held before the user is read: of two who change the same rights at once, the second copies what the first has done.
  const held = await records.lock(secrets, userPk)
  const user = await records.first(users, { pk: userPk })
  if (!held || !user) return null
  const roles = roleNamesOf(user).filter(name => name !== without)
  await records.update(secrets, userPk, { loginName: loginNameOf(user.username), roles })
  await records.updateWhere(sessions, { user: userPk }, { username: user.username, roles })
  return { former: held.roles ?? [], roles }
}
