// Ends what opens an account when the account changes: sessions, API keys, identities at other services, and what modules above
// this one add.

import type { Transaction } from '../../core/model/transaction.ts'
import { type AccountListener, type ChangedAccount, storePassword } from '../people/index.ts'
import { revokeKeys } from './api-keys/api-keys.ts'
import type { Revocation, RevocationListener } from './revocation.ts'
import { endSessions, updateSessions } from './sessions/session.ts'
import { revokeIdentities } from './social/identities.ts'

/**
 * Revokes credentials after a new password: an account may have been taken back from an attacker, and what the attacker
 * has added ends.
 */
export const revokeCredentials = async (
  tx: Transaction,
  revocation: Revocation,
  onRevocation: RevocationListener,
): Promise<void> => {
  await revokeKeys(tx, revocation)
  await revokeIdentities(tx, revocation)
  await onRevocation(tx, revocation)
}

export interface PasswordChange {
  /** The user's pk. */
  readonly user: string
  readonly hash: string
  /** The session that stays. */
  readonly session?: string | undefined
}

/** Stores a new password and ends the sessions that came by the former one. */
export const setPassword = async (
  tx: Transaction,
  { user, hash, session }: PasswordChange,
  now: Date,
): Promise<void> => {
  await storePassword(tx, { user, hash }, now)
  await endSessions(tx, user, { except: session })
}

/** Follows what `people` reports. */
export const createAccountListener = (onRevocation: RevocationListener): AccountListener => ({
  rightsChanged: async (tx, { user, username, roles }) => {
    await updateSessions(tx, user, { username, roles })
  },
  deactivated: async (tx, user) => {
    await endSessions(tx, user)
  },
  passwordChanged: async (tx, account) => {
    await endSessions(tx, account.user, { except: account.change.caller.session })
    await revokeCredentials(tx, revocationBy(account), onRevocation)
  },
  credentialsDeleted: (tx, account) => revokeCredentials(tx, revocationBy(account), onRevocation),
  emailRemoved: (tx, account) => revokeIdentities(tx, revocationBy(account)),
})

const revocationBy = ({ user, username, change: { caller, sender, now } }: ChangedAccount): Revocation => ({
  userPk: user,
  principal: caller.username,
  data: { user: username, ...(sender && { address: sender.remoteAddress }) },
  now,
})
