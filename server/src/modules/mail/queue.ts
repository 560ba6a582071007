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
  const content = oneLine(mail.content)
  const date = now.toISOString()
  await tx.insert(tx.resource(mails.name), pk, {
    purpose,
    recipient,
    locale,
    subject: fill({ purpose, locale, content, base: '' }).subject.slice(0, 500),
    state: 'waiting',
    attempts: 0,
    nextAttempt: date,
    createdDate: date,
    lastModifiedDate: date,
  })
  await tx.insert(tx.resource(mailContents.name), pk, { mail: pk, content: JSON.stringify(content) })
}

/** Names come from people: a line break in one would end a header. */
const oneLine = <Content extends object>(content: Content): Content =>
  Object.fromEntries(Object.entries(content).map(([key, text]) => [key, withoutBreaks(String(text))])) as Content

/** Control characters, and the separators of lines and paragraphs. */
const withoutBreaks = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
