// Between a proof and what rests on it lies the time of a password hash, and more. Whoever was barred meanwhile, lost
// rights or got another password is seen as they are now.
//
// Sign-ins and whatever changes an account take its rows in one order, so that they wait for one another and not in a ring:
// secondFactors, userCredentials, users, secrets, sessions. Only who deletes a user begins with users; such a ring is broken
// by the database, and tried again.

import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { type Secrets, secrets, usernameOf } from '../../people/index.ts'

/** The proof was good, and is not any more. */
export class Lapsed extends Problem {
  /** Whose it was. */
  readonly principal: string

  constructor(proved: Secrets) {
    super('unauthorized', 'The account was changed meanwhile.')
    this.principal = usernameOf(proved)
  }
}

/**
 * The row of `secrets` as it is now, and stays until the transaction ends: a change of the account waits, and then finds
 * the session that was begun. Refused when the proof would not be one any more.
 */
export const holdProved = async (tx: Transaction, proved: Secrets): Promise<Secrets> => {
  const records = recordsIn(tx)
  await records.lock(secrets, proved.pk)
  // Read again: a row that was waited for comes with the name that its user had before the wait.
  const held = await records.first(secrets, { pk: proved.pk })
  const isSame = held?.active && held.passwordHash === proved.passwordHash && held.mfa === proved.mfa
  if (!held || !isSame) throw new Lapsed(proved)
  return held
}
