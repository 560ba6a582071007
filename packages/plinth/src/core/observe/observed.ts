// What the service records about requests and about its process, as modules see it.

import type { Guard } from '../guarded.ts'
import type { Observe } from '../http/exchange.ts'
import type { Traffic } from '../http/options.ts'

export interface Observed {
  readonly meters: Meters
  readonly recent: Recent
  readonly process: ProcessMetrics
}

export interface Meter {
  readonly method: string
  /** The path of the route; empty for requests that no route took. */
  readonly route: string
  readonly status: number
  readonly count: number
  /** The milliseconds of the last answer. */
  readonly last: number
}

/** All numbers as Prometheus reads them. */
export interface MetricsDocument {
  readonly contentType: string
  metrics(): Promise<string>
}

export interface Meters {
  readonly observe: Observe
  list(): readonly Meter[]
  /** Holds the same numbers for Prometheus. */
  readonly registry: MetricsDocument
}

export interface RecentExchange {
  readonly at: Date
  readonly id: string
  readonly method: string
  /** The path without the query, which may hold what a caller would not want to be seen. */
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly callerPk: string | null
  readonly remoteAddress: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Recent {
  readonly observe: Observe
  /** Lists the exchanges, newest first. */
  list(): readonly RecentExchange[]
}

export interface Collections {
  readonly count: number
  readonly seconds: number
}

/** How late the event loop is, in milliseconds. */
export interface Lag {
  readonly mean: number
  readonly max: number
  readonly p99: number
}

export interface ProcessMetrics {
  /** Watches the event loop, the garbage collector and connections from now on. */
  start(log: Guard['log'], traffic: () => Traffic): void
  stop(): Promise<void>
  lag(): Lag
  /** Returns the collections by kind. */
  garbage(): Promise<ReadonlyMap<string, Collections>>
}
