// An e-mail address becomes the user's own when a token that was sent to it comes back. The confirmed address is the mailbox.

import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
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
  transaction: TransactionRecords,
  { user: pk, email, mail = addressChange }: ConfirmationRequest,
  now: Date,
): Promise<void> => {
  const records = transaction.acting({ now })
  const user = await records.first(users, { where: { pk } })
  if (!user) return
  const { name, username, locale } = user
  await queueLinkMail(records, mail, { user: pk, recipient: email, locale, content: { name, username } })
}

/**
 * Invites a user whom an administrator has created without a password: the link in the mail sets the password and confirms the
 * address. Does nothing for a user who can sign in already, or without an address.
 */
export const sendWelcome = async (records: TransactionRecords, user: string, now: Date): Promise<void> => {
  const details = await records.first(contactDetails, { where: { pk: user } })
  const email = details?.primaryEmail?.email
  if (email !== undefined && !(await isOpened(records, user)))
    await sendConfirmation(records, { user, email, mail: welcome }, now)
}

/**
 * Can the account be opened already, by a password or a mailbox, or was it signed in to before, at a provider that is not linked
 * any more? Then an address that was entered for it does not open it: it may be someone else's.
 */
export const isOpened = async (records: RecordReader, user: string): Promise<boolean> => {
  const stored = await records.first(secrets, { where: { pk: user } })
  if (stored?.passwordHash !== null || (await mailboxOf(records, user)) !== null) return true
  return (await records.first(userCredentials, { where: { pk: user } }))?.lastLogin !== null
}

/** The token came back. Problem `conflict` when the address is not entered any more, or belongs to another user by now. */
export const confirmAddress = async (
  transaction: TransactionRecords,
  { user, email }: EnteredAddress,
  now: Date,
): Promise<void> => {
  const records = transaction.acting({ now })
  const primary = (await records.lock(contactDetails, user))?.primaryEmail
  if (primary?.email !== email)
    throw new Problem('conflict', {
      en: 'The account has another address now.',
      de: 'Das Konto hat inzwischen eine andere Adresse.',
    })
  await records.update(contactDetails, user, { primaryEmail: { ...primary, verified: true } })
  await records.update(users, user, { emailHash: await emailHashOf(records, email) })
  // Unique in `secrets`: of two accounts that confirm one address, one gets it.
  await records.update(secrets, user, { verifiedEmail: addressDigest(email) })
  await records.upsert(mailboxes, { user, address: email })
}

/** The address of a registration that is not confirmed yet changes: from now on only the new one confirms it. */
export const changeRegistration = async (
  records: TransactionRecords,
  { user, email }: EnteredAddress,
  now: Date,
): Promise<void> => {
  await records.acting({ now }).update(users, user, { emailHash: await emailHashOf(records, email) })
  await endTokens(records, user)
  await sendConfirmation(records, { user, email, mail: confirmation }, now)
}

/** The confirmed address opens nothing any more, nor do links that were sent to it. */
export const removeMailbox = async (transaction: TransactionRecords, user: string, now: Date): Promise<void> => {
  const records = transaction.acting({ now })
  await records.removeMany(mailboxes, { where: { pk: user } })
  await records.update(users, user, { emailHash: null })
  await records.update(secrets, user, { verifiedEmail: null })
  await endTokens(records, user)
}
