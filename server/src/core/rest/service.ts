// The platform with its front door: who calls, from where, and what is told to the log.

import type { BaseLogger } from 'pino'
import type { Config } from '../../config.ts'
import type { Request } from '../http/exchange.ts'
import type { Caller } from '../model/caller.ts'
import type { Resource } from '../model/resource.ts'
import type { Platform } from './platform.ts'

export interface Service {
  readonly platform: Platform
  readonly config: Config
  readonly log: BaseLogger
  /** Where people reach the service: configured, or where it listens. For links in mails; never taken from a request. */
  address(): string
  /** The caller behind the request's credentials; wrong credentials are a problem, none is nobody. */
  identify(request: Request): Promise<Caller> | Caller
  /** May pages of this origin use this address? */
  allowsOrigin(origin: string, target: { resource: Resource; pk: string | undefined } | null): Promise<boolean>
  /** A failure of the service itself, to be logged in full. */
  reportFailure(error: unknown, request: Request): void
}
