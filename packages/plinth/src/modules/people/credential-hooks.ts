// Hooks of userCredentials: administrators set passwords, and let users sign in or not.

import { extendResource } from '../../core/model/extend.ts'
import type { HookName } from '../../core/model/hook-set.ts'
import type { HookContext } from '../../core/model/hooks.ts'
import type { HookContextOf } from '../../core/model/typed-hooks.ts'
import { endTokens } from '../mail/index.ts'
import type { AccountListener } from './account-listener.ts'
import { isUnconfirmed, replaceHash } from './credentials.ts'
import { passwordContextOf } from './find-user.ts'
import { guardAdministrators } from './last-administrator.ts'
import { mustBeStrong } from './password-strength.ts'
import { hashOfNew } from './passwords.ts'
import { peopleAudit } from './problems.ts'
import { secrets } from './secrets.ts'
import { userCredentials } from './user-credentials.ts'
import { users } from './users.ts'

type CredentialsContext<Name extends HookName> = HookContextOf<typeof userCredentials, Name>

type Writing = CredentialsContext<'beforeCreate' | 'beforeUpdate'>
type Written = CredentialsContext<'afterCreate' | 'afterUpdate'>

export const credentialHooks = (listener: AccountListener) =>
  extendResource(userCredentials, {
    hooks: {
      // Each sign-in changes others.
      fields: ['active', 'inactivationReason', 'inactivationDate', 'password'],
      beforeCreate: async context => {
        const { pk, values, isService, records } = context
        await guardPassword(context)
        // The service creates credentials together with the user, complete.
        if (isService) return
        values.mfa = (await records.asService.first(secrets, { where: { pk } }))?.mfa === true
        await prepareChange(context)
      },
      afterCreate: async context => {
        if (!context.isService) await followChange(context, listener)
      },
      beforeUpdate: async context => {
        await guardPassword(context)
        await prepareChange(context)
      },
      afterUpdate: async context => {
        await followChange(context, listener)
      },
      beforeDelete: async context => {
        await guardUser(context, true)
      },
      afterDelete: async context => {
        const records = context.records.asService
        await setActive(context, listener, false)
        await records.update(secrets, context.pk, { passwordHash: null })
        const { username } = await records.get(users, context.pk)
        await listener.credentialsDeleted(records, { user: context.pk, username, change: context })
      },
    },
  })

/** Guards the passwords of administrators: who sets one can become that administrator. */
const guardPassword = async (context: Writing): Promise<void> => {
  const { values, isService } = context
  const ends = values.active === false
  if (!ends && (isService || (!values.password && values.active === undefined))) return
  await guardUser(context, ends)
}

const guardUser = async ({ pk: user, caller, isService, records }: HookContext, ends: boolean): Promise<void> => {
  await records.asService.lock(users, user)
  await guardAdministrators(records.asService, { user, caller, isService, ends })
}

const prepareChange = async (context: Writing): Promise<void> => {
  const { pk, values, now, records } = context
  if (values.password) {
    await mustBeStrong(values.password.plain, await passwordContextOf(records.asService, pk), context)
    values.lastPassWordChangeDate = now.toISOString()
  }
  setInactivationDate(context)
}

/** Deactivated users have a date. It tells them apart from users who have not confirmed their registration yet. */
const setInactivationDate = ({ values, before, now }: Writing): void => {
  if (values.active) {
    values.inactivationReason ??= null
    values.inactivationDate ??= null
  }
  if (values.active ?? before?.active) return
  const hasNoReason = values.active === undefined && !values.inactivationReason
  if (hasNoReason && isUnconfirmed(before)) return
  values.inactivationDate ??= before?.inactivationDate ?? now.toISOString()
}

const followChange = async (context: Written, listener: AccountListener): Promise<void> => {
  const { pk, values, before, records } = context
  const { asService } = records
  const isRejected = isUnconfirmed(before) && !values.active && Boolean(values.inactivationDate)
  if (isRejected || before === null || values.active !== undefined)
    await setActive(context, listener, !isRejected && values.active !== false)
  const hash = hashOfNew(values.password, {})
  if (hash === null) return
  await replaceHash(asService, { user: pk, hash })
  const { username } = await asService.get(users, pk)
  await listener.passwordChanged(asService, { user: pk, username, change: context })
  await peopleAudit.recordChange(asService, context, { type: 'PASSWORD_CHANGED', data: { user: username } })
}

/** Lets the user sign in, or ends every session and lets none begin. */
const setActive = async (context: HookContext, listener: AccountListener, active: boolean): Promise<void> => {
  const { pk, records, isService } = context
  const { asService } = records
  const { username } = await asService.update(users, pk, { active })
  await asService.update(secrets, pk, { active })
  if (!active) {
    await listener.deactivated(asService, pk)
    await endTokens(asService, pk)
  }
  // The service records its own reason.
  if (isService) return
  const type = active ? 'USER_ACTIVATED' : 'USER_DEACTIVATED'
  await peopleAudit.recordChange(asService, context, { type, data: { user: username } })
}
