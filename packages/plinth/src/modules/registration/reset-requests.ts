// Requests for a new password. A request does not look whether the account exists: it is stored in the same way for every name,
// and a background task sends the mail. So neither the answer nor its time reveals which accounts exist.
//
// The mail goes to the confirmed address of the account, never to an address that was sent. Several instances may send at the
// same time; each request is handled once.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from '../../core/http/exchange.ts'
import type { Poll } from '../../core/jobs/poll.ts'
import { defineResource } from '../../core/model/define.ts'
import { text } from '../../core/model/fields.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { isUnavailable } from '../../core/problem.ts'
import { recordsFor } from '../../core/records/records.ts'
import type { Context } from '../../core/rest/context.ts'
import type { Service } from '../../core/service.ts'
import { queueLinkMail } from '../mail/index.ts'
import {
  confirmation,
  contactDetails,
  emailHashOf,
  findUnconfirmed,
  findUserByName,
  isUnconfirmed,
  mailboxOf,
  sendConfirmation,
  sendWelcome,
  type User,
  userCredentials,
  users,
} from '../people/index.ts'
import { registrationAudit } from './faults.ts'
import { limitAddress } from './limits.ts'
import { passwordReset } from './mails.ts'

export const resetRequests = defineResource('resetRequests', {
  about: 'Requests for new passwords, until the mail is queued.',
  internal: true,
  stamps: 'none',
  fields: { name: text({ required: true, max: 320, about: 'The username or address that was sent.' }) },
  access: {},
})

export const requestReset = async (context: Context, request: Request, name: string): Promise<void> => {
  const start = performance.now()
  await storeRequest(context, request, name)
  const elapsed = performance.now() - start
  await sleep(responseTime(elapsed, Math.random()) - elapsed)
}

/** The step in milliseconds: longer than a response takes, and than what the mails for other accounts add to it. */
const responseStep = 100

/**
 * When to respond: after a whole number of steps, so that a few milliseconds more or less do not show, on a busy machine either. The
 * random part hides those that end on another side of a step.
 */
export const responseTime = (elapsed: number, random: number): number =>
  responseStep * (Math.ceil(elapsed / responseStep) + random / 2)

const storeRequest = async (context: Context, request: Request, name: string): Promise<void> => {
  const { platform } = context
  await limitAddress(recordsFor(context).asService, request.remoteAddress)
  await platform.records.transaction(async records => {
    const data = { address: request.remoteAddress }
    await registrationAudit.record(records, {
      type: 'PASSWORD_RESET_REQUESTED',
      principal: name,
      data,
      now: platform.clock(),
    })
    await records.create(resetRequests, { name })
  })
}

const batchSize = 100

export const handleResets: Poll = {
  name: 'handling requests for new passwords',
  // Not right after the request: the load of sending a mail would then reveal whether the account exists.
  everyMs: 200,
  run: (service, signal) => handleAll(service, signal),
}

const handleAll = async (service: Service, signal: AbortSignal): Promise<void> => {
  const { records, clock } = service.platform
  for (const { pk } of await records.find(resetRequests, { limit: batchSize })) {
    if (signal.aborted) return
    await records.transaction(records => handle(records, pk, clock())).catch(error => drop(service, pk, error))
  }
}

/** A request that fails again and again would delay all others; the user can send another one. */
const drop = async ({ platform: { records }, log }: Service, pk: string, error: unknown): Promise<void> => {
  if (isUnavailable(error)) throw error
  log.error({ err: error }, 'answering a request for a new password failed')
  await records.removeMany(resetRequests, { where: { pk } })
}

const handle = async (records: TransactionRecords, pk: string, now: Date): Promise<void> => {
  const request = await records.lock(resetRequests, pk)
  if (!request) return
  await records.remove(resetRequests, pk)
  const user = (await findUserByName(records, request.name)) ?? (await findRegistration(records, request.name))
  if (user?.active) await sendLink(records, user, now)
  else if (user) await resendConfirmation(records, user, now)
}

const findRegistration = async (records: TransactionRecords, name: string): Promise<User | null> => {
  const found = await findUnconfirmed(records, name)
  return found && records.first(users, { where: { pk: found.pk } })
}

const sendLink = async (transaction: TransactionRecords, user: User, now: Date): Promise<void> => {
  const recipient = await mailboxOf(transaction, user.pk)
  if (recipient === null) return sendWelcome(transaction, user.pk, now)
  const { pk, name, username, locale } = user
  const records = transaction.acting({ now })
  await queueLinkMail(records, passwordReset, { user: pk, recipient, locale, content: { name, username } })
}

/** Sends the confirmation to the address of the registration, unless another user has confirmed that address by now. */
const resendConfirmation = async (records: TransactionRecords, user: User, now: Date): Promise<void> => {
  if (!isUnconfirmed(await records.first(userCredentials, { where: { pk: user.pk } }))) return
  const details = await records.first(contactDetails, { where: { pk: user.pk } })
  const email = details?.primaryEmail?.email
  if (email === undefined || (await emailHashOf(records, email)) !== user.emailHash) return
  if (await findUserByName(records, email)) return
  await sendConfirmation(records, { user: user.pk, email, mail: confirmation }, now)
}
