// Hooks of contactDetails. The primary e-mail address opens the account once it is confirmed: who may enter one, and how it is
// removed.

import { fault } from '../../core/fault.ts'
import { covers, isAdmin } from '../../core/model/caller.ts'
import { type ChangeOf, defineHooks } from '../../core/model/define-hooks.ts'
import type { Hooks } from '../../core/model/hooks.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { postalCodes } from '../geography/index.ts'
import { raise, tooMany } from '../limits/index.ts'
import { isSameMailbox, maskEmail } from '../mail/index.ts'
import type { AccountListener } from './account-listener.ts'
import { contactDetails } from './contact-details.ts'
import { isUnconfirmed } from './credentials.ts'
import { changeRegistration, removeMailbox, sendConfirmation } from './email-confirmation.ts'
import { mailboxOf } from './mailboxes.ts'
import { type PeopleAuditType, peopleAudit, peopleFault } from './problems.ts'
import { secrets } from './secrets.ts'
import { userCredentials } from './user-credentials.ts'
import { users } from './users.ts'

type ContactChange = ChangeOf<typeof contactDetails>

export const contactHooks = (listener: AccountListener): Hooks =>
  defineHooks(contactDetails, {
    before: async (change, tx) => {
      await checkPostalCodes(change, tx)
      if (!change.isService) await checkEmail(change, tx)
    },
    after: async (change, tx) => {
      // Code that enters an address sends the confirmation itself.
      if (!change.isService) await followEmail(change, tx, listener)
    },
  })

/**
 * Parts of a structure have no columns, so the database does not check what they refer to. Without the module geography, postal codes
 * are plain texts.
 */
const checkPostalCodes = async ({ values, records }: ContactChange, tx: Transaction): Promise<void> => {
  if (tx.published(postalCodes.name) === null) return
  const entered = [
    { member: 'primaryAddress', addresses: values.primaryAddress ? [values.primaryAddress] : [] },
    { member: 'addresses', addresses: values.addresses ?? [] },
  ]
  for (const { member, addresses } of entered) {
    for (const { postCode } of addresses) {
      if (!postCode || (await records.asService.first(postalCodes, { where: { pk: postCode } }))) continue
      const reason = fault('missing', { resource: 'postalCodes' })
      throw new Problem('unprocessable', { errors: [{ pointer: `/${member}`, member, ...reason }] })
    }
  }
}

/** The address after the change: null when it is removed, undefined when the change does not concern it. */
const emailAfter = ({ kind, before, values }: ContactChange) => {
  if (kind === 'delete') return before?.primaryEmail ? null : undefined
  return kind === 'create' ? (values.primaryEmail ?? undefined) : values.primaryEmail
}

const checkEmail = async (change: ContactChange, tx: Transaction): Promise<void> => {
  const { pk, values, caller } = change
  const email = emailAfter(change)
  if (email === undefined) return
  await checkEmailRights(change)
  const mailbox = await mailboxOf(tx, pk)
  if (mailbox === null) return
  if (email === null) {
    if (!isAdmin(caller)) throw staysConfirmed()
  } else if (isSameMailbox(email.email, mailbox)) {
    // The address goes back to the confirmed one.
    values.primaryEmail = { ...email, verified: true }
  }
}

/** An address opens the account. So callers who enter one for another user need every role of that user. */
const checkEmailRights = async ({ pk, caller, records: { asService } }: ContactChange): Promise<void> => {
  if (caller.pk === pk) return
  const stored = await asService.first(secrets, { where: { pk } })
  if (!covers(caller, stored?.roles ?? []))
    throw new Problem('forbidden', 'You cannot change the address of a user with roles that you do not have.')
  // The address of a registration opens it without the password.
  if (!isAdmin(caller) && isUnconfirmed(await asService.first(userCredentials, { where: { pk } })))
    throw new Problem('forbidden', 'Only administrators can change the address before the registration is confirmed.')
}

const staysConfirmed = (): Problem => {
  const reason = peopleFault('confirmed')
  const errors = [{ pointer: '/primaryEmail', member: 'primaryEmail', ...reason }]
  return new Problem('unprocessable', { detail: `primaryEmail ${reason.message}.`, errors })
}

const followEmail = async (change: ContactChange, tx: Transaction, listener: AccountListener): Promise<void> => {
  const { pk: user, now, records } = change
  const email = emailAfter(change)
  if (email === undefined || email?.verified) return
  if (email === null) {
    await removeMailbox(tx, user, now)
    const username = await recordEmail(change, tx, 'EMAIL_REMOVED')
    return listener.emailRemoved(tx, { user, username, change })
  }
  await limitAddresses(tx, user, now)
  const isRegistration = isUnconfirmed(await records.asService.first(userCredentials, { where: { pk: user } }))
  await (isRegistration ? changeRegistration : sendConfirmation)(tx, { user, email: email.email }, now)
  if (change.caller.pk !== user) await recordEmail(change, tx, 'EMAIL_ENTERED')
}

const maxPerDay = 20
const day = 24 * 3600_000

/** Each new address is sent a mail, even if it belongs to someone else. */
const limitAddresses = async (tx: Transaction, user: string, now: Date): Promise<void> => {
  const { count, until } = await raise(tx, { key: `addresses of ${user}`, by: 1 }, { window: day, now })
  if (count <= maxPerDay) return
  const detail = `At most ${maxPerDay} new addresses can be added per day`
  throw tooMany(maxPerDay, until.getTime() - now.getTime(), detail)
}

/** Answers the username. */
const recordEmail = async (change: ContactChange, tx: Transaction, type: PeopleAuditType): Promise<string> => {
  const { username } = await change.records.asService.get(users, change.pk)
  const former = change.before?.primaryEmail
  const email = emailAfter(change)
  const data = {
    user: username,
    ...(former && { former: maskEmail(former.email) }),
    ...(email && { email: maskEmail(email.email) }),
  }
  await peopleAudit.recordChange(tx, change, { type, data })
  return username
}
