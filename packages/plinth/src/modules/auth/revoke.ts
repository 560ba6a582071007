// Ends what opens an account when the account changes: sessions, API keys, identities at other services, and what modules above
// this one add.

import type { TransactionRecords } from '../../core/model/records.ts'
import { type AccountListener, type ChangedAccount, storePassword } from '../people/index.ts'
import { revokeKeys } from './api-keys/api-keys.ts'
import { revokePasskeys } from './passkeys/own-passkeys.ts'
import type { Revocation, RevocationListener } from './revocation.ts'
import { endSessions, updateSessions } from './sessions/session.ts'
import { revokeIdentities } from './social/identities.ts'

/**
 * Revokes credentials after a new password: an account may have been taken back from an attacker, and what the attacker
 * has added ends.
 */
export const revokeCredentials = async (
  records: TransactionRecords,
  revocation: Revocation,
  onRevocation: RevocationListener,
): Promise<void> => {
  await revokeKeys(records, revocation)
  await revokeIdentities(records, revocation)
  await revokePasskeys(records, revocation)
  await onRevocation(records, revocation)
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
  records: TransactionRecords,
  { user, hash, session }: PasswordChange,
  now: Date,
): Promise<void> => {
  await storePassword(records, { user, hash }, now)
  await endSessions(records, user, { except: session })
}

/** Follows what `people` reports. */
export const createAccountListener = (onRevocation: RevocationListener): AccountListener => ({
  rightsChanged: async (records, { user, username, roles }) => {
    await updateSessions(records, user, { username, roles })
  },
  deactivated: async (records, user) => {
    await endSessions(records, user)
  },
  passwordChanged: async (records, account) => {
    await endSessions(records, account.user, { except: account.change.caller.session })
    await revokeCredentials(records, revocationBy(account), onRevocation)
  },
  credentialsDeleted: (records, account) => revokeCredentials(records, revocationBy(account), onRevocation),
  emailRemoved: (records, account) => revokeIdentities(records, revocationBy(account)),
})

const revocationBy = ({ user, username, change: { caller, sender, now } }: ChangedAccount): Revocation => ({
  userPk: user,
  principal: caller.username,
  data: { user: username, ...(sender && { address: sender.remoteAddress }) },
  now,
})
