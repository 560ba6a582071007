// Sends what waits in the outbox. Several instances may do so at once: who takes a mail leases it first.

import { everything, upTo, where } from '../../core/model/query.ts'
import type { Link, StoredRecord } from '../../core/model/record.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { toHtml, toText } from './layout.ts'
import { mailContents, mails } from './mails.ts'
import { type Contents, fill, type Purpose } from './templates/index.ts'
import { toLocale } from './templates/message.ts'
import { issueToken } from './tokens.ts'
import { createTransport, type Transport } from './transport.ts'

/** Between two looks into the outbox. */
const pause = 200
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

export const startSender = (service: Service): (() => Promise<void>) => {
  const sending = { service, transport: createTransport(service.config) }
  const stop = repeatedly(service, {
    name: 'sending mails',
    pause,
    round: signal => sendWaiting(sending, signal),
  })
  return async () => {
    await stop()
    sending.transport.close()
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
const findDue = async ({ service }: Sending, isUrgent: boolean): Promise<readonly StoredRecord[] | null> => {
  const { registry, store, clock } = service.platform
  const resource = registry.resource(mails.name)
  const parts = [where(resource, { state: 'waiting', isUrgent }), upTo(resource, 'nextAttempt', clock().toISOString())]
  const { records } = await store.find(resource, everything(resource, { op: 'and', parts }, atOnce))
  return records.length > 0 ? records : null
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

interface Leased {
  readonly mail: StoredRecord
  readonly said: Said
}

interface Said {
  readonly content: Contents[Purpose]
  /** For the link, if it takes one. */
  readonly token?: string
}

/** Null when another sender took it, or when there is nothing to send any more. */
const lease = ({ platform }: Service, pk: string): Promise<Leased | null> =>
  platform.store.transaction(async tx => {
    const now = platform.clock()
    const outbox = tx.resource(mails.name)
    const mail = await tx.lock(outbox, pk)
    if (mail?.state !== 'waiting' || Date.parse(String(mail.nextAttempt)) > now.getTime()) return null
    const lastModifiedDate = now.toISOString()
    const said = await readContent(tx, pk)
    if (!said) {
      const lastError = 'the link is no longer valid'
      await tx.update(outbox, pk, { state: 'failed', nextAttempt: null, lastError, lastModifiedDate })
      return null
    }
    const nextAttempt = new Date(now.getTime() + leasedFor).toISOString()
    const attempts = Number(mail.attempts) + 1
    const held = await tx.update(outbox, pk, { attempts, nextAttempt, lastModifiedDate })
    return held && { mail: held, said }
  })

/** Each attempt has a token of its own. Null when the reservation of the token has ended. */
const readContent = async (tx: Transaction, pk: string): Promise<Said | null> => {
  const kept = await tx.get(tx.resource(mailContents.name), pk)
  if (!kept) return null
  const content = JSON.parse(String(kept.content))
  const reservation = kept.reservation as Link | null
  if (!reservation) return { content }
  const token = await issueToken(tx, reservation.pk)
  return token === null ? null : { content, token }
}

const toLetter = ({ mail, said }: Leased, service: Service) => {
  const locale = String(mail.locale)
  const message = fill({
    purpose: mail.purpose as Purpose,
    locale,
    ...said,
    base: service.address(),
  })
  return {
    id: mail.pk,
    recipient: String(mail.recipient),
    subject: message.subject,
    html: toHtml(message, toLocale(locale)),
    text: toText(message),
    date: service.platform.clock(),
  }
}

const noteFailure = async (service: Service, mail: StoredRecord, error: unknown): Promise<void> => {
  const now = service.platform.clock().getTime()
  const lastError = nameOf(error)
  service.log.warn({ mail: mail.pk, purpose: mail.purpose, attempts: mail.attempts, error: lastError }, 'mail not sent')
  const isOver = isPermanent(error) || now - Date.parse(String(mail.createdDate)) >= givenUpAfter
  if (isOver) return settle(service, mail.pk, { state: 'failed', lastError })
  const nextAttempt = new Date(now + delayAfter(Number(mail.attempts))).toISOString()
  const lastModifiedDate = new Date(now).toISOString()
  await service.platform.store.transaction(tx =>
    tx.update(tx.resource(mails.name), mail.pk, { nextAttempt, lastError, lastModifiedDate }),
  )
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

const settle = async ({ platform }: Service, pk: string, values: Record<string, unknown>): Promise<void> => {
  await platform.store.transaction(async tx => {
    const lastModifiedDate = platform.clock().toISOString()
    await tx.update(tx.resource(mails.name), pk, { ...values, nextAttempt: null, lastModifiedDate })
    await tx.remove(tx.resource(mailContents.name), pk)
  })
}
