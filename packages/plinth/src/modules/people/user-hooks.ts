// Hooks of users: what follows when administrators create, change or delete them.

import { covers } from '../../core/model/caller.ts'
import { extendResource } from '../../core/model/extend.ts'
import type { HookName } from '../../core/model/hook-set.ts'
import type { HookContext } from '../../core/model/hooks.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { HookContextOf } from '../../core/model/typed-hooks.ts'
import { Problem } from '../../core/problem.ts'
import { maskEmail } from '../mail/index.ts'
import type { AccountListener } from './account-listener.ts'
import { completeUser } from './create-user.ts'
import { sendConfirmation, sendWelcome } from './email-confirmation.ts'
import { emailHashOf, rehashEmail } from './email-hash.ts'
import { findSecrets } from './find-user.ts'
import { guardAdministrators } from './last-administrator.ts'
import { mustBeStrong } from './password-strength.ts'
import { hashOfNew } from './passwords.ts'
import { peopleAudit } from './problems.ts'
import { loginNameOf, secrets } from './secrets.ts'
import { roleNamesOf, roles, startingRoles, users } from './users.ts'

type UserContext<Name extends HookName> = HookContextOf<typeof users, Name>

export const userHooks = (listener: AccountListener) =>
  extendResource(users, {
    hooks: {
      fields: ['username', 'roles'],
      beforeCreate: async context => {
        const { values, isService } = context
        await guardAdministratorRoles(context, values.roles)
        if (isService) return
        const { username, email, password } = values
        if (password) await mustBeStrong(password.plain, { username, email: email ?? undefined }, context)
        if (email) values.emailHash = await hashOfFree(context.records.asService, email)
      },
      afterCreate: async context => {
        // The service creates users complete, and records its own reasons in the audit.
        if (!context.isService) await completeNew(context)
      },
      beforeUpdate: async context => {
        const { values, isService } = context
        await guardAdministratorRoles(context, values.roles)
        if (!isService && values.username !== undefined) await checkRenaming(context)
      },
      afterUpdate: async context => {
        await followRights(context, listener)
      },
      beforeDelete: async ({ pk: user, caller, isService, records }) => {
        await guardAdministrators(records.asService, { user, caller, isService, ends: true })
      },
      afterDelete: async context => {
        const { before, isService, records } = context
        if (isService) return
        await peopleAudit.recordChange(records, context, {
          type: 'USER_DELETED',
          data: { user: before.username },
        })
      },
      afterRestore: async context => {
        await checkRestored(context, listener)
      },
    },
  })

const guardAdministratorRoles = async (
  { pk: user, caller, isService, records }: HookContext,
  roles: readonly string[] | undefined,
): Promise<void> => {
  if (roles !== undefined) await guardAdministrators(records.asService, { user, caller, isService, roles, ends: false })
}

const hashOfFree = async (records: TransactionRecords, email: string): Promise<string | null> => {
  if (await findSecrets(records, email))
    throw new Problem('taken', {
      en: 'The e-mail address belongs to another user.',
      de: 'Diese E-Mail-Adresse gehört einer anderen Person.',
    })
  return emailHashOf(records, email)
}

const checkRestored = async (context: UserContext<'afterRestore'>, listener: AccountListener): Promise<void> => {
  const { pk, caller, isService } = context
  const records = context.records.asService
  await guardAdministrators(records, { user: pk, caller, isService })
  // Roles may have been renamed or deleted since the user was.
  await copyRights(records, { user: pk }, listener)
  await rehashEmail(records, pk)
  if (isService) return
  const stored = await records.first(secrets, { where: { pk } })
  const granted = stored?.roles ?? []
  if (!covers(caller, granted))
    throw new Problem('forbidden', {
      en: 'You cannot restore a user with roles that you do not have.',
      de: 'Sie können keine Person wiederherstellen, die Rollen hat, die Ihnen fehlen.',
    })
  await peopleAudit.recordChange(records, context, {
    type: 'USER_RESTORED',
    data: { user: stored?.user.label ?? '', roles: granted },
  })
}

/** Users sign in with their names: another name takes that away from them. */
const checkRenaming = async ({ pk, caller, records }: UserContext<'beforeUpdate'>): Promise<void> => {
  const stored = await records.asService.first(secrets, { where: { pk } })
  if (!covers(caller, stored?.roles ?? []))
    throw new Problem('forbidden', {
      en: 'You cannot change the name of a user with roles that you do not have.',
      de: 'Sie können den Namen einer Person nicht ändern, die Rollen hat, die Ihnen fehlen.',
    })
}

const completeNew = async (context: UserContext<'afterCreate'>): Promise<void> => {
  const { pk, values, now } = context
  const records = context.records.asService
  const email = values.email ?? null
  const passwordHash = hashOfNew(values.password, { username: values.username, email: email ?? undefined })
  const user = await completeUser(records, { pk, email, passwordHash, active: true }, now)
  if (passwordHash === null) await sendWelcome(records, pk, now)
  else if (email !== null) await sendConfirmation(records, { user: pk, email }, now)
  const data = {
    user: user.username,
    roles: roleNamesOf(user),
    ...(email !== null && { email: maskEmail(email) }),
  }
  await peopleAudit.recordChange(records, context, { type: 'USER_CREATED', data })
}

const followRights = async (context: UserContext<'afterUpdate'>, listener: AccountListener): Promise<void> => {
  const { pk, before, values, isService } = context
  const records = context.records.asService
  if (values.username === undefined && values.roles === undefined) return
  const copied = await copyRights(records, { user: pk }, listener)
  if (isService) return
  const user = before.username
  if (values.username !== undefined) {
    const data = { user, former: user, username: values.username }
    await peopleAudit.recordChange(records, context, { type: 'USERNAME_CHANGED', data })
  }
  if (values.roles !== undefined) {
    const data = { user, former: copied?.former ?? [], roles: copied?.roles ?? [] }
    await peopleAudit.recordChange(records, context, { type: 'ROLES_CHANGED', data })
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
  records: TransactionRecords,
  { user: pk, without }: RightsToCopy,
  listener: AccountListener,
): Promise<RoleChange | null> => {
  // Locked before the user is read: of two concurrent changes, the second copies what the first has written.
  const stored = await records.lock(secrets, pk)
  const user = await records.first(users, { where: { pk } })
  if (!stored || !user) return null
  const { username } = user
  const names = roleNamesOf(user).filter(name => name !== without)
  await records.update(secrets, pk, { loginName: loginNameOf(username), roles: names })
  await listener.rightsChanged(records, { user: pk, username, roles: names })
  return { former: stored.roles ?? [], roles: names }
}

export const roleHooks = (listener: AccountListener) =>
  extendResource(roles, {
    hooks: {
      afterCreate: async context => {
        // The starting roles are not recorded.
        if (!context.isService) await recordRole(context, 'ROLE_CREATED', { role: context.values.name })
      },
      beforeUpdate: ({ before, values }) => {
        if (values.name !== undefined) mustNotBeBuiltIn(before.name)
      },
      afterUpdate: async context => {
        const { pk, before, values, isService, records } = context
        if (values.name === undefined) return
        for (const user of await membersOf(records.asService, pk))
          await copyRights(records.asService, { user }, listener)
        if (!isService) await recordRole(context, 'ROLE_RENAMED', { former: before.name, role: values.name })
      },
      beforeDelete: async ({ pk, before: { name }, records: { asService } }) => {
        mustNotBeBuiltIn(name)
        for (const user of await membersOf(asService, pk))
          await copyRights(asService, { user, without: name }, listener)
      },
      afterDelete: async context => {
        if (!context.isService) await recordRole(context, 'ROLE_DELETED', { former: context.before.name })
      },
      afterRestore: async ({ pk, records: { asService } }) => {
        for (const user of await membersOf(asService, pk)) await copyRights(asService, { user }, listener)
      },
    },
  })

const mustNotBeBuiltIn = (name: string): void => {
  if (name in startingRoles)
    throw new Problem('conflict', {
      en: `The role ${name} is built in and cannot be changed.`,
      de: `Die Rolle ${name} ist eingebaut und lässt sich nicht ändern.`,
    })
}

const maxMembers = 1_000_000

const membersOf = async (records: TransactionRecords, rolePk: string): Promise<string[]> => {
  const members = records.tx.resource(roles).fields.get('members')
  if (!members) throw new Error('roles have members')
  return (await records.tx.pairs(members, [rolePk], { limit: maxMembers })).map(([, user]) => user)
}

const recordRole = (
  context: HookContext,
  type: 'ROLE_CREATED' | 'ROLE_RENAMED' | 'ROLE_DELETED',
  data: Readonly<Record<string, string>>,
): Promise<void> => peopleAudit.recordChange(context.records, context, { type, data })
