// An address becomes a user's own when a token that was sent there comes back.

import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { emailHashOf, queueLinkMail } from '../mail/index.ts'
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
  const details = tx.resource('contactDetails')
  const held = await tx.lock(details, user)
  const primary = held?.primaryEmail as { readonly email: string } | null | undefined
  if (primary?.email !== email) throw new Problem('conflict', 'The address is not the one of the account any more.')
  const date = now.toISOString()
  await tx.update(details, user, { primaryEmail: { ...primary, verified: true }, lastModifiedDate: date })
  const emailHash = emailHashOf(email)
  await tx.update(tx.resource('users'), user, { emailHash, lastModifiedDate: date })
  // Unique there: of two accounts that confirm one address, one has it.
  await tx.update(tx.resource('secrets'), user, { verifiedEmail: emailHash })
  const mailbox = tx.resource(mailboxes.name)
  const isNew = await tx.ensure(mailbox, user, { user, address: email })
  if (!isNew) await tx.update(mailbox, user, { address: email })
}
