// What happens elsewhere when an account changes. The module that signs users in stands above this one, so the composition
// passes its listener to `createPeople`.

import type { HookContext } from '../../core/model/hooks.ts'
import type { TransactionRecords } from '../../core/model/records.ts'

export interface ChangedAccount {
  /** The user's pk. */
  readonly user: string
  readonly username: string
  /** The caller, origin and time of the change. */
  readonly change: Pick<HookContext, 'caller' | 'sender' | 'now'>
}

export interface CopiedRights {
  /** The user's pk. */
  readonly user: string
  readonly username: string
  readonly roles: readonly string[]
}

/** Each function runs in the transaction of the change. */
export interface AccountListener {
  /** The name or the roles of a user have changed. */
  rightsChanged(records: TransactionRecords, rights: CopiedRights): Promise<void>
  /** The user cannot sign in any more. */
  deactivated(records: TransactionRecords, user: string): Promise<void>
  /** Someone has set a password for the user. */
  passwordChanged(records: TransactionRecords, account: ChangedAccount): Promise<void>
  credentialsDeleted(records: TransactionRecords, account: ChangedAccount): Promise<void>
  /** The user has no confirmed e-mail address any more. */
  emailRemoved(records: TransactionRecords, account: ChangedAccount): Promise<void>
}
