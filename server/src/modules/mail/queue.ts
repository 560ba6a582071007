// A mail is written to the outbox in the transaction of its cause: sent if that is kept, and not otherwise.

import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../../core/model/transaction.ts'
import { isEmail } from './address.ts'
import { mailContents, mails } from './mails.ts'
import { type Contents, fill, type Purpose } from './templates/index.ts'

export interface Mail<P extends Purpose> {
  readonly purpose: P
  /** The stored address of the person meant, never one that a caller has just sent. */
  readonly recipient: string
  readonly locale: string
  readonly content: Contents[P]
}

export const queueMail = async <P extends Purpose>(tx: Transaction, mail: Mail<P>, now: Date): Promise<void> => {
  const { purpose, recipient, locale } = mail
  if (!isEmail(recipient)) throw new Error('a mail was queued for what is no address')
  const pk = uuidv7()
  const content = toPlain(mail.content)
  const date = now.toISOString()
  await tx.insert(tx.resource(mails.name), pk, {
    purpose,
    recipient,
    locale,
    subject: fill({ purpose, locale, content, base: '' }).subject.slice(0, 500),
    state: 'waiting',
    isUrgent: purpose !== 'invitation',
    attempts: 0,
    nextAttempt: date,
    createdDate: date,
    lastModifiedDate: date,
  })
  await tx.insert(tx.resource(mailContents.name), pk, { mail: pk, content: JSON.stringify(content) })
}

/** What people call themselves; everything else is made by the service or checked by it. */
const names = new Set(['name', 'inviter'])

/** A line break would end a header, and a name that is an address of the web would make others' mails out of ours. */
const toPlain = <Content extends object>(content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).map(([key, text]) => {
      const line = String(text).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      return [
        key,
        names.has(key)
          ? line
              .replace(/[:/\\@<>]+/g, ' ')
              .replace(/\.(?=\S)/g, '. ')
              .slice(0, 80)
          : line,
      ]
    }),
  ) as Content
