// How many mails one mailbox gets, whoever causes them and however they spell its owner's name. Beyond that nothing is sent,
// and nobody is told: a refusal would let strangers close the way to a new password.

import type { Transaction } from '../../core/model/transaction.ts'
import { raise } from '../limits/index.ts'
import { emailHashOf } from './address.ts'
import type { Purpose } from './templates/index.ts'

const hour = 3600_000
const max = 5

/** Nobody waits for an invitation. */
const windowOf = (purpose: Purpose): number => (purpose === 'invitation' ? 24 * hour : hour)

/** Is one more mail of the kind too much for the mailbox? It counts, too. */
export const isTooMuch = async (
  tx: Transaction,
  { purpose, recipient }: { readonly purpose: Purpose; readonly recipient: string },
  now: Date,
): Promise<boolean> => {
  const event = { key: `${purpose} mails to ${emailHashOf(recipient)}`, by: 1 }
  const { count } = await raise(tx, event, { window: windowOf(purpose), now })
  return count > max
}
