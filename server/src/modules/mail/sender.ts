// Sends what waits in the outbox. Several instances may do so at once: who takes a mail leases it first.

import type { TransactionRecords } from '../../core/model/records.ts'
import type { Row, RowChanges } from '../../core/model/row.ts'
import { startJob } from '../../core/rest/jobs.ts'
import type { Service } from '../../core/rest/service.ts'
import { toHtml, toText } from './layout.ts'
import { mailContents, mails } from './mails.ts'
import { type Contents, fill, type Purpose } from './templates/index.ts'
import { toLocale } from './templates/message.ts'
import { issueToken } from './tokens.ts'
import { createTransport, type Transport } from './transport.ts'

/** Between two looks into the outbox. */
const everyMs = 200
/** A sender that has not finished by then has died, and another may try. */
const leasedFor = 5 * 60_000
/** The links in mails work for a day; later they are not worth sending. */
const givenUpAfter = 24 * 3600_000
const firstDelay = 15_000
const longestDelay = 3600_000
/** Each over a connection of its own. */
const atOnce = 5

interface Sending {
  readonly service: Service
  readonly transport: Transport
}

export const startSender = async (service: Service): Promise<() => Promise<void>> => {
  const transport = createTransport(service.config)
  const stop = startJob(service, {
    name: 'sending mails',
    everyMs,
    run: (_, signal) => sendWaiting({ service, transport }, signal),
  })
  return async () => {
    await stop()
    transport.close()
  }
}

/** Until nothing waits. A person who is waiting for a mail goes before many who are not. */
const sendWaiting = async (sending: Sending, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const due = (await findDue(sending, true)) ?? (await findDue(sending, false))
    if (!due) return
    await Promise.all(due.map(({ pk }) => sendOne(sending, pk)))
  }
}

/** The pk grows with time, so those that wait longest come first. */
const findDue = async ({ service }: Sending, isUrgent: boolean): Promise<readonly Mail[] | null> => {
  const { records, clock } = service.platform
  const isDue = { state: 'waiting', isUrgent, nextAttempt: { le: clock().toISOString() } } as const
  const due = await records.find(mails, { where: isDue, limit: atOnce })
  return due.length > 0 ? due : null
}

const sendOne = async (sending: Sending, pk: string): Promise<void> => {
  const { service, transport } = sending
  const leased = await lease(service, pk)
  if (!leased) return
  try {
    await transport.send(toLetter(leased, service))
  } catch (error) {
    await noteFailure(service, leased.mail, error)
    return
  }
  await settle(service, pk, { state: 'sent', sentDate: service.platform.clock().toISOString(), lastError: null })
}

type Mail = Row<typeof mails>

interface Leased {
  readonly mail: Mail
  readonly said: Said
}

interface Said {
  readonly content: Contents[Purpose]
  /** For the link, if it takes one. */
  readonly token?: string
}

/** Null when another sender took it, or when there is nothing to send any more. */
const lease = ({ platform }: Service, pk: string): Promise<Leased | null> =>
  platform.records.transaction(async records => {
    const now = records.now.getTime()
    const mail = await records.lock(mails, pk)
    if (mail?.state !== 'waiting' || Date.parse(mail.nextAttempt ?? '') > now) return null
    const said = await readContent(records, pk)
    if (!said) {
      await records.update(mails, pk, { state: 'failed', nextAttempt: null, lastError: 'the link is no longer valid' })
      return null
    }
    const nextAttempt = new Date(now + leasedFor).toISOString()
    return { mail: await records.update(mails, pk, { attempts: mail.attempts + 1, nextAttempt }), said }
  })

/** Each attempt has a token of its own. Null when the reservation of the token has ended. */
const readContent = async (records: TransactionRecords, pk: string): Promise<Said | null> => {
  const kept = await records.first(mailContents, { pk })
  if (!kept) return null
  const content = JSON.parse(kept.content)
  if (!kept.reservation) return { content }
  const token = await issueToken(records, kept.reservation.pk)
  return token === null ? null : { content, token }
}

const toLetter = ({ mail, said }: Leased, service: Service) => {
  const { purpose, recipient } = mail
  if (!purpose || !recipient) throw new Error('a mail needs a purpose and a recipient')
  const locale = mail.locale ?? 'en'
  const message = fill({ purpose, locale, ...said, base: service.address() })
  return {
    id: mail.pk,
    recipient,
    subject: message.subject,
    html: toHtml(message, toLocale(locale)),
    text: toText(message),
    date: service.platform.clock(),
  }
}

const noteFailure = async (service: Service, mail: Mail, error: unknown): Promise<void> => {
  const now = service.platform.clock().getTime()
  const lastError = nameOf(error)
  service.log.warn({ mail: mail.pk, purpose: mail.purpose, attempts: mail.attempts, error: lastError }, 'mail not sent')
  const isOver = isPermanent(error) || now - Date.parse(mail.createdDate) >= givenUpAfter
  if (isOver) return settle(service, mail.pk, { state: 'failed', lastError })
  const nextAttempt = new Date(now + delayAfter(mail.attempts)).toISOString()
  await service.platform.records.update(mails, mail.pk, { nextAttempt, lastError })
}

/** Twice as long each time, and never quite the same, so that a server that comes back is not stormed. */
const delayAfter = (attempts: number): number =>
  Math.min(longestDelay, firstDelay * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2)

interface SmtpError {
  readonly code?: unknown
  readonly responseCode?: unknown
}

/** The server's own words may repeat the address or parts of the mail; its codes do not. */
const nameOf = (error: unknown): string => {
  const { code, responseCode } = (error ?? {}) as SmtpError
  return (
    [code, responseCode]
      .filter(part => part !== undefined)
      .join(' ')
      .slice(0, 200) || 'failed'
  )
}

/** The server refuses this recipient or message for good (RFC 5321, 4.2.1: 5yz); a wrong password may yet be mended. */
const isPermanent = (error: unknown): boolean => {
  const { code, responseCode } = (error ?? {}) as SmtpError
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) >= 500
}

const settle = async ({ platform }: Service, pk: string, changes: RowChanges<typeof mails>): Promise<void> => {
  await platform.records.transaction(async records => {
    if (await records.lock(mails, pk)) await records.update(mails, pk, { ...changes, nextAttempt: null })
    await records.removeWhere(mailContents, { pk })
  })
}
