// Requests for new passwords, one after the other: the mail goes to the mailbox that the account is known to have, and to no
// address that was sent. Several instances may do so at once; a request is answered once.

import { everything } from '../../../core/model/query.ts'
import type { StoredRecord } from '../../../core/model/record.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { isUnavailable } from '../../../core/problem.ts'
import { repeatedly } from '../../../core/rest/background.ts'
import type { Service } from '../../../core/rest/service.ts'
import { askToConfirm, isUnconfirmed, mailboxOf } from '../../contacts/index.ts'
import { emailHashOf, queueLinkMail } from '../../mail/index.ts'
import { findUnconfirmed, findUserByName } from '../find-user.ts'
import { resetRequests } from './request-reset.ts'

/** Between two looks. */
const pause = 200
const atOnce = 100

export const startAnsweringResets = (service: Service): (() => Promise<void>) =>
  repeatedly(service, {
    name: 'answering requests for new passwords',
    pause,
    round: signal => answerAll(service, signal),
  })

const answerAll = async (service: Service, signal: AbortSignal): Promise<void> => {
  const { store, clock } = service.platform
  const resource = store.resource(resetRequests.name)
  const { records } = await store.find(resource, everything(resource, null, atOnce))
  for (const { pk } of records) {
    if (signal.aborted) return
    await store.transaction(tx => answer(tx, pk, clock())).catch(error => giveUp(service, pk, error))
  }
}

/** Whoever asked can ask again. Tried for ever, it would keep everybody else waiting. */
const giveUp = async ({ platform: { store }, log }: Service, pk: string, error: unknown): Promise<void> => {
  if (isUnavailable(error)) throw error
  log.error({ err: error }, 'answering a request for a new password failed')
  await store.transaction(tx => tx.remove(tx.resource(resetRequests.name), pk))
}

const answer = async (tx: Transaction, pk: string, now: Date): Promise<void> => {
  const resource = tx.resource(resetRequests.name)
  const asked = await tx.lock(resource, pk)
  if (!asked) return
  await tx.remove(resource, pk)
  const name = String(asked.name)
  const newcomer = async () => {
    const found = await findUnconfirmed(tx, name)
    return found && tx.get(tx.resource('users'), found.pk)
  }
  const user = (await findUserByName(tx, name)) ?? (await newcomer())
  if (user) await sendTo(tx, user, now)
}

const sendTo = async (tx: Transaction, user: StoredRecord, now: Date): Promise<void> => {
  if (user.active !== true) return remindNewcomer(tx, user, now)
  const recipient = await mailboxOf(tx, user.pk)
  if (recipient === null) return
  const content = { name: String(user.name), username: String(user.username) }
  const mail = { purpose: 'passwordReset', user: user.pk, recipient, locale: String(user.locale), content } as const
  await queueLinkMail(tx, mail, now)
}

/**
 * Who has not confirmed the registration yet gets that mail again, at the address that was registered, unless it has become
 * another's meanwhile.
 */
const remindNewcomer = async (tx: Transaction, user: StoredRecord, now: Date): Promise<void> => {
  if (!isUnconfirmed(await tx.get(tx.resource('userCredentials'), user.pk))) return
  const details = await tx.get(tx.resource('contactDetails'), user.pk)
  const email = (details?.primaryEmail as { readonly email: string } | null | undefined)?.email
  if (email === undefined || emailHashOf(email) !== user.emailHash || (await findUserByName(tx, email))) return
  await askToConfirm(tx, { user: user.pk, email, purpose: 'confirmation' }, now)
}
