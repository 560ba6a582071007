// Requests for new passwords, one after the other: the mail goes to the mailbox that the account is known to have, and to no
// address that was sent. Several instances may do so at once; a request is answered once.

import type { Row } from '../../../core/model/row.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { isUnavailable } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { repeatedly } from '../../../core/rest/background.ts'
import type { Service } from '../../../core/rest/service.ts'
import { askToConfirm, contactDetails, isUnconfirmed, mailboxOf } from '../../contacts/index.ts'
import { emailHashOf, queueLinkMail } from '../../mail/index.ts'
import { findUnconfirmed, findUserByName } from '../find-user.ts'
import { userCredentials } from '../user-credentials.ts'
import { users } from '../users.ts'
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
  const { records, store, clock } = service.platform
  for (const { pk } of await records.find(resetRequests, { limit: atOnce })) {
    if (signal.aborted) return
    await store.transaction(tx => answer(tx, pk, clock())).catch(error => giveUp(service, pk, error))
  }
}

/** Whoever asked can ask again. Tried for ever, it would keep everybody else waiting. */
const giveUp = async ({ platform: { records }, log }: Service, pk: string, error: unknown): Promise<void> => {
  if (isUnavailable(error)) throw error
  log.error({ err: error }, 'answering a request for a new password failed')
  await records.removeWhere(resetRequests, { pk })
}

type User = Row<typeof users>

const answer = async (tx: Transaction, pk: string, now: Date): Promise<void> => {
  const records = recordsIn(tx)
  const asked = await records.lock(resetRequests, pk)
  if (!asked) return
  await records.remove(resetRequests, pk)
  const { name } = asked
  const newcomer = async () => {
    const found = await findUnconfirmed(tx, name)
    return found && records.first(users, { pk: found.pk })
  }
  const user = (await findUserByName(tx, name)) ?? (await newcomer())
  if (user) await sendTo(tx, user, now)
}

const sendTo = async (tx: Transaction, user: User, now: Date): Promise<void> => {
  if (!user.active) return remindNewcomer(tx, user, now)
  const recipient = await mailboxOf(tx, user.pk)
  if (recipient === null) return
  const { pk, name, username, locale } = user
  const mail = { purpose: 'passwordReset', user: pk, recipient, locale, content: { name, username } } as const
  await queueLinkMail(tx, mail, now)
}

/**
 * Who has not confirmed the registration yet gets that mail again, at the address that was registered, unless it has become
 * another's meanwhile.
 */
const remindNewcomer = async (tx: Transaction, user: User, now: Date): Promise<void> => {
  const records = recordsIn(tx)
  if (!isUnconfirmed(await records.first(userCredentials, { pk: user.pk }))) return
  const details = await records.first(contactDetails, { pk: user.pk })
  const email = details?.primaryEmail?.email
  if (email === undefined || emailHashOf(email) !== user.emailHash || (await findUserByName(tx, email))) return
  await askToConfirm(tx, { user: user.pk, email, purpose: 'confirmation' }, now)
}
