// The outbox: queues mails, and keeps it in order.

import { expires, type Sweep } from '../../core/jobs/sweep.ts'
import type { ClientPages, MailAttachment, MailDefinition } from '../../core/mail.ts'
import { addressDigest, isEmail } from '../../core/model/email-address.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import type { Seed } from '../../core/module.ts'
import type { Health, Service } from '../../core/service.ts'
import { raise } from '../limits/index.ts'
import { keepAttachments } from './attachments.ts'
import { mailContents, mails, templatesIn } from './mails.ts'
import { disarm, fill, type LinkMailDefinition, type NamedAccount } from './templates.ts'
import { oneTimeTokens, reserveToken, withdrawToken } from './tokens.ts'
import { listMessages, mailSettings, removeMessage } from './transport.ts'

/** A mail to send. */
export interface NewMail<Content extends object> {
  /** A stored address, never one that a caller has just sent. */
  readonly recipient: string
  /** The language of the recipient, such as `de` or `de-AT`. */
  readonly locale: string
  readonly content: Content
  /** At most ten, with 10 MiB together. */
  readonly attachments?: readonly MailAttachment[]
}

/**
 * Queues a mail in the transaction of its cause: it is sent if that transaction commits. False when the address has got enough
 * mails of this name: then nothing is sent.
 *
 * @example
 * await queueMail(records, loanDue, {
 *   recipient: 'reader@example.org',
 *   locale: 'en',
 *   content: { name: 'Ada', title: 'Emma' },
 * })
 */
export const queueMail = <Content extends object>(
  records: TransactionRecords,
  definition: MailDefinition<Content, ClientPages>,
  mail: NewMail<Content>,
): Promise<boolean> => queue(records, definition, { ...mail, reserve: async () => null })

/** A mail whose link opens the account of a user. The token of the link is generated when the mail is sent. */
export interface LinkMail extends NewMail<NamedAccount> {
  /** The user's pk. */
  readonly user: string
}

export const queueLinkMail = (
  records: TransactionRecords,
  definition: LinkMailDefinition,
  mail: LinkMail,
): Promise<boolean> => {
  const binding = { purpose: definition.name, user: mail.user, address: mail.recipient }
  return queue(records, definition, { ...mail, reserve: () => reserveToken(records.asService, binding, records.now) })
}

type QueuedMail = NewMail<object> & { readonly reserve: () => Promise<string | null> }

/** The parts of a definition that do not depend on the type of its content. */
type MailKind = Pick<MailDefinition, 'name' | 'trusted' | 'isUrgent' | 'limit'>

const queue = async (caller: TransactionRecords, definition: MailKind, mail: QueuedMail): Promise<boolean> => {
  const { recipient, locale } = mail
  const { name: purpose, isUrgent = true } = definition
  const records = caller.asService
  if (!isEmail(recipient)) throw new Error('the recipient of a mail is not an e-mail address')
  if (await isTooMuch(records, definition, recipient)) return false
  const content = toPlain(mail.content, definition)
  const { pk } = await records.create(mails, {
    purpose,
    recipient,
    locale,
    subject: fill(templatesIn(records.tx), { purpose, locale, content, base: '' }).subject.slice(0, 500),
    isUrgent,
    nextAttempt: records.now.toISOString(),
  })
  await keepAttachments(records, pk, mail.attachments ?? [])
  const reservation = await mail.reserve()
  await records.create(mailContents, { mail: pk, content: JSON.stringify(content), reservation })
  return true
}

/** Texts without line breaks, which would end a header. Numbers and booleans stay what they are. */
const toPlain = (content: object, { trusted = [] }: MailKind): object =>
  Object.fromEntries(
    Object.entries(content).map(([key, value]) => {
      if (value === null || typeof value === 'number' || typeof value === 'boolean') return [key, value]
      const line = `${value}`.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      return [key, trusted.includes(key) ? line : disarm(line)]
    }),
  )

const hour = 3600_000

/**
 * Has the mailbox got enough mails of this purpose? Counts this one, too, from whichever caller it comes. Then nothing is sent, and
 * the caller gets no error: strangers could otherwise block the mails of a user.
 */
const isTooMuch = async (
  records: TransactionRecords,
  { name, limit = { count: 5, hours: 1 } }: MailKind,
  recipient: string,
): Promise<boolean> => {
  const event = { key: `${name} mails to ${addressDigest(recipient)}`, by: 1 }
  const { count } = await raise(records.asService, event, { window: limit.hours * hour, now: records.now })
  return count > limit.count
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
  const waiting = await records.count(mails, { where: { state: 'waiting' } })
  const failed = await records.count(mails, { where: { state: 'failed' } })
  const host = config.get(mailSettings).host
  return {
    status: waiting > backlog ? 'UNKNOWN' : 'UP',
    ...(host ? { location: `${host}:${config.get(mailSettings).port}` } : { location: 'outbox' }),
    waiting,
    failed,
  }
}

/** The number of waiting mails from which they are not normal. */
const backlog = 100

/**
 * The seed that withdraws tokens of links, which earlier versions stored with queued mails. Those mails get a new token
 * when they are sent.
 */
export const withdrawQueuedTokens: Seed = {
  name: 'tokens out of queued mails',
  run: async ({ records }) => {
    const queued = await records.find(mailContents)
    for (const mail of queued) if ('token' in JSON.parse(mail.content)) await withdraw(records, mail)
  },
}

const withdraw = async (records: TransactionRecords, mail: Row<typeof mailContents>): Promise<void> => {
  const { token, ...content } = JSON.parse(mail.content)
  const reservation = await withdrawToken(records.asService, String(token), records.now)
  if (reservation) await records.update(mailContents, mail.pk, { content: JSON.stringify(content), reservation })
  else await records.remove(mailContents, mail.pk)
}
