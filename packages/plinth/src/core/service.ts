// The running service, as modules see it: the platform as it answers requests, its settings and logs, and who calls.

import type { FeatureOf } from './config/features.ts'
import type { Config } from './config/settings.ts'
import type { FaultTable } from './fault.ts'
import type { Request, Route } from './http/exchange.ts'
import type { Traffic } from './http/options.ts'
import type { Jobs } from './job-status.ts'
import type { Logger } from './log/logger.ts'
import type { Logs } from './log/logs.ts'
import type { Caller } from './model/caller.ts'
import type { Json } from './model/json.ts'
import type { Text, Title } from './model/words.ts'
import type { Observed } from './observe/observed.ts'
import type { ProblemTable } from './problem-types.ts'
import type { Action } from './rest/action.ts'
import type { DeclaredReport } from './rest/declared-report.ts'
import type { EndpointForm } from './rest/endpoint-form.ts'
import type { FrontDoor } from './rest/front-door.ts'

/** The running service: the platform, its settings and logs, and who calls. */
export interface Service extends FrontDoor {
  readonly config: Config
  /** The logger of the service as a whole. */
  readonly log: Logger
  /** Loggers by name, so that each part can be made to speak up or be quiet. */
  readonly logs: Logs
  readonly observed: Observed
  /** Returns the overview, known once everything is composed: not while routes are being made. */
  overview(): Overview
  /** The jobs of all modules. Known once everything is composed. */
  jobs(): Jobs
  /** What connections take at the moment. Known once everything is composed. */
  traffic(): Traffic
  /** Is aborted when the service begins to end: answers that have no end of their own end then. */
  readonly closing: AbortSignal
  /**
   * Returns the address of the service: configured, or where it listens. For links in mails; never taken from a
   * request.
   */
  address(): string
  /** The present state of a caller, for open connections; null or a problem when the credentials have ended. */
  reauthenticate(caller: Caller, request: Request): Promise<Caller | null>
}

/** Further fields are details for administrators. */
export interface Health {
  readonly status: 'UP' | 'DOWN' | 'UNKNOWN'
  readonly [detail: string]: Json
}

/** A failure counts as down. */
export type HealthCheck = (service: Service) => Promise<Health>

export interface Overview {
  /** The name of the application. */
  readonly title: string
  /** The version of the application. */
  readonly version: string
  readonly brand: {
    /** The path of the logo; null without one. */
    readonly logo: string | null
    /** The colour as `#rrggbb`; null for that of Plinth. */
    readonly color: string | null
  }
  readonly modules: readonly {
    readonly name: string
    readonly title: Title | undefined
    readonly about: Text
    readonly resources: readonly string[]
    readonly faults: FaultTable
    readonly features: readonly FeatureOf[]
    readonly health: Readonly<Record<string, HealthCheck>>
    readonly info: (service: Service) => Readonly<Record<string, Json>>
  }[]
  /** Modules that `app.modules` can leave out, in use or not. */
  readonly optional: readonly { readonly name: string; readonly isChosen: boolean }[]
  /** The problems of the platform and of the modules. */
  readonly problems: ProblemTable
  readonly routes: readonly {
    readonly module: string
    readonly route: Route
    /** Does it take the place of a generic endpoint? */
    readonly overrides: boolean
  }[]
  /** The endpoints that clients can offer as buttons. */
  readonly actions: readonly Action[]
  /** The endpoints that clients can make forms for. */
  readonly forms: readonly EndpointForm[]
  /** The reports of all modules. */
  readonly reports: readonly DeclaredReport[]
  /** The OpenAPI document, in English unless another language is named. */
  openapi(language?: string): { readonly [field: string]: Json }
}
