// Names and roles of users are copied to where each request finds them in one read. What changes them calls `copyRights`.

import { type ChangeOf, defineHooks, type Hooks } from '../../core/model/define.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { recordsIn } from '../../core/records/records.ts'
import type { AccountListener } from './account-listener.ts'
import { peopleAudit } from './declarations.ts'
import { roleNamesOf, roles, startingRoles } from './roles.ts'
import { loginNameOf, secrets } from './user-credentials.ts'
import { users } from './users.ts'

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
  const user = await records.first(users, { pk })
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
