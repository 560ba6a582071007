// What follows when administrators create, change or delete users.

import { covers, isAdmin } from '../../core/model/caller.ts'
import type { Change, Hooks } from '../../core/model/define.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { type AuditType, recordAudit } from '../audit/index.ts'
import { askToConfirm } from '../contacts/index.ts'
import { emailHashOf } from '../mail/index.ts'
import { completeAccount } from './create-account.ts'
import { findSecrets } from './find-user.ts'
import { takePassword } from './new-password.ts'
import { copyRights } from './rights.ts'

const beforeCreate = async ({ values }: Change, tx: Transaction): Promise<void> => {
  const { username, email, password } = values as { username: string; email?: string | null; password?: unknown }
  takePassword(password, { username, email: email ?? undefined })
  if (!email) return
  if (await findSecrets(tx, email)) throw new Problem('taken', 'The e-mail address belongs to another user.')
  values.emailHash = emailHashOf(email)
}

/** A user's own username is changed at an address of its own, which asks for the password. */
const checkRenaming = async ({ pk, caller }: Change, tx: Transaction): Promise<void> => {
  if (!isAdmin(caller) && !caller.roles.has('ROLE_SITE_OPERATOR'))
    throw new Problem('forbidden', 'The own username is changed at /api/auth/account/username.')
  const secrets = await tx.get(tx.resource('secrets'), pk)
  if (!covers(caller, (secrets?.roles ?? []) as readonly string[]))
    throw new Problem('forbidden', 'The name of somebody with more rights is not yours to change.')
}

const afterCreate = async ({ pk, values, caller, now }: Change, tx: Transaction): Promise<void> => {
  const email = (values.email as string | null | undefined) ?? null
  const passwordHash = takePassword(values.password, { username: String(values.username), email: email ?? undefined })
  const user = await completeAccount(tx, { pk, email, passwordHash, active: true }, now)
  if (email !== null) await askToConfirm(tx, { user: pk, email }, now)
  const data = { user: String(user.username) }
  await recordAudit(tx, { type: 'USER_CREATED', principal: caller.username, data, now })
}

const afterUpdate = async ({ pk, before, values, caller, now }: Change, tx: Transaction): Promise<void> => {
  const changed: AuditType[] = []
  if (values.username !== undefined) changed.push('USERNAME_CHANGED')
  if (values.roles !== undefined) changed.push('ROLES_CHANGED')
  if (changed.length === 0) return
  await copyRights(tx, pk)
  const rights = await tx.get(tx.resource('secrets'), pk)
  const data = {
    user: String(before?.username),
    roles: String(rights?.roles ?? ''),
    username: String(rights?.loginName ?? ''),
  }
  for (const type of changed) await recordAudit(tx, { type, principal: caller.username, data, now })
}

export const userHooks: Hooks = {
  before: async (change, tx) => {
    if (change.kind === 'create') await beforeCreate(change, tx)
    if (change.kind === 'update' && change.values.username !== undefined) await checkRenaming(change, tx)
  },
  after: async (change, tx) => {
    if (change.kind === 'create') await afterCreate(change, tx)
    if (change.kind === 'update') await afterUpdate(change, tx)
    if (change.kind === 'delete') {
      const data = { user: String(change.before?.username) }
      await recordAudit(tx, { type: 'USER_DELETED', principal: change.caller.username, data, now: change.now })
    }
  },
}
