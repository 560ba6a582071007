// The primary e-mail address opens the account once it is confirmed: who may enter one, and how it goes again.

import { covers, isAdmin } from '../../core/model/caller.ts'
import type { Change } from '../../core/model/define.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { recordsIn } from '../../core/records/records.ts'
import { type AuditEvent, recordChange } from '../audit/index.ts'
import { emailHashOf, endTokens, maskEmail } from '../mail/index.ts'
import { askToConfirm, type Claim } from './confirm.ts'
import { limitAddresses } from './limits.ts'
import { mailboxes, mailboxOf } from './mailboxes.ts'
import { contactFault } from './parts.ts'
import { isUnconfirmed } from './unconfirmed.ts'

interface Email {
  readonly email: string
  readonly verified: boolean
}

/** As it will be: null when it goes, undefined when nothing is said of it. */
const emailAfter = ({ kind, before, values }: Change): Email | null | undefined => {
  if (kind === 'delete') return before?.primaryEmail ? null : undefined
  const email = values.primaryEmail as Email | null | undefined
  return kind === 'create' ? (email ?? undefined) : email
}

/** Before the write. */
export const checkEmail = async (change: Change, tx: Transaction): Promise<void> => {
  const { pk, values, caller } = change
  const email = emailAfter(change)
  if (email === undefined) return
  await mustBeTheirs(change, tx)
  const mailbox = await mailboxOf(tx, pk)
  if (mailbox === null) return
  if (email === null) {
    if (!isAdmin(caller)) throw staysConfirmed()
  } else if (emailHashOf(email.email) === emailHashOf(mailbox)) {
    // Whoever thinks better of another address goes back to the one that is confirmed already.
    values.primaryEmail = { ...email, verified: true }
  }
}

/** Who enters an address for another could come in by it: so they must have every right already that it would open. */
const mustBeTheirs = async ({ pk, caller }: Change, tx: Transaction): Promise<void> => {
  if (caller.pk === pk) return
  const secrets = await tx.get(tx.resource('secrets'), pk)
  if (!covers(caller, (secrets?.roles ?? []) as readonly string[]))
    throw new Problem('forbidden', 'The address of somebody with more rights is not yours to change.')
  // Its address opens it without the password.
  if (!isAdmin(caller) && isUnconfirmed(await tx.get(tx.resource('userCredentials'), pk)))
    throw new Problem(
      'forbidden',
      'Only administrators change the address of a registration that is not confirmed yet.',
    )
}

const staysConfirmed = (): Problem => {
  const reason = contactFault('confirmed')
  const errors = [{ pointer: '/primaryEmail', member: 'primaryEmail', ...reason }]
  return new Problem('unprocessable', { detail: `primaryEmail ${reason.message}.`, errors })
}

/** After the write. */
export const followEmail = async (change: Change, tx: Transaction): Promise<void> => {
  const { pk, now } = change
  const email = emailAfter(change)
  if (email === undefined || email?.verified) return
  if (email === null) {
    await detach(tx, pk, now)
    await record(change, tx, 'EMAIL_REMOVED')
    return endIdentities(change, tx)
  }
  await limitAddresses(tx, pk, now)
  const claim = { user: pk, email: email.email }
  if (isUnconfirmed(await tx.get(tx.resource('userCredentials'), pk))) await registerWith(tx, claim, now)
  else await askToConfirm(tx, claim, now)
  if (change.caller.pk !== pk) await record(change, tx, 'EMAIL_ENTERED')
}

/** The registration is as if it were made with this address, which alone confirms it from now on. */
const registerWith = async (tx: Transaction, { user, email }: Claim, now: Date): Promise<void> => {
  const emailHash = emailHashOf(email)
  await recordsIn(tx).acting({ now }).update(tx.resource('users').definition, user, { emailHash })
  await endTokens(tx, user)
  await askToConfirm(tx, { user, email, purpose: 'confirmation' }, now)
}

/** It opens nothing any more, nor does anything that was sent to it. */
const detach = async (tx: Transaction, user: string, now: Date): Promise<void> => {
  const records = recordsIn(tx).acting({ now })
  await records.removeWhere(mailboxes, { pk: user })
  await records.update(tx.resource('users').definition, user, { emailHash: null })
  await records.update(tx.resource('secrets').definition, user, { verifiedEmail: null })
  await endTokens(tx, user)
}

/** Other services come to open an account by its confirmed address; without one, none of them does. */
const endIdentities = async (change: Change, tx: Transaction): Promise<void> => {
  const count = await recordsIn(tx).removeWhere(tx.resource('externalIdentities').definition, { user: change.pk })
  if (count === 0) return
  const user = await tx.get(tx.resource('users'), change.pk)
  const data = { user: String(user?.username), count: String(count) }
  await recordChange(tx, change, { type: 'IDENTITY_REMOVED', data })
}

const record = async (change: Change, tx: Transaction, type: AuditEvent['type']): Promise<void> => {
  const user = await tx.get(tx.resource('users'), change.pk)
  const former = change.before?.primaryEmail as Email | null | undefined
  const email = emailAfter(change)
  const data = {
    user: String(user?.username),
    ...(former && { former: maskEmail(former.email) }),
    ...(email && { email: maskEmail(email.email) }),
  }
  await recordChange(tx, change, { type, data })
}
