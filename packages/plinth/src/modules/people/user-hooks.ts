// Hooks of users: what follows when administrators create, change or delete them.

import { covers } from '../../core/model/caller.ts'
import { type ChangeOf, defineHooks } from '../../core/model/define-hooks.ts'
import type { Hooks } from '../../core/model/hooks.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { recordsIn } from '../../core/records/records.ts'
import { maskEmail } from '../mail/index.ts'
import type { AccountListener } from './account-listener.ts'
import { completeUser } from './create-user.ts'
import { sendConfirmation, sendWelcome } from './email-confirmation.ts'
import { emailHashOf, rehashEmail } from './email-hash.ts'
import { findSecrets } from './find-user.ts'
import { guardAdministrators } from './last-administrator.ts'
import { hashOfNew } from './passwords.ts'
import { peopleAudit } from './problems.ts'
import { loginNameOf, secrets } from './secrets.ts'
import { roleNamesOf, roles, startingRoles, users } from './users.ts'

type UserChange = ChangeOf<typeof users>

export const userHooks = (listener: AccountListener): Hooks =>
  defineHooks(users, {
    before: async (change, tx) => {
      await guardChange(change, tx)
      if (change.isService) return
      if (change.kind === 'create') await beforeCreate(change, tx)
      if (change.kind === 'update' && change.values.username !== undefined) await checkRenaming(change)
    },
    restored: async (change, tx) => {
      const { pk, caller, isService, records } = change
      await guardAdministrators(tx, { user: pk, caller, isService })
      // Roles may have been renamed or deleted since the user was.
      await copyRights(tx, { user: pk }, listener)
      await rehashEmail(tx, pk)
      if (isService) return
      const stored = await records.asService.first(secrets, { where: { pk } })
      const granted = stored?.roles ?? []
      if (!covers(caller, granted))
        throw new Problem('forbidden', 'You cannot restore a user with roles that you do not have.')
      await peopleAudit.recordChange(tx, change, {
        type: 'USER_RESTORED',
        data: { user: stored?.user.label ?? '', roles: granted },
      })
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

const guardChange = async (
  { kind, pk: user, caller, isService, values }: UserChange,
  tx: Transaction,
): Promise<void> => {
  const ends = kind === 'delete'
  if (ends || values.roles !== undefined)
    await guardAdministrators(tx, { user, caller, isService, roles: values.roles, ends })
}

const beforeCreate = async ({ values }: UserChange, tx: Transaction): Promise<void> => {
  const { username, email, password } = values
  hashOfNew(password, { username, email: email ?? undefined })
  if (!email) return
  if (await findSecrets(tx, email)) throw new Problem('taken', 'The e-mail address belongs to another user.')
  values.emailHash = await emailHashOf(tx, email)
}

/** Users sign in with their names: another name takes that away from them. */
const checkRenaming = async ({ pk, caller, records }: UserChange): Promise<void> => {
  const stored = await records.asService.first(secrets, { where: { pk } })
  if (!covers(caller, stored?.roles ?? []))
    throw new Problem('forbidden', 'You cannot change the name of a user with roles that you do not have.')
}

const afterCreate = async (change: UserChange, tx: Transaction): Promise<void> => {
  const { pk, values, now } = change
  const email = values.email ?? null
  const passwordHash = hashOfNew(values.password, { username: values.username, email: email ?? undefined })
  const user = await completeUser(tx, { pk, email, passwordHash, active: true }, now)
  if (passwordHash === null) await sendWelcome(tx, pk, now)
  else if (email !== null) await sendConfirmation(tx, { user: pk, email }, now)
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

// Names and roles of users are copied to where each request finds them in one read. What changes them calls `copyRights`.

export interface RoleChange {
  readonly former: readonly string[]
  readonly roles: readonly string[]
}

export interface RightsToCopy {
  /** The user's pk. */
  readonly user: string
  /** A role that is about to be deleted. */
  readonly without?: string
}

/** Copies the name and the roles of a user. Null when the user does not exist any more. */
export const copyRights = async (
  tx: Transaction,
  { user: pk, without }: RightsToCopy,
  listener: AccountListener,
): Promise<RoleChange | null> => {
  const records = recordsIn(tx)
  // Locked before the user is read: of two concurrent changes, the second copies what the first has written.
  const stored = await records.lock(secrets, pk)
  const user = await records.first(users, { where: { pk } })
  if (!stored || !user) return null
  const { username } = user
  const names = roleNamesOf(user).filter(name => name !== without)
  await records.update(secrets, pk, { loginName: loginNameOf(username), roles: names })
  await listener.rightsChanged(tx, { user: pk, username, roles: names })
  return { former: stored.roles ?? [], roles: names }
}

type ChangedRole = ChangeOf<typeof roles>

export const roleHooks = (listener: AccountListener): Hooks =>
  defineHooks(roles, {
    before: async ({ kind, pk, before, values }, tx) => {
      if (!before || (kind === 'update' && values.name === undefined)) return
      const { name } = before
      if (name in startingRoles) throw new Problem('conflict', `The role ${name} is built in and cannot be changed.`)
      if (kind !== 'delete') return
      for (const user of await membersOf(tx, pk)) await copyRights(tx, { user, without: name }, listener)
    },
    restored: async ({ pk }, tx) => {
      for (const user of await membersOf(tx, pk)) await copyRights(tx, { user }, listener)
    },
    after: async (change, tx) => {
      const isRenamed = change.kind === 'update' && change.values.name !== undefined
      if (isRenamed) for (const user of await membersOf(tx, change.pk)) await copyRights(tx, { user }, listener)
      // The starting roles are not recorded.
      if (!change.isService && (change.kind !== 'update' || isRenamed)) await recordRole(tx, change)
    },
  })

const maxMembers = 1_000_000

const membersOf = async (tx: Transaction, rolePk: string): Promise<string[]> => {
  const members = tx.resource(roles).members.get('members')
  if (!members) throw new Error('roles have members')
  return (await tx.pairs(members, [rolePk], { limit: maxMembers })).map(([, user]) => user)
}

const auditTypes = { create: 'ROLE_CREATED', update: 'ROLE_RENAMED', delete: 'ROLE_DELETED' } as const

const recordRole = (tx: Transaction, change: ChangedRole): Promise<void> => {
  const { kind, before, values } = change
  const data = { ...(before && { former: before.name }), ...(values.name !== undefined && { role: values.name }) }
  return peopleAudit.recordChange(tx, change, { type: auditTypes[kind], data })
}
