// Sends the mails in the outbox. Several instances may send at the same time: each leases a mail before it sends it.

import type { Config } from '../../core/config/settings.ts'
import { startPolling } from '../../core/jobs/poll.ts'
import { Setbacks } from '../../core/jobs/setbacks.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { Row, RowChanges } from '../../core/model/row.ts'
import { Problem } from '../../core/problem.ts'
import type { Service } from '../../core/service.ts'
import { attachmentsOf, mailAttachments, type ReadContent } from './attachments.ts'
import { mailContents, mails, templatesIn } from './mails.ts'
import { type MailBrand, toHtml, toText } from './message.ts'
import { isPermanentFailure, toSmtpFailure } from './smtp-failure.ts'
import { fill } from './templates.ts'
import { issueToken } from './tokens.ts'
import type { MailTransport } from './transport.ts'

/** The interval of retries, and of mails of instances that have ended. New mails are sent at once. */
const everyMs = 1000
/** The time after which the sender has crashed, and another may try. */
const leasedFor = 5 * 60_000
/** Links in mails are valid for a day. */
const maxAge = 24 * 3600_000
const firstDelay = 15_000
const longestDelay = 3600_000
/** Each with its own connection. */
const atOnce = 5

interface MailSender {
  readonly service: Service
  readonly transport: () => Promise<MailTransport>
  readonly readContent: ReadContent
}

export interface SenderParts {
  readonly open: (config: Config) => Promise<MailTransport>
  readonly readContent: ReadContent
}

export const startSender = async (
  service: Service,
  { open, readContent }: SenderParts,
): Promise<() => Promise<void>> => {
  let opened: Promise<MailTransport> | undefined
  // With the first mail, so that the service starts faster.
  const transport = () => {
    opened ??= open(service.config).catch(error => {
      opened = undefined
      throw error
    })
    return opened
  }
  const setbacks = new Setbacks()
  const stop = startPolling(service, {
    name: 'sending mails',
    everyMs,
    queue: mails,
    run: async (_, signal) => {
      const now = service.platform.clock()
      await setbacks.follow(now, () => planAgain(service, now))
      await sendWaiting({ service, transport, readContent }, signal)
    },
  })
  return async () => {
    await stop()
    const transport = await opened
    transport?.close()
  }
}

/** No right clock can have planned an attempt that is farther away than the longest delay. */
const planAgain = ({ platform }: Service, now: Date): Promise<number> => {
  const latest = new Date(now.getTime() + longestDelay).toISOString()
  const misplaced = { state: 'waiting', nextAttempt: { gt: latest } } as const
  return platform.records.updateMany(mails, { where: misplaced }, { nextAttempt: now.toISOString() })
}

/** Sends until no mail is due. Mails that a user waits for go first. */
const sendWaiting = async (sender: MailSender, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const due = (await findDue(sender, true)) ?? (await findDue(sender, false))
    if (!due) return
    await Promise.all(due.map(({ pk }) => sendOne(sender, pk)))
  }
}

/** Finds due mails, sorted by pk, which grows with time: the oldest come first. */
const findDue = async ({ service }: MailSender, isUrgent: boolean): Promise<readonly Mail[] | null> => {
  const { records, clock } = service.platform
  const isDue = { state: 'waiting', isUrgent, nextAttempt: { le: clock().toISOString() } } as const
  const due = await records.find(mails, { where: isDue, limit: atOnce })
  return due.length > 0 ? due : null
}

const sendOne = async (sender: MailSender, pk: string): Promise<void> => {
  const { service, transport, readContent } = sender
  const leased = await lease(service, pk)
  if (!leased) return
  try {
    const attachments = await attachmentsOf(service, pk, readContent)
    const { send } = await transport()
    await send({ ...toOutgoing(leased, service), attachments })
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found')
      return finish(service, pk, { state: 'failed', lastError: 'an attachment is gone' })
    await recordFailure(service, leased.mail, error)
    return
  }
  await finish(service, pk, { state: 'sent', sentDate: service.platform.clock().toISOString(), lastError: null })
}

type Mail = Row<typeof mails>

interface LeasedMail {
  readonly mail: Mail
  readonly input: LeasedInput
}

interface LeasedInput {
  readonly content: object
  /** The token of the link, if there is one. */
  readonly token?: string
}

/** Returns null when another sender has leased it, or when there is nothing to send any more. */
const lease = ({ platform }: Service, pk: string): Promise<LeasedMail | null> =>
  platform.records.transaction(async records => {
    const now = records.now.getTime()
    const mail = await records.lock(mails, pk)
    if (mail?.state !== 'waiting' || Date.parse(mail.nextAttempt ?? '') > now) return null
    const input = await readInput(records, pk)
    if (!input) {
      await records.update(mails, pk, { state: 'failed', nextAttempt: null, lastError: 'the link is no longer valid' })
      return null
    }
    const nextAttempt = new Date(now + leasedFor).toISOString()
    return { mail: await records.update(mails, pk, { attempts: mail.attempts + 1, nextAttempt }), input }
  })

/** Reads the input with a new token for each attempt. Null when the reservation of the token has ended. */
const readInput = async (records: TransactionRecords, pk: string): Promise<LeasedInput | null> => {
  const stored = await records.first(mailContents, { where: { pk } })
  if (!stored) return null
  const content = JSON.parse(stored.content)
  if (!stored.reservation) return { content }
  const token = await issueToken(records, stored.reservation.pk)
  return token === null ? null : { content, token }
}

/** Mail programs do not show SVG. */
const brandOf = (service: Service): MailBrand => {
  const { title, brand } = service.overview()
  const base = service.address()
  const isShown = brand.logo !== null && !brand.logo.endsWith('.svg')
  return { name: title, home: `${base}/client/`, logo: isShown ? `${base}${brand.logo}` : null, color: brand.color }
}

const toOutgoing = ({ mail, input }: LeasedMail, service: Service) => {
  const { purpose, recipient } = mail
  if (!purpose || !recipient) throw new Error('a mail needs a purpose and a recipient')
  const locale = mail.locale ?? 'en'
  const brand = brandOf(service)
  const message = fill(templatesIn(service.platform.store), { purpose, locale, ...input, base: service.address() })
  return {
    id: mail.pk,
    recipient,
    subject: message.subject,
    html: toHtml(message, brand),
    text: toText(message, brand),
    application: brand.name,
    date: service.platform.clock(),
  }
}

const recordFailure = async (service: Service, mail: Mail, error: unknown): Promise<void> => {
  const now = service.platform.clock().getTime()
  const { reason, remedy } = toSmtpFailure(error)
  const lastError = remedy === null ? reason : `${reason}. ${remedy}`
  service.log.warn({ mail: mail.pk, purpose: mail.purpose, attempts: mail.attempts, error: lastError }, 'mail not sent')
  const isFinal = isPermanentFailure(error) || now - Date.parse(mail.createdDate) >= maxAge
  if (isFinal) return finish(service, mail.pk, { state: 'failed', lastError })
  const nextAttempt = new Date(now + delayAfter(mail.attempts)).toISOString()
  await service.platform.records.update(mails, mail.pk, { nextAttempt, lastError })
}

/** Exponential back-off with jitter, so that a server that comes back is not flooded. */
const delayAfter = (attempts: number): number =>
  Math.min(longestDelay, firstDelay * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2)

const finish = async ({ platform }: Service, pk: string, changes: RowChanges<typeof mails>): Promise<void> => {
  await platform.records.transaction(async records => {
    if (await records.lock(mails, pk)) await records.update(mails, pk, { ...changes, nextAttempt: null })
    await records.removeMany(mailContents, { where: { pk } })
    await records.removeMany(mailAttachments, { where: { mail: pk } })
  })
}
