// A mail is written to the outbox in the transaction of its cause: sent if that is kept, and not otherwise.

import type { Transaction } from '../../core/model/transaction.ts'
import { recordsIn } from '../../core/records/records.ts'
import { isEmail } from './address.ts'
import { isTooMuch } from './bounds.ts'
import { mailContents, mails } from './mails.ts'
import { disarm } from './templates/disarm.ts'
import { type Contents, fill, type Purpose } from './templates/index.ts'
import { reserveToken, type TokenPurpose } from './tokens.ts'

export interface Mail<P extends Purpose> {
  readonly purpose: P
  /** The stored address of the person meant, never one that a caller has just sent. */
  readonly recipient: string
  readonly locale: string
  readonly content: Contents[P]
}

/** False when the mailbox has got enough of the kind: then nothing is sent. */
export const queueMail = <P extends Exclude<Purpose, TokenPurpose>>(
  tx: Transaction,
  mail: Mail<P>,
  now: Date,
): Promise<boolean> => queue(tx, { ...mail, reserve: async () => null }, now)

/** A mail whose link opens the account of a user. The token of the link is made when the mail is sent. */
export interface LinkMail<P extends TokenPurpose> extends Mail<P> {
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

type Queued<P extends Purpose> = Mail<P> & { readonly reserve: () => Promise<string | null> }

const queue = async <P extends Purpose>(tx: Transaction, mail: Queued<P>, now: Date): Promise<boolean> => {
  const { purpose, recipient, locale } = mail
  if (!isEmail(recipient)) throw new Error('a mail was queued for what is no address')
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

/** What people call themselves; everything else is made by the service or checked by it. */
const names = new Set(['name', 'inviter', 'keyName'])

/** A line break would end a header. */
const toPlain = <Content extends object>(content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).map(([key, text]) => {
      const line = String(text).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      return [key, names.has(key) ? disarm(line) : line]
    }),
  ) as Content
