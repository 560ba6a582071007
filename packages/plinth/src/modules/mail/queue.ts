// Queues a mail in the transaction of its cause: it is sent if that transaction commits.

import type { TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import type { Seed } from '../../core/module.ts'
import { recordsIn } from '../../core/records/records.ts'
import { expires, type Sweep } from '../../core/rest/jobs.ts'
import type { Health, Service } from '../../core/rest/service.ts'
import { raise } from '../limits/index.ts'
import { mailContents, mails } from './mails.ts'
import { emailHashOf, isEmail } from './message.ts'
import { disarm, fill, type MailContents, type MailPurpose } from './templates.ts'
import { oneTimeTokens, reserveToken, type TokenPurpose, withdrawToken } from './tokens.ts'
import { listMessages, mailSettings, removeMessage } from './transport.ts'

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

// Upkeep of the outbox: sweeps, the health check, and the conversion of mails that earlier versions have queued.

export const mailSweeps: readonly Sweep[] = [
  expires(oneTimeTokens, ({ now }) => ({ expires: { le: now } })),
  expires(mails, ({ config, daysAgo }) => ({ createdDate: { le: daysAgo(config.get(mailSettings).keepDays) } })),
  { name: 'deleting messages of deleted mails', run: service => removeMessages(service) },
]

const atOnce = 500

/** However the record was deleted, the message goes with it: its links open accounts. */
const removeMessages = async ({ platform: { records }, config }: Service): Promise<void> => {
  const all = await listMessages(config)
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce)
    const found = await records.find(mails, { where: { pk: { in: some } } })
    const kept = new Set(found.map(({ pk }) => pk))
    for (const id of some) if (!kept.has(id)) await removeMessage(config, id)
  }
}

/** A mail server that is away does not affect anything else, so the service is never down because of it. */
export const checkMail = async ({ platform: { records }, config }: Service): Promise<Health> => {
  const waiting = await records.count(mails, { state: 'waiting' })
  const failed = await records.count(mails, { state: 'failed' })
  const host = config.get(mailSettings).host
  return {
    status: waiting > backlog ? 'UNKNOWN' : 'UP',
    ...(host ? { location: `${host}:${config.get(mailSettings).port}` } : { location: 'outbox' }),
    waiting,
    failed,
  }
}

/** More waiting mails than this are not normal. */
const backlog = 100

/** Earlier versions stored the token of a link with its queued mail. Those mails get a new token when they are sent. */
export const withdrawQueuedTokens: Seed = {
  name: 'tokens out of queued mails',
  run: async records => {
    const queued = await records.find(mailContents)
    for (const mail of queued) if ('token' in JSON.parse(mail.content)) await withdraw(records, mail)
  },
}

const withdraw = async (records: TransactionRecords, mail: Row<typeof mailContents>): Promise<void> => {
  const { token, ...content } = JSON.parse(mail.content)
  const reservation = await withdrawToken(records.tx, String(token), records.now)
  if (reservation) await records.update(mailContents, mail.pk, { content: JSON.stringify(content), reservation })
  else await records.remove(mailContents, mail.pk)
}
