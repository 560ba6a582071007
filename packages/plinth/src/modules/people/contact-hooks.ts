// Hooks of contactDetails. The primary e-mail address opens the account once it is confirmed: who may enter one, and how it is
// removed.

import { fault } from '../../core/fault.ts'
import { covers, isAdmin } from '../../core/model/caller.ts'
import { extendResource } from '../../core/model/extend.ts'
import type { HookName } from '../../core/model/hook-set.ts'
import type { HookContext } from '../../core/model/hooks.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import type { HookContextOf } from '../../core/model/typed-hooks.ts'
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

type ContactContext<Name extends HookName> = HookContextOf<typeof contactDetails, Name>

type Writing = ContactContext<'beforeCreate' | 'beforeUpdate'>

export const contactHooks = (listener: AccountListener) =>
  extendResource(contactDetails, {
    hooks: {
      beforeCreate: async context => {
        await checkAddresses(context, context.values.primaryEmail ?? undefined)
      },
      afterCreate: async context => {
        await followEmail(context, { former: null, email: context.values.primaryEmail ?? undefined }, listener)
      },
      beforeUpdate: async context => {
        await checkAddresses(context, context.values.primaryEmail)
      },
      afterUpdate: async context => {
        const { before, values } = context
        await followEmail(context, { former: before.primaryEmail, email: values.primaryEmail }, listener)
      },
      beforeDelete: async context => {
        if (!context.isService && context.before.primaryEmail) await checkRemoval(context)
      },
      afterDelete: async context => {
        const { primaryEmail } = context.before
        await followEmail(context, { former: primaryEmail, email: primaryEmail ? null : undefined }, listener)
      },
    },
  })

type EmailAddress = NonNullable<Row<typeof contactDetails>['primaryEmail']>

/** The address after the change: null when it is removed, undefined when the change does not concern it. */
type AddressAfter = Pick<EmailAddress, 'email'> & { readonly verified?: boolean | null }

const checkAddresses = async (context: Writing, email: AddressAfter | null | undefined): Promise<void> => {
  await checkPostalCodes(context)
  if (context.isService || email === undefined) return
  if (email === null) return checkRemoval(context)
  await checkEmailRights(context)
  const mailbox = await mailboxOf(context.records.asService, context.pk)
  // The address goes back to the confirmed one.
  if (mailbox !== null && isSameMailbox(email.email, mailbox))
    context.values.primaryEmail = { ...email, verified: true }
}

const checkRemoval = async (context: HookContext): Promise<void> => {
  await checkEmailRights(context)
  const mailbox = await mailboxOf(context.records.asService, context.pk)
  if (mailbox !== null && !isAdmin(context.caller)) throw staysConfirmed()
}

/**
 * Parts of a structure have no columns, so the database does not check what they refer to. Without the module geography, postal codes
 * are plain texts.
 */
const checkPostalCodes = async ({ values, records }: Writing): Promise<void> => {
  if (records.tx.published(postalCodes.name) === null) return
  const entered = [
    { member: 'primaryAddress', addresses: values.primaryAddress ? [values.primaryAddress] : [] },
    { member: 'addresses', addresses: values.addresses ?? [] },
  ]
  for (const { member: field, addresses } of entered) {
    for (const { postCode } of addresses) {
      if (!postCode || (await records.asService.first(postalCodes, { where: { pk: postCode } }))) continue
      const reason = fault('missing', { resource: 'postalCodes' })
      throw new Problem('unprocessable', { errors: [{ pointer: `/${field}`, member: field, ...reason }] })
    }
  }
}

/** An address opens the account. So callers who enter one for another user need every role of that user. */
const checkEmailRights = async ({ pk, caller, records: { asService } }: HookContext): Promise<void> => {
  if (caller.pk === pk) return
  const stored = await asService.first(secrets, { where: { pk } })
  if (!covers(caller, stored?.roles ?? []))
    throw new Problem('forbidden', {
      en: 'You cannot change the address of a user with roles that you do not have.',
      de: 'Sie können die Adresse einer Person nicht ändern, die Rollen hat, die Ihnen fehlen.',
    })
  // The address of a registration opens it without the password.
  if (!isAdmin(caller) && isUnconfirmed(await asService.first(userCredentials, { where: { pk } })))
    throw new Problem('forbidden', {
      en: 'Only administrators can change the address before the registration is confirmed.',
      de: 'Solange die Registrierung nicht bestätigt ist, können nur Administratoren die Adresse ändern.',
    })
}

const staysConfirmed = (): Problem => {
  const reason = peopleFault('confirmed')
  const errors = [{ pointer: '/primaryEmail', member: 'primaryEmail', ...reason }]
  return new Problem('unprocessable', { detail: `primaryEmail ${reason.message}.`, errors })
}

interface ChangedAddress {
  readonly former: AddressAfter | null
  readonly email: AddressAfter | null | undefined
}

const followEmail = async (context: HookContext, change: ChangedAddress, listener: AccountListener): Promise<void> => {
  const { pk: user, now, records } = context
  const { asService } = records
  const { email } = change
  // Code that enters an address sends the confirmation itself.
  if (context.isService || email === undefined || email?.verified) return
  if (email === null) {
    await removeMailbox(asService, user, now)
    const username = await recordEmail(context, change, 'EMAIL_REMOVED')
    return listener.emailRemoved(asService, { user, username, change: context })
  }
  await limitAddresses(asService, user, now)
  const isRegistration = isUnconfirmed(await asService.first(userCredentials, { where: { pk: user } }))
  await (isRegistration ? changeRegistration : sendConfirmation)(asService, { user, email: email.email }, now)
  if (context.caller.pk !== user) await recordEmail(context, change, 'EMAIL_ENTERED')
}

const maxPerDay = 20
const day = 24 * 3600_000

/** Each new address is sent a mail, even if it belongs to someone else. */
const limitAddresses = async (records: TransactionRecords, user: string, now: Date): Promise<void> => {
  const { count, until } = await raise(records, { key: `addresses of ${user}`, by: 1 }, { window: day, now })
  if (count <= maxPerDay) return
  const detail = `At most ${maxPerDay} new addresses can be added per day`
  throw tooMany(maxPerDay, until.getTime() - now.getTime(), detail)
}

/** Answers the username. */
const recordEmail = async (
  context: HookContext,
  { former, email }: ChangedAddress,
  type: PeopleAuditType,
): Promise<string> => {
  const { records } = context
  const { username } = await records.asService.get(users, context.pk)
  const data = {
    user: username,
    ...(former && { former: maskEmail(former.email) }),
    ...(email && { email: maskEmail(email.email) }),
  }
  await peopleAudit.recordChange(records, context, { type, data })
  return username
}
