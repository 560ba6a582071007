// Between a proof and what rests on it lies the time of a password hash, and more. Whoever was barred meanwhile, lost
// rights or got another password is seen as they are now.
//
// Sign-ins and whatever changes an account take its rows in one order, so that they wait for one another and never in a
// ring: userCredentials, users, secrets, sessions.

import type { StoredRecord } from '../../../core/model/record.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'

/**
 * The row of `secrets` as it is now, and stays until the transaction ends: a change of the account waits, and then finds
 * the session that was begun. Refused when the proof would not be one any more.
 */
export const holdProved = async (tx: Transaction, proved: StoredRecord): Promise<StoredRecord> => {
  const secrets = tx.resource('secrets')
  await tx.lock(secrets, proved.pk)
  // Read again: a row that was waited for comes with the name that its user had before the wait.
  const held = await tx.get(secrets, proved.pk)
  const isSame = held?.active === true && held.passwordHash === proved.passwordHash && held.mfa === proved.mfa
  if (!isSame) throw new Problem('unauthorized')
  return held
}
