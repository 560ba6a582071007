// Why and for whom credentials are revoked, for all who keep some.

import type { TransactionRecords } from '../../core/model/records.ts'

export interface Revocation {
  readonly userPk: string
  /** Identities with this address stay: the owner of the mailbox owns them, too. */
  readonly mailbox?: string
  /** The user who is named in the audit. */
  readonly principal: string | null
  readonly data: Readonly<Record<string, string>>
  readonly now: Date
}

/**
 * Ends what modules above this one keep for an account, such as webhooks. It runs in the transaction of a new password, and of
 * the end of credentials. `app/standard-modules.ts` passes it.
 */
export type RevocationListener = (records: TransactionRecords, revocation: Revocation) => Promise<void>
