// Every user has contact and personal details from the first moment on.

import type { Transaction } from '../../core/model/transaction.ts'
import { recordsIn } from '../../core/records/records.ts'
import { contactDetails } from './contact-details.ts'
import { personalDetails } from './personal-details.ts'

export interface NewDetails {
  /** The user's pk. */
  readonly user: string
  /** Not verified yet. */
  readonly email: string | null
}

export const createDetails = async (tx: Transaction, { user, email }: NewDetails, now: Date): Promise<void> => {
  const records = recordsIn(tx).acting({ now })
  await records.create(contactDetails, { user, primaryEmail: email === null ? null : { email } })
  await records.create(personalDetails, { user })
}
