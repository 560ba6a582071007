// Hooks of userCredentials: administrators set passwords, and let users sign in or not.

import { type ChangeOf, defineHooks } from '../../core/model/define-hooks.ts'
import type { Hooks } from '../../core/model/hooks.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { endTokens } from '../mail/index.ts'
import type { AccountListener } from './account-listener.ts'
import { isUnconfirmed, replaceHash } from './credentials.ts'
import { passwordContextOf } from './find-user.ts'
import { guardAdministrators } from './last-administrator.ts'
import { hashOfNew } from './passwords.ts'
import { peopleAudit } from './problems.ts'
import { secrets } from './secrets.ts'
import { userCredentials } from './user-credentials.ts'
import { users } from './users.ts'

type CredentialsChange = ChangeOf<typeof userCredentials>

interface Follow {
  readonly listener: AccountListener
  readonly change: CredentialsChange
  readonly tx: Transaction
}

export const credentialHooks = (listener: AccountListener): Hooks =>
  defineHooks(userCredentials, {
    before: beforeChange,
    after: async (change, tx) => {
      // The service creates credentials together with the user, complete.
      if (change.kind === 'create' && change.isService) return
      await (change.kind === 'delete' ? afterDelete : afterWrite)({ listener, change, tx })
    },
  })

const beforeChange = async (change: CredentialsChange, tx: Transaction): Promise<void> => {
  const { kind, pk, values, now, records } = change
  await guardChange(change, tx)
  if (kind === 'delete' || (kind === 'create' && change.isService)) return
  if (kind === 'create') values.mfa = (await records.asService.first(secrets, { where: { pk } }))?.mfa === true
  if (values.password && hashOfNew(values.password, await passwordContextOf(tx, pk)) !== null)
    values.lastPassWordChangeDate = now.toISOString()
  setInactivationDate(change)
}

/** Who sets the password of an administrator can become that administrator. */
const guardChange = async (change: CredentialsChange, tx: Transaction): Promise<void> => {
  const { kind, pk: user, values, caller, isService, records } = change
  const ends = kind === 'delete' || values.active === false
  if (!ends && (isService || (!values.password && values.active === undefined))) return
  await records.asService.lock(users, user)
  await guardAdministrators(tx, { user, caller, isService, ends })
}

/** Deactivated users have a date. It tells them apart from users who have not confirmed their registration yet. */
const setInactivationDate = ({ values, before, now }: CredentialsChange): void => {
  if (values.active) {
    values.inactivationReason ??= null
    values.inactivationDate ??= null
  }
  if (values.active ?? before?.active) return
  const hasNoReason = values.active === undefined && !values.inactivationReason
  if (hasNoReason && isUnconfirmed(before)) return
  values.inactivationDate ??= before?.inactivationDate ?? now.toISOString()
}

const afterWrite = async (follow: Follow): Promise<void> => {
  const { listener, change, tx } = follow
  const { kind, pk, values, before } = change
  const isRejected = isUnconfirmed(before) && !values.active && Boolean(values.inactivationDate)
  if (isRejected || kind === 'create' || values.active !== undefined)
    await setActive(follow, !isRejected && values.active !== false)
  const hash = hashOfNew(values.password, {})
  if (hash === null) return
  await replaceHash(tx, { user: pk, hash })
  const { username } = await change.records.asService.get(users, pk)
  await listener.passwordChanged(tx, { user: pk, username, change })
  await peopleAudit.recordChange(tx, change, { type: 'PASSWORD_CHANGED', data: { user: username } })
}

const afterDelete = async (follow: Follow): Promise<void> => {
  const { listener, change, tx } = follow
  const records = change.records.asService
  await setActive(follow, false)
  await records.update(secrets, change.pk, { passwordHash: null })
  const { username } = await records.get(users, change.pk)
  await listener.credentialsDeleted(tx, { user: change.pk, username, change })
}

/** Lets the user sign in, or ends every session and lets none begin. */
const setActive = async ({ listener, change, tx }: Follow, active: boolean): Promise<void> => {
  const { pk, records } = change
  const { username } = await records.asService.update(users, pk, { active })
  await records.asService.update(secrets, pk, { active })
  if (!active) {
    await listener.deactivated(tx, pk)
    await endTokens(tx, pk)
  }
  // The service records its own reason.
  if (change.isService) return
  const type = active ? 'USER_ACTIVATED' : 'USER_DEACTIVATED'
  await peopleAudit.recordChange(tx, change, { type, data: { user: username } })
}
