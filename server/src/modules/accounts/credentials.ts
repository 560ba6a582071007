// What follows when credentials change: passwords, and whether a user may sign in.

import type { Change, Hooks } from '../../core/model/define.ts'
import type { StoredRecord, Values } from '../../core/model/record.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { recordsIn } from '../../core/records/records.ts'
import { recordChange } from '../audit/index.ts'
import { isUnconfirmed } from '../contacts/index.ts'
import { endTokens } from '../mail/index.ts'
import { takePassword } from './new-password.ts'
import { passwordContextOf } from './password-context.ts'
import { secrets } from './secrets.ts'
import { endSessions } from './sessions/sessions.ts'
import { takeBack } from './take-back.ts'
import { userCredentials } from './user-credentials.ts'
import { users } from './users.ts'

export interface NewSecret {
  /** The user's pk. */
  readonly user: string
  readonly hash: string
  /** The session that goes on. */
  readonly session?: string | undefined
}

/** What came by the old password is over: sessions, and links in mails that would set yet another one. */
const replaceSecret = async (tx: Transaction, { user, hash, session }: NewSecret): Promise<void> => {
  await recordsIn(tx).update(secrets, user, { passwordHash: hash })
  await endSessions(tx, user, { except: session })
  await endTokens(tx, user, 'passwordReset')
}

export const setPassword = async (tx: Transaction, secret: NewSecret, now: Date): Promise<void> => {
  await recordsIn(tx).update(userCredentials, secret.user, { lastPassWordChangeDate: now.toISOString() })
  await replaceSecret(tx, secret)
}

/** Lets the user sign in, or ends every session and lets none begin. */
const setActive = async (tx: Transaction, change: Change, active: boolean): Promise<void> => {
  const { pk } = change
  const records = change.records.asService
  const { username } = await records.update(users, pk, { active })
  await records.update(secrets, pk, { active })
  if (!active) {
    await endSessions(tx, pk)
    await endTokens(tx, pk)
  }
  // Whatever makes the service do so is in the audit itself.
  if (change.isService) return
  const type = active ? 'USER_ACTIVATED' : 'USER_DEACTIVATED'
  await recordChange(tx, change, { type, data: { user: username } })
}

const before = async (change: Change, tx: Transaction): Promise<void> => {
  const { kind, pk, values, now } = change
  // The service makes credentials whole, together with the user.
  if (kind === 'delete' || (kind === 'create' && change.isService)) return
  if (kind === 'create') values.mfa = (await recordsIn(tx).first(secrets, { pk }))?.mfa === true
  if (values.password !== undefined && takePassword(values.password, await passwordContextOf(tx, pk)) !== null)
    values.lastPassWordChangeDate = now.toISOString()
  dateInactivity(values, change.before, now)
}

/** Who was turned away has a date, and so is told apart from who has only not confirmed the registration yet. */
const dateInactivity = (values: Values, known: StoredRecord | null, now: Date): void => {
  if (values.active) {
    // The reason and the date of a state that is over say nothing any more.
    values.inactivationReason ??= null
    values.inactivationDate ??= null
  }
  if (values.active ?? known?.active) return
  const saysNothing = values.active === undefined && !values.inactivationReason
  if (saysNothing && isUnconfirmed(known)) return
  values.inactivationDate ??= known?.inactivationDate ?? now.toISOString()
}

const takeBackBy = async ({ pk, caller, sender, now }: Change, tx: Transaction): Promise<void> => {
  const { username } = await recordsIn(tx).get(users, pk)
  const data = { user: username, ...(sender && { address: sender.remoteAddress }) }
  await takeBack(tx, { userPk: pk, principal: caller.username, data, now })
}

const after = async (change: Change, tx: Transaction): Promise<void> => {
  const { kind, pk, values, caller } = change
  if (kind === 'create' && change.isService) return
  if (kind === 'delete') {
    await setActive(tx, change, false)
    await recordsIn(tx).update(secrets, pk, { passwordHash: null })
    return takeBackBy(change, tx)
  }
  const isBarred = isUnconfirmed(change.before) && !values.active && Boolean(values.inactivationDate)
  if (isBarred || kind === 'create' || values.active !== undefined)
    await setActive(tx, change, !isBarred && values.active !== false)
  const hash = takePassword(values.password, {})
  if (hash === null) return
  await replaceSecret(tx, { user: pk, hash, session: caller.session })
  await takeBackBy(change, tx)
  const { username } = await recordsIn(tx).get(users, pk)
  await recordChange(tx, change, { type: 'PASSWORD_CHANGED', data: { user: username } })
}

export const credentialsHooks: Hooks = { before, after }
