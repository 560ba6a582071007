// The mailbox of a user is the confirmed e-mail address: links that open an account are sent there, never to an address that a caller
// gives or that is not confirmed yet.

import { defineResource } from '../../core/model/define.ts'
import { ref, text } from '../../core/model/fields.ts'
import { sharedWith } from '../../core/model/identifier.ts'
import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import { users } from './users.ts'

export const mailboxes = defineResource('mailboxes', {
  about: 'The verified e-mail address of each user.',
  identifier: sharedWith('user'),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade' }),
    address: text({ required: true, max: 254 }),
  },
  access: {},
})

export const mailboxOf = async (records: RecordReader, userPk: string): Promise<string | null> => {
  const mailbox = await records.first(mailboxes, { where: { pk: userPk } })
  return mailbox?.address ?? null
}

/** The address at which and the language in which a user gets mails. */
export interface MailRecipient {
  /** The confirmed address. */
  readonly recipient: string
  readonly locale: string
  readonly account: { readonly name: string; readonly username: string }
}

/**
 * The recipient of mails to a user, by the user's pk. Null for a user without a confirmed address.
 *
 * @example
 * const to = await mailRecipientOf(records, loan.borrower.pk)
 * if (to) await queueMail(records, loanDue, { ...to, content: { name: to.account.name, title: 'Emma' } })
 */
export const mailRecipientOf = async (
  { asService: records }: TransactionRecords,
  userPk: string,
): Promise<MailRecipient | null> => {
  const user = await records.first(users, { where: { pk: userPk } })
  const recipient = user && (await mailboxOf(records, userPk))
  return recipient ? { recipient, locale: user.locale, account: { name: user.name, username: user.username } } : null
}
