// Registrations that came to nothing: nobody confirmed them in time, or another has shown whose the address is.

import type { Sender } from '../../../core/model/caller.ts'
import { everything, where } from '../../../core/model/query.ts'
import type { StoredRecord } from '../../../core/model/record.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { recordAudit } from '../../audit/index.ts'
import { isUnconfirmed } from '../../contacts/index.ts'
import { emailHashOf, endTokens } from '../../mail/index.ts'
import { endSessions } from '../sessions/sessions.ts'
import { freeCode } from './codes.ts'

interface Proven {
  /** The pk of the user whose address it is; null for one who is yet to be made. */
  readonly user: string | null
  readonly address: string
  /** From where the user has shown it, for the audit. */
  readonly sender: Pick<Sender, 'remoteAddress'> | null
}

/** Others who registered with this address could not show that it is theirs; now they never will. */
export const clearTheWay = async (tx: Transaction, { user, address, sender }: Proven, now: Date): Promise<void> => {
  const users = tx.resource('users')
  const rivals = where(users, { emailHash: emailHashOf(address), active: false })
  const { records } = await tx.find(users, everything(users, rivals))
  for (const rival of records) {
    if (rival.pk === user || !isUnconfirmed(await tx.lock(tx.resource('userCredentials'), rival.pk))) continue
    if (!(await removeUnconfirmed(tx, rival.pk, now))) await bar(tx, { rival, sender }, now)
  }
}

/** False when other records refer to the user, such as those of a store: then nothing is done. */
export const removeUnconfirmed = async (tx: Transaction, user: string, now: Date): Promise<boolean> => {
  const users = tx.resource('users')
  // Held first: whoever would refer to the user from now on waits, and finds nobody.
  await tx.lock(users, user)
  if (await tx.isReferenced(users, user)) return false
  await freeCode(tx, user, now)
  await endSessions(tx, user)
  await tx.remove(users, user)
  return true
}

/** Stays for those who refer to it, and can never be confirmed. */
const bar = async (
  tx: Transaction,
  { rival: { pk, username }, sender }: Pick<Proven, 'sender'> & { readonly rival: StoredRecord },
  now: Date,
): Promise<void> => {
  const [date, inactivationReason] = [now.toISOString(), 'Another user has confirmed the e-mail address.']
  await freeCode(tx, pk, now)
  await endSessions(tx, pk)
  await endTokens(tx, pk)
  await tx.update(tx.resource('userCredentials'), pk, {
    inactivationReason,
    inactivationDate: date,
    lastModifiedDate: date,
  })
  const address = sender && { address: sender.remoteAddress }
  const data = { user: String(username), reason: inactivationReason, ...address }
  await recordAudit(tx, { type: 'USER_DEACTIVATED', principal: null, data, now })
}
