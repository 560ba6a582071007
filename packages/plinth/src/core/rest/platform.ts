// What endpoints stand on: the platform, made once by the composition; the context of one caller; checks of callers.

import { apiSettings } from '../config/api-settings.ts'
import type { Config } from '../config/settings.ts'
import type { ChangeFeed } from '../events/change-feed.ts'
import type { Request } from '../http/exchange.ts'
import type { Access } from '../model/access.ts'
import type { Operation } from '../model/access-rules.ts'
import { type Caller, isAdmin, type Requester } from '../model/caller.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { Records } from '../model/records.ts'
import type { Registry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import type { RecordContext, RecordPlatform, Within } from '../records/context.ts'
import type { Store } from '../store/store.ts'
import type { ExportTurns } from './export-turns.ts'
import type { KeyClaims } from './idempotency-keys.ts'
import { type RateLimiter, requesterOf } from './rate-limit.ts'

export interface Limits {
  readonly maxPageSize: number
  /** The number of the first page in `page[number]`: 0 or 1. */
  readonly firstPage: number
  readonly maxFullCollection: number
  /** How many matching records are counted exactly, unless the caller asks for more. */
  readonly exactTotalLimit: number
  /** What a query may cost, and that of a caller without credentials. */
  readonly maxQueryCost: number
  /** What the records of an export may cost; they are read and sent batch by batch. */
  readonly maxExportCost: number
  readonly maxAnonymousQueryCost: number
  /** How long the response to a request with an `Idempotency-Key` is kept. */
  readonly idempotencyHours: number
  /** How long the handler of an endpoint may take, in seconds. */
  readonly endpointTimeout: number
}

export const limitsOf = (config: Config): Limits => ({
  maxPageSize: config.get(apiSettings).maxPageSize,
  firstPage: config.get(apiSettings).firstPage,
  maxFullCollection: config.get(apiSettings).maxFullCollection,
  exactTotalLimit: config.get(apiSettings).exactTotalLimit,
  maxQueryCost: config.get(apiSettings).maxQueryCost,
  maxExportCost: config.get(apiSettings).maxExportCost,
  maxAnonymousQueryCost: config.get(apiSettings).maxAnonymousQueryCost,
  idempotencyHours: config.get(apiSettings).idempotencyHours,
  endpointTimeout: config.get(apiSettings).endpointTimeout,
})

/** The running platform: the model, the database, records and limits. */
export interface Platform extends RecordPlatform {
  readonly registry: Registry
  readonly access: Access
  readonly store: Store
  /** Changes of records, published to listeners. */
  readonly changes: ChangeFeed
  readonly limits: Limits
  readonly rateLimiter: RateLimiter
  readonly exports: ExportTurns
  /** For fingerprints of what callers sent: the same at every instance, and secret. */
  readonly fingerprintKey: () => Promise<Buffer>
  /** The idempotency keys that requests of this process hold. */
  readonly keyClaims: KeyClaims
  /** A caller has deleted a record from the trash for good. In the transaction of the deletion. */
  readonly reportPurge: (inside: Within, purged: { readonly resource: Resource; readonly pk: string }) => Promise<void>
  /** The present moment; tests set it. */
  readonly clock: () => Date
  /** The service's own, for work that no caller asks for. */
  readonly records: Records
}

export const systemClock = (): Date => new Date()

/** One caller's doing: everything an operation needs beyond its own input. */
export interface Context extends RecordContext {
  readonly platform: Platform
  /** Absent where no request is behind it. */
  readonly requester?: Requester | undefined
}

/** What code needs to act as a caller: in commands and imports, which have no request. */
export const contextFor = (platform: Platform, caller: Caller, request: Request | null = null): Context => ({
  platform,
  caller,
  sender: request && {
    remoteAddress: request.remoteAddress,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id,
  },
  requester: request ? requesterOf(caller, request) : undefined,
  visibility: platform.access.visibility(caller),
  tx: null,
})

/** Within a transaction. */
export type Inside = Within<Context>

// Checks of the caller alone, which an endpoint names so that they come before `Accept`, the body and everything else.

/** Throws 401 or 403 for callers who may not use the endpoint at all, whichever record they ask for. */
export type Permit = (context: Context, request: Request) => void

/** For `access` of an endpoint: signed-in users only. */
export const signedIn: Permit = ({ caller }) => {
  if (caller.pk === null) throw new Problem('unauthorized')
}

/** For `access` of an endpoint: administrators only. */
export const administrator: Permit = (context, request) => {
  signedIn(context, request)
  if (!isAdmin(context.caller)) throw new Problem('forbidden')
}

/** The caller may do this with some records of the resource at least. */
export const allowed =
  (resource: Resource, operation: Operation): Permit =>
  ({ platform, caller }) => {
    platform.access.permit(resource, operation, caller)
  }

/** The same, by the definition of the resource: for endpoints of modules. */
export const mayUse =
  (definition: ResourceDefinition, operation: Operation): Permit =>
  ({ platform: { registry, access }, caller }) => {
    access.permit(registry.resource(definition), operation, caller)
  }
