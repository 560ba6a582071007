// A key for programs, as the service shows it.

import type { Item } from '../../api/records.ts'

export interface ApiKey extends Item {
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[] | null
  readonly readOnly: boolean
  readonly expirationDate: string | null
  readonly lastUsed: string | null
  /** The key, in the answer to its creation only. */
  readonly key?: string
}
