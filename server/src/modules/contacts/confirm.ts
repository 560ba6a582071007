// An address becomes a user's own when a token that was sent there comes back.

import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { recordsIn } from '../../core/records/records.ts'
import { emailHashOf, queueLinkMail } from '../mail/index.ts'
import { contactDetails } from './contact-details.ts'
import { mailboxes } from './mailboxes.ts'

export interface Claim {
  /** The user's pk. */
  readonly user: string
  readonly email: string
}

interface Question extends Claim {
  /** A registration begins with its address; an account that is there already gets another one. */
  readonly purpose?: 'confirmation' | 'addressChange'
}

/** Sends a token to an address that was entered for a user. */
export const askToConfirm = async (
  tx: Transaction,
  { user, email, purpose = 'addressChange' }: Question,
  now: Date,
): Promise<void> => {
  const person = await tx.get(tx.resource('users'), user)
  if (!person) return
  const content = { name: String(person.name), username: String(person.username) }
  await queueLinkMail(tx, { purpose, user, recipient: email, locale: String(person.locale), content }, now)
}

/** The token came back: the address is the user's. A problem when it has become another's, or is no longer entered. */
export const confirmAddress = async (tx: Transaction, { user, email }: Claim, now: Date): Promise<void> => {
  const records = recordsIn(tx).acting({ now })
  const primary = (await records.lock(contactDetails, user))?.primaryEmail
  if (primary?.email !== email) throw new Problem('conflict', 'The address is not the one of the account any more.')
  await records.update(contactDetails, user, { primaryEmail: { ...primary, verified: true } })
  const emailHash = emailHashOf(email)
  await records.update(tx.resource('users').definition, user, { emailHash })
  // Unique there: of two accounts that confirm one address, one has it.
  await records.update(tx.resource('secrets').definition, user, { verifiedEmail: emailHash })
  await records.put(mailboxes, { user, address: email })
}
