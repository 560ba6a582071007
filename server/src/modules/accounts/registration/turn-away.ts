// Registrations that came to nothing: nobody confirmed them in time, or another has shown whose the address is.

import type { Sender } from '../../../core/model/caller.ts'
import type { Row } from '../../../core/model/row.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { recordAudit } from '../../audit/index.ts'
import { isUnconfirmed } from '../../contacts/index.ts'
import { emailHashOf } from '../../mail/index.ts'
import { endSessions } from '../sessions/sessions.ts'
import { userCredentials } from '../user-credentials.ts'
import { users } from '../users.ts'
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
  const records = recordsIn(tx)
  const rivals = await records.find(users, { where: { emailHash: emailHashOf(address), active: false } })
  for (const rival of rivals) {
    if (rival.pk === user || !isUnconfirmed(await records.lock(userCredentials, rival.pk))) continue
    if (!(await removeUnconfirmed(tx, rival.pk, now))) await bar(tx, { rival, sender }, now)
  }
}

/** False when other records refer to the user, such as those of a store: then nothing is done. */
export const removeUnconfirmed = async (tx: Transaction, user: string, now: Date): Promise<boolean> => {
  const records = recordsIn(tx)
  // Held first: whoever would refer to the user from now on waits, and finds nobody.
  await records.lock(users, user)
  if (await tx.isReferenced(tx.resource(users), user)) return false
  await freeCode(tx, user, now)
  await endSessions(tx, user)
  await records.remove(users, user)
  return true
}

/** Stays for those who refer to it, and can never be confirmed. */
const bar = async (
  tx: Transaction,
  { rival: { pk, username }, sender }: Pick<Proven, 'sender'> & { readonly rival: Row<typeof users> },
  now: Date,
): Promise<void> => {
  const inactivationReason = 'Another user has confirmed the e-mail address.'
  await freeCode(tx, pk, now)
  const inactivationDate = now.toISOString()
  await recordsIn(tx).acting({ now }).update(userCredentials, pk, { inactivationReason, inactivationDate })
  const address = sender && { address: sender.remoteAddress }
  const data = { user: username, reason: inactivationReason, ...address }
  await recordAudit(tx, { type: 'USER_DEACTIVATED', principal: null, data, now })
}
