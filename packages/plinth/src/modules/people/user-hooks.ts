// Hooks of users: what follows when administrators create, change or delete them.

import { covers } from '../../core/model/caller.ts'
import { type ChangeOf, defineHooks, type Hooks } from '../../core/model/define.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { emailHashOf, maskEmail } from '../mail/index.ts'
import type { AccountListener } from './account-listener.ts'
import { completeUser } from './create-user.ts'
import { peopleAudit } from './declarations.ts'
import { sendConfirmation } from './email-confirmation.ts'
import { findSecrets } from './find-user.ts'
import { hashOfNew } from './passwords.ts'
import { copyRights } from './role-hooks.ts'
import { roleNamesOf } from './roles.ts'
import { secrets } from './user-credentials.ts'
import { users } from './users.ts'

type UserChange = ChangeOf<typeof users>

export const userHooks = (listener: AccountListener): Hooks =>
  defineHooks(users, {
    before: async (change, tx) => {
      if (change.isService) return
      if (change.kind === 'create') await beforeCreate(change, tx)
      if (change.kind === 'update' && change.values.username !== undefined) await checkRenaming(change)
    },
    // Roles may have been renamed or deleted since the user was.
    restored: async ({ pk }, tx) => {
      await copyRights(tx, { user: pk }, listener)
    },
    after: async (change, tx) => {
      if (change.kind === 'update') await afterUpdate(change, tx, listener)
      // The service creates users complete, and records its own reasons in the audit.
      if (change.isService) return
      if (change.kind === 'create') await afterCreate(change, tx)
      if (change.kind === 'delete' && change.before)
        await peopleAudit.recordChange(tx, change, { type: 'USER_DELETED', data: { user: change.before.username } })
    },
  })

const beforeCreate = async ({ values }: UserChange, tx: Transaction): Promise<void> => {
  const { username, email, password } = values
  hashOfNew(password, { username, email: email ?? undefined })
  if (!email) return
  if (await findSecrets(tx, email)) throw new Problem('taken', 'The e-mail address belongs to another user.')
  values.emailHash = emailHashOf(email)
}

/** Users sign in with their names: another name takes that away from them. */
const checkRenaming = async ({ pk, caller, records }: UserChange): Promise<void> => {
  const stored = await records.asService.first(secrets, { pk })
  if (!covers(caller, stored?.roles ?? []))
    throw new Problem('forbidden', 'You cannot change the name of a user with roles that you do not have.')
}

const afterCreate = async (change: UserChange, tx: Transaction): Promise<void> => {
  const { pk, values, now } = change
  const email = values.email ?? null
  const passwordHash = hashOfNew(values.password, { username: values.username, email: email ?? undefined })
  const user = await completeUser(tx, { pk, email, passwordHash, active: true }, now)
  if (email !== null) await sendConfirmation(tx, { user: pk, email }, now)
  const data = {
    user: user.username,
    roles: roleNamesOf(user),
    ...(email !== null && { email: maskEmail(email) }),
  }
  await peopleAudit.recordChange(tx, change, { type: 'USER_CREATED', data })
}

const afterUpdate = async (change: UserChange, tx: Transaction, listener: AccountListener): Promise<void> => {
  const { pk, before, values } = change
  if (!before || (values.username === undefined && values.roles === undefined)) return
  const copied = await copyRights(tx, { user: pk }, listener)
  if (change.isService) return
  const user = before.username
  if (values.username !== undefined) {
    const data = { user, former: user, username: values.username }
    await peopleAudit.recordChange(tx, change, { type: 'USERNAME_CHANGED', data })
  }
  if (values.roles !== undefined) {
    const data = { user, former: copied?.former ?? [], roles: copied?.roles ?? [] }
    await peopleAudit.recordChange(tx, change, { type: 'ROLES_CHANGED', data })
  }
}
