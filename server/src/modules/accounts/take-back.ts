// An account that may have been in other hands is taken back by a new password: whatever they made for themselves ends with
// the old one.

import type { Transaction } from '../../core/model/transaction.ts'
import { endKeys } from './api-keys/api-key-secrets.ts'
import { endIdentities } from './social/external-identities.ts'

export interface TakingBack {
  readonly userPk: string
  /** Identities of this address stay: whoever has shown to own the mailbox is their owner, too. */
  readonly mailbox?: string
  /** For the audit. */
  readonly principal: string | null
  readonly data: Readonly<Record<string, string>>
  readonly now: Date
}

export const takeBack = async (tx: Transaction, taking: TakingBack): Promise<void> => {
  await endKeys(tx, taking)
  await endIdentities(tx, taking)
}
