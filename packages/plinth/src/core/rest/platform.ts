// What endpoints stand on: the model, the database, records and limits, made once by the composition.

import type { ChangeFeed } from '../events/change-feed.ts'
import type { Access } from '../model/access.ts'
import type { CodeContexts } from '../model/code-context.ts'
import type { Records } from '../model/records.ts'
import type { Registry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import type { ProblemTexts } from '../problem-texts.ts'
import type { InTransaction, RecordPlatform } from '../records/context.ts'
import type { Store } from '../store/store.ts'
import type { BodyPolicy } from './body-policy.ts'
import type { ExportTurns } from './export-turns.ts'
import type { KeyClaims } from './idempotency-keys.ts'
import type { Limits } from './limits.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** The running platform: the model, the database, records and limits. */
export interface Platform extends RecordPlatform {
  readonly registry: Registry
  readonly access: Access
  readonly store: Store
  /** Changes of records, published to listeners. */
  readonly changes: ChangeFeed
  readonly limits: Limits
  /** The texts of problems and faults. */
  readonly texts: ProblemTexts
  readonly bodies: BodyPolicy
  readonly rateLimiter: RateLimiter
  readonly exports: ExportTurns
  /** The key for fingerprints of what callers sent: the same at every instance, and secret. */
  readonly fingerprintKey: () => Promise<Buffer>
  /** The idempotency keys that requests of this process hold. */
  readonly keyClaims: KeyClaims
  /** A caller has deleted a record from the trash for good. In the transaction of the deletion. */
  readonly reportPurge: (
    transaction: InTransaction,
    purged: { readonly resource: Resource; readonly pk: string },
  ) => Promise<void>
  /** Settings and loggers for code of modules. */
  readonly codeContexts: CodeContexts
  /** The present moment; tests set it. */
  readonly clock: () => Date
  /** The service's own, for work that no caller asks for. */
  readonly records: Records
}

export const systemClock = (): Date => new Date()
