// Codes in use: given to who registers with one, and freed when that comes to nothing.

import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { accountFault } from '../faults.ts'
import { registrationCodeBatches, userRegistrationCodes } from './code-batches.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Used, unknown and expired codes are refused alike: a guesser learns nothing. */
const refused = (): Problem =>
  new Problem('unprocessable', {
    detail: 'The registration code is not good.',
    errors: [{ pointer: '/registrationCode', member: 'registrationCode', ...accountFault('wrong_code') }],
  })

/** Gives the code to a user who is being registered. Held until the transaction ends: of many at once, one gets it. */
export const spendCode = async (
  tx: Transaction,
  { code, user }: { readonly code: string; readonly user: string },
  now: Date,
): Promise<void> => {
  const records = recordsIn(tx).acting({ now })
  const pk = code.trim().toLowerCase()
  const held = uuid.test(pk) ? await records.lock(userRegistrationCodes, pk) : null
  if (!held?.available) throw refused()
  const batch = held.batch && (await records.first(registrationCodeBatches, { pk: held.batch.pk }))
  if (batch?.expirationDate && Date.parse(batch.expirationDate) <= now.getTime()) throw refused()
  await records.update(userRegistrationCodes, pk, { available: false, credentials: user })
}

/** The registration came to nothing: its code can be used again. */
export const freeCode = async (tx: Transaction, user: string, now: Date): Promise<void> => {
  const records = recordsIn(tx).acting({ now })
  await records.updateWhere(userRegistrationCodes, { credentials: user }, { available: true, credentials: null })
}
