// What follows when administrators create, change or delete users.

import { covers } from '../../core/model/caller.ts'
import type { Change, Hooks } from '../../core/model/define.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { recordChange } from '../audit/index.ts'
import { askToConfirm } from '../contacts/index.ts'
import { emailHashOf, maskEmail } from '../mail/index.ts'
import { completeAccount } from './create-account.ts'
import { findSecrets } from './find-user.ts'
import { takePassword } from './new-password.ts'
import { copyRights, roleNamesOf } from './rights.ts'
import { secrets } from './secrets.ts'

const beforeCreate = async ({ values }: Change, tx: Transaction): Promise<void> => {
  const { username, email, password } = values as { username: string; email?: string | null; password?: unknown }
  takePassword(password, { username, email: email ?? undefined })
  if (!email) return
  if (await findSecrets(tx, email)) throw new Problem('taken', 'The e-mail address belongs to another user.')
  values.emailHash = emailHashOf(email)
}

/** Names are signed in with: whoever gives another one takes that away. */
const checkRenaming = async ({ pk, caller, records }: Change): Promise<void> => {
  const kept = await records.asService.first(secrets, { pk })
  if (!covers(caller, kept?.roles ?? []))
    throw new Problem('forbidden', 'The name of somebody with more rights is not yours to change.')
}

const afterCreate = async (change: Change, tx: Transaction): Promise<void> => {
  const { pk, values, now } = change
  const email = (values.email as string | null | undefined) ?? null
  const passwordHash = takePassword(values.password, { username: String(values.username), email: email ?? undefined })
  const user = await completeAccount(tx, { pk, email, passwordHash, active: true }, now)
  if (email !== null) await askToConfirm(tx, { user: pk, email }, now)
  const data = {
    user: user.username,
    roles: String(roleNamesOf(user)),
    ...(email !== null && { email: maskEmail(email) }),
  }
  await recordChange(tx, change, { type: 'USER_CREATED', data })
}

const afterUpdate = async (change: Change, tx: Transaction): Promise<void> => {
  const { pk, before, values } = change
  if (values.username === undefined && values.roles === undefined) return
  const copied = await copyRights(tx, pk)
  if (change.isService) return
  const user = String(before?.username)
  if (values.username !== undefined) {
    const data = { user, former: user, username: String(values.username) }
    await recordChange(tx, change, { type: 'USERNAME_CHANGED', data })
  }
  if (values.roles !== undefined) {
    const data = { user, former: String(copied?.former), roles: String(copied?.roles) }
    await recordChange(tx, change, { type: 'ROLES_CHANGED', data })
  }
}

export const userHooks: Hooks = {
  before: async (change, tx) => {
    if (change.isService) return
    if (change.kind === 'create') await beforeCreate(change, tx)
    if (change.kind === 'update' && change.values.username !== undefined) await checkRenaming(change)
  },
  after: async (change, tx) => {
    if (change.kind === 'update') await afterUpdate(change, tx)
    // What the service does for itself is complete, and in the audit under a name of its own.
    if (change.isService) return
    if (change.kind === 'create') await afterCreate(change, tx)
    if (change.kind === 'delete') {
      const data = { user: String(change.before?.username) }
      await recordChange(tx, change, { type: 'USER_DELETED', data })
    }
  },
}
