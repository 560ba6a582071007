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
import type { Transaction } from '../../core/model/transaction.ts'
import { isUnavailable } from '../../core/problem.ts'
import { recordsIn } from '../../core/records/records.ts'
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
  await limitAddress(context, request.remoteAddress)
  await platform.store.transaction(async tx => {
    const data = { address: request.remoteAddress }
    await registrationAudit.record(tx, {
      type: 'PASSWORD_RESET_REQUESTED',
      principal: name,
      data,
      now: platform.clock(),
    })
    await recordsIn(tx).create(resetRequests, { name })
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
  const { records, store, clock } = service.platform
  for (const { pk } of await records.find(resetRequests, { limit: batchSize })) {
    if (signal.aborted) return
    await store.transaction(tx => handle(tx, pk, clock())).catch(error => drop(service, pk, error))
  }
}

/** A request that fails again and again would delay all others; the user can send another one. */
const drop = async ({ platform: { records }, log }: Service, pk: string, error: unknown): Promise<void> => {
  if (isUnavailable(error)) throw error
  log.error({ err: error }, 'answering a request for a new password failed')
  await records.removeMany(resetRequests, { where: { pk } })
}

const handle = async (tx: Transaction, pk: string, now: Date): Promise<void> => {
  const records = recordsIn(tx)
  const request = await records.lock(resetRequests, pk)
  if (!request) return
  await records.remove(resetRequests, pk)
  const user = (await findUserByName(tx, request.name)) ?? (await findRegistration(tx, request.name))
  if (user?.active) await sendLink(tx, user, now)
  else if (user) await resendConfirmation(tx, user, now)
}

const findRegistration = async (tx: Transaction, name: string): Promise<User | null> => {
  const found = await findUnconfirmed(tx, name)
  return found && recordsIn(tx).first(users, { where: { pk: found.pk } })
}

const sendLink = async (tx: Transaction, user: User, now: Date): Promise<void> => {
  const recipient = await mailboxOf(tx, user.pk)
  if (recipient === null) return sendWelcome(tx, user.pk, now)
  const { pk, name, username, locale } = user
  const records = recordsIn(tx).acting({ now })
  await queueLinkMail(records, passwordReset, { user: pk, recipient, locale, content: { name, username } })
}

/** Sends the confirmation to the address of the registration, unless another user has confirmed that address by now. */
const resendConfirmation = async (tx: Transaction, user: User, now: Date): Promise<void> => {
  const records = recordsIn(tx)
  if (!isUnconfirmed(await records.first(userCredentials, { where: { pk: user.pk } }))) return
  const details = await records.first(contactDetails, { where: { pk: user.pk } })
  const email = details?.primaryEmail?.email
  if (email === undefined || (await emailHashOf(tx, email)) !== user.emailHash) return
  if (await findUserByName(tx, email)) return
  await sendConfirmation(tx, { user: user.pk, email, mail: confirmation }, now)
}
