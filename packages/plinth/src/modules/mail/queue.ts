// Queues a mail in the transaction of its cause: it is sent if that transaction commits.

import type { Transaction } from '../../core/model/transaction.ts'
import { recordsIn } from '../../core/records/records.ts'
import { raise } from '../limits/index.ts'
import { emailHashOf, isEmail } from './address.ts'
import { mailContents, mails } from './mails.ts'
import { disarm, fill, type MailContents, type MailPurpose } from './templates.ts'
import { reserveToken, type TokenPurpose } from './tokens.ts'

export interface NewMail<P extends MailPurpose> {
  readonly purpose: P
  /** A stored address, never one that a caller has just sent. */
  readonly recipient: string
  readonly locale: string
  readonly content: MailContents[P]
}

/** False when the mailbox has got enough mails of this purpose: then nothing is sent. */
export const queueMail = <P extends Exclude<MailPurpose, TokenPurpose>>(
  tx: Transaction,
  mail: NewMail<P>,
  now: Date,
): Promise<boolean> => queue(tx, { ...mail, reserve: async () => null }, now)

/** A mail whose link opens the account of a user. The token of the link is generated when the mail is sent. */
export interface LinkMail<P extends TokenPurpose> extends NewMail<P> {
  /** The user's pk. */
  readonly user: string
}

export const queueLinkMail = <P extends TokenPurpose>(
  tx: Transaction,
  mail: LinkMail<P>,
  now: Date,
): Promise<boolean> => {
  const { purpose, user, recipient: address } = mail
  return queue(tx, { ...mail, reserve: () => reserveToken(tx, { purpose, user, address }, now) }, now)
}

type QueuedMail<P extends MailPurpose> = NewMail<P> & { readonly reserve: () => Promise<string | null> }

const queue = async <P extends MailPurpose>(tx: Transaction, mail: QueuedMail<P>, now: Date): Promise<boolean> => {
  const { purpose, recipient, locale } = mail
  if (!isEmail(recipient)) throw new Error('the recipient of a mail is not an e-mail address')
  if (await isTooMuch(tx, mail, now)) return false
  const records = recordsIn(tx).acting({ now })
  const content = toPlain(mail.content)
  const { pk } = await records.create(mails, {
    purpose,
    recipient,
    locale,
    subject: fill({ purpose, locale, content, base: '' }).subject.slice(0, 500),
    isUrgent: purpose !== 'invitation',
    nextAttempt: now.toISOString(),
  })
  const reservation = await mail.reserve()
  await records.create(mailContents, { mail: pk, content: JSON.stringify(content), reservation })
  return true
}

/** Texts that users choose; the service generates or checks everything else. */
const names = new Set(['name', 'inviter', 'keyName'])

/** Without line breaks, which would end a header. */
const toPlain = <Content extends object>(content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).map(([key, text]) => {
      const line = String(text).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      return [key, names.has(key) ? disarm(line) : line]
    }),
  ) as Content

const hour = 3600_000
const max = 5

/** An invitation can wait. */
const windowOf = (purpose: MailPurpose): number => (purpose === 'invitation' ? 24 * hour : hour)

/**
 * Has the mailbox got enough mails of this purpose? Counts this one, too, from whichever caller it comes. Then nothing is sent, and
 * the caller gets no error: strangers could otherwise block the mails of a user.
 */
const isTooMuch = async (
  tx: Transaction,
  { purpose, recipient }: { readonly purpose: MailPurpose; readonly recipient: string },
  now: Date,
): Promise<boolean> => {
  const event = { key: `${purpose} mails to ${emailHashOf(recipient)}`, by: 1 }
  const { count } = await raise(tx, event, { window: windowOf(purpose), now })
  return count > max
}
