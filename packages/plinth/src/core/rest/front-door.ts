// What answering a request takes: the platform, and who calls. A process with endpoints of its own, and nothing else of a service, has this much.

import type { Request } from '../http/exchange.ts'
import type { Caller } from '../model/caller.ts'
import type { Resource } from '../model/resource.ts'
import type { Problem } from '../problem.ts'
import type { ReceiveForm } from './forms.ts'
import type { Platform } from './platform.ts'

export interface Refusal {
  readonly problem: Problem
  readonly request: Request
  readonly caller: Caller
}

/** A cached caller. The response must not be sent before the cache is revalidated. */
export interface CachedCaller {
  readonly caller: Caller
  /** Call it after the request has arrived. */
  isStillValid(): Promise<boolean>
}

/** The platform as it answers requests: authentication, origins, and the record of what is refused and what fails. */
export interface FrontDoor {
  readonly platform: Platform
  /** The caller of the request. Problem `unauthorized` for wrong credentials; if `forgiving`, the caller is `anonymous` then. */
  authenticate(request: Request, forgiving?: boolean): Promise<Caller> | Caller
  /** The cached caller of the request, synchronously; null where the caller has to be authenticated first. */
  peekCaller(request: Request): CachedCaller | null
  /** Reads the body of a record that comes with files. */
  readonly receiveForm: ReceiveForm
  /** May pages of this origin use this address? */
  allowsOrigin(origin: string, target: { resource: Resource; pk: string | undefined } | null): Promise<boolean>
  /** Throws problem `forbidden` for a request that a page of another site sends, unless CORS allows its origin. */
  mustBeOwnSite(request: Request): Promise<void>
  /** Is the origin one of the fixed ones, or was it allowed lately? Asks no database. For refusals, which hold no data. */
  isKnownOrigin(origin: string): boolean
  /** A request was refused with 401 or 403. */
  reportRefusal(refusal: Refusal): Promise<void> | void
  /** Looks at a problem that code has thrown, for mistakes of developers. */
  noteProblem?(problem: Problem): void
  /** A failure of the service itself, to be logged in full. Gives the identifier of its error log, if one is kept. */
  reportFailure(error: unknown, request: Request): string | null
}
