// An e-mail address becomes the user's own when a token that was sent to it comes back. The confirmed address is the mailbox.

import type { Reader, Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { readerOf } from '../../core/records/reader.ts'
import { recordsIn } from '../../core/records/records.ts'
import { addressDigest, endTokens, queueLinkMail } from '../mail/index.ts'
import { contactDetails } from './contact-details.ts'
import { emailHashOf } from './email-hash.ts'
import { mailboxes, mailboxOf } from './mailboxes.ts'
import { addressChange, confirmation, welcome } from './mails.ts'
import { secrets } from './secrets.ts'
import { userCredentials } from './user-credentials.ts'
import { users } from './users.ts'

export interface EnteredAddress {
  /** The user's pk. */
  readonly user: string
  readonly email: string
}

export interface ConfirmationRequest extends EnteredAddress {
  /**
   * The mail for the address of a registration, of a new user, or for another address of an account, which is the
   * default.
   */
  readonly mail?: typeof confirmation | typeof addressChange | typeof welcome
}

/** Sends a token to an address that was entered for a user. */
export const sendConfirmation = async (
  tx: Transaction,
  { user: pk, email, mail = addressChange }: ConfirmationRequest,
  now: Date,
): Promise<void> => {
  const records = recordsIn(tx).acting({ now })
  const user = await records.first(users, { where: { pk } })
  if (!user) return
  const { name, username, locale } = user
  await queueLinkMail(records, mail, { user: pk, recipient: email, locale, content: { name, username } })
}

/**
 * Invites a user whom an administrator has created without a password: the link in the mail sets the password and confirms the
 * address. Does nothing for a user who can sign in already, or without an address.
 */
export const sendWelcome = async (tx: Transaction, user: string, now: Date): Promise<void> => {
  const details = await recordsIn(tx).first(contactDetails, { where: { pk: user } })
  const email = details?.primaryEmail?.email
  if (email !== undefined && !(await isOpened(tx, user)))
    await sendConfirmation(tx, { user, email, mail: welcome }, now)
}

/**
 * Can the account be opened already, by a password or a mailbox, or was it signed in to before, at a provider that is not linked
 * any more? Then an address that was entered for it does not open it: it may be someone else's.
 */
export const isOpened = async (reader: Reader, user: string): Promise<boolean> => {
  const records = readerOf(reader)
  const stored = await records.first(secrets, { where: { pk: user } })
  if (stored?.passwordHash !== null || (await mailboxOf(reader, user)) !== null) return true
  return (await records.first(userCredentials, { where: { pk: user } }))?.lastLogin !== null
}

/** The token came back. Problem `conflict` when the address is not entered any more, or belongs to another user by now. */
export const confirmAddress = async (tx: Transaction, { user, email }: EnteredAddress, now: Date): Promise<void> => {
  const records = recordsIn(tx).acting({ now })
  const primary = (await records.lock(contactDetails, user))?.primaryEmail
  if (primary?.email !== email)
    throw new Problem('conflict', {
      en: 'The account has another address now.',
      de: 'Das Konto hat inzwischen eine andere Adresse.',
    })
  await records.update(contactDetails, user, { primaryEmail: { ...primary, verified: true } })
  await records.update(users, user, { emailHash: await emailHashOf(tx, email) })
  // Unique in `secrets`: of two accounts that confirm one address, one gets it.
  await records.update(secrets, user, { verifiedEmail: addressDigest(email) })
  await records.upsert(mailboxes, { user, address: email })
}

/** The address of a registration that is not confirmed yet changes: from now on only the new one confirms it. */
export const changeRegistration = async (
  tx: Transaction,
  { user, email }: EnteredAddress,
  now: Date,
): Promise<void> => {
  await recordsIn(tx)
    .acting({ now })
    .update(users, user, { emailHash: await emailHashOf(tx, email) })
  await endTokens(tx, user)
  await sendConfirmation(tx, { user, email, mail: confirmation }, now)
}

/** The confirmed address opens nothing any more, nor do links that were sent to it. */
export const removeMailbox = async (tx: Transaction, user: string, now: Date): Promise<void> => {
  const records = recordsIn(tx).acting({ now })
  await records.removeMany(mailboxes, { where: { pk: user } })
  await records.update(users, user, { emailHash: null })
  await records.update(secrets, user, { verifiedEmail: null })
  await endTokens(tx, user)
}
