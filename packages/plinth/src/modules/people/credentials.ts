// Writes the state of accounts: passwords, activation, the second factor, sign-ins. No other module writes these tables.
//
// Transactions lock the rows of an account in one order, so that they do not deadlock: secondFactors, userCredentials, users,
// secrets, sessions. Only the deletion of a user begins with users; the database breaks that deadlock, and it is tried again.

import type { TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import { endTokens } from '../mail/index.ts'
import { type Secrets, secrets } from './secrets.ts'
import { userCredentials } from './user-credentials.ts'
import { type User, users } from './users.ts'

export type UserCredentials = Row<typeof userCredentials>

/**
 * Do these credentials wait for the confirmation of the registration's address? Deactivated users have an inactivation date;
 * they wait for nothing.
 */
export const isUnconfirmed = (credentials: Pick<UserCredentials, 'active' | 'inactivationDate'> | null): boolean =>
  credentials?.active === false && credentials.inactivationDate === null

export interface NewPasswordHash {
  /** The user's pk. */
  readonly user: string
  readonly hash: string
}

/** Stores the hash, and ends the links in mails that would set another password. It ends no sessions. */
export const replaceHash = async (records: TransactionRecords, { user, hash }: NewPasswordHash): Promise<void> => {
  await records.update(secrets, user, { passwordHash: hash })
  await endTokens(records, user, 'passwordReset')
}

/**
 * Stores a password as `replaceHash` does, with the date of the change. The module `auth` ends what came by the former
 * password.
 */
export const storePassword = async (
  records: TransactionRecords,
  password: NewPasswordHash,
  now: Date,
): Promise<void> => {
  await records.update(userCredentials, password.user, { lastPassWordChangeDate: now.toISOString() })
  await replaceHash(records, password)
}

/** Replaces a hash by a stronger one of the same password. Null when the stored hash is another one by now. */
export const rehashPassword = async (
  records: TransactionRecords,
  { pk, passwordHash: former }: Secrets,
  passwordHash: string,
): Promise<Secrets | null> => {
  const stored = await records.lock(secrets, pk)
  return stored?.passwordHash === former ? records.update(secrets, pk, { passwordHash }) : null
}

/** Requires a second factor at each sign-in, or requires none any more. */
export const requireSecondFactor = async (
  transaction: TransactionRecords,
  userPk: string,
  { mfa, now }: { readonly mfa: boolean; readonly now: Date },
): Promise<void> => {
  const records = transaction.acting({ now })
  await records.update(userCredentials, userPk, { mfa })
  await records.update(secrets, userPk, { mfa })
}

/** The account of a user who is verified, as it is in the transaction. */
export interface VerifiedAccount {
  readonly user: User
  readonly credentials: UserCredentials
}

/** Resets the failed sign-ins. A `visit` is a sign-in; without it, the user has only verified the password again. */
export const recordSuccess = async (
  records: TransactionRecords,
  userPk: string,
  { visit, now }: { readonly visit: boolean; readonly now: Date },
): Promise<VerifiedAccount> => {
  const date = now.toISOString()
  const changes = { loginAttempts: 0, ...(visit && { lastLogin: date }) }
  const credentials = await records.update(userCredentials, userPk, changes)
  const user = visit ? await records.update(users, userPk, { lastVisit: date }) : await records.get(users, userPk)
  return { user, credentials }
}

export const recordFailure = async (records: TransactionRecords, userPk: string): Promise<void> => {
  const stored = await records.lock(userCredentials, userPk)
  if (stored) await records.update(userCredentials, userPk, { loginAttempts: stored.loginAttempts + 1 })
}

/** The registration is confirmed: the user can sign in. */
export const activateUser = async (records: TransactionRecords, userPk: string, now: Date): Promise<void> => {
  await records.acting({ now }).update(userCredentials, userPk, { active: true })
}

/** The registration can never be confirmed. */
export const rejectRegistration = async (
  records: TransactionRecords,
  { user, reason }: { readonly user: string; readonly reason: string },
  now: Date,
): Promise<void> => {
  const rejected = { inactivationReason: reason, inactivationDate: now.toISOString() }
  await records.acting({ now }).update(userCredentials, user, rejected)
}

/** The database refuses names that are taken, in any case. */
export const renameUser = async (
  records: TransactionRecords,
  { user, username }: { readonly user: string; readonly username: string },
  now: Date,
): Promise<void> => {
  await records.acting({ now }).update(users, user, { username })
}

/** Returns false when other records refer to the user, such as those of a store: then nothing is deleted. */
export const removeUser = async (
  records: TransactionRecords,
  userPk: string,
  beforehand: () => Promise<unknown>,
): Promise<boolean> => {
  // Locked first: a write that would refer to the user waits, and then finds no such user.
  await records.lock(users, userPk)
  if (await records.tx.isReferenced(records.tx.resource(users), userPk)) return false
  await beforehand()
  await records.remove(users, userPk, { permanently: true })
  return true
}
