// Every user has contact and personal details from the first moment on.

import type { Transaction } from '../../core/model/transaction.ts'

export interface NewDetails {
  /** The user's pk. */
  readonly user: string
  /** Not verified yet. */
  readonly email: string | null
}

export const createDetails = async (tx: Transaction, { user, email }: NewDetails, now: Date): Promise<void> => {
  const stamps = { createdDate: now.toISOString(), lastModifiedDate: now.toISOString() }
  await tx.insert(tx.resource('contactDetails'), user, {
    user,
    primaryEmail: email === null ? null : { email, description: null, value: email, verified: false },
    emails: [],
    cellphones: [],
    addresses: [],
    ...stamps,
  })
  await tx.insert(tx.resource('personalDetails'), user, { user, ...stamps })
}
