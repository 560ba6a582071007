// Somebody has forgotten a password. The answer is the same whoever it is; the mail goes to the mailbox that the account is
// known to have, and to no address that was sent.

import type { Request } from '../../../core/http/exchange.ts'
import type { StoredRecord } from '../../../core/model/record.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import type { Context } from '../../../core/rest/platform.ts'
import { mailboxOf } from '../../contacts/index.ts'
import { issueToken, queueMail } from '../../mail/index.ts'
import { recordAudit } from '../audit.ts'
import { findUserByName } from '../find-user.ts'
import { isPending } from './confirm.ts'
import { isEnough, limitAddress } from './limits.ts'
import { sendConfirmation } from './register.ts'

export const requestReset = async (context: Context, request: Request, name: string): Promise<void> => {
  const { platform } = context
  await limitAddress(context, request.remoteAddress)
  const isQuiet = await isEnough(context, 'reset', name)
  await platform.store.transaction(async tx => {
    const now = platform.clock()
    const data = { address: request.remoteAddress }
    await recordAudit(tx, { type: 'PASSWORD_RESET_REQUESTED', principal: name, data, now })
    const user = await findUserByName(tx, name)
    if (user && !isQuiet) await sendTo(tx, user, now)
  })
}

const sendTo = async (tx: Transaction, user: StoredRecord, now: Date): Promise<void> => {
  if (user.active !== true) return remindNewcomer(tx, user, now)
  const recipient = await mailboxOf(tx, user.pk)
  if (recipient === null) return
  const token = await issueToken(tx, { purpose: 'passwordReset', user: user.pk, address: recipient }, now)
  const content = { name: String(user.name), username: String(user.username), token }
  await queueMail(tx, { purpose: 'passwordReset', recipient, locale: String(user.locale), content }, now)
}

/** Who has not confirmed the registration yet gets that mail again, unless the address has become another's meanwhile. */
const remindNewcomer = async (tx: Transaction, user: StoredRecord, now: Date): Promise<void> => {
  if (!isPending(await tx.get(tx.resource('userCredentials'), user.pk))) return
  const details = await tx.get(tx.resource('contactDetails'), user.pk)
  const email = (details?.primaryEmail as { readonly email: string } | null | undefined)?.email
  if (email === undefined || (await findUserByName(tx, email))) return
  const { pk, username, name, locale } = user
  const newcomer = { pk, email, username: String(username), name: String(name), locale: String(locale) }
  await sendConfirmation(tx, newcomer, now)
}
