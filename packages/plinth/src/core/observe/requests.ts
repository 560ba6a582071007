// What the service records about requests: metrics for each endpoint, the latest requests, and one log line each.

import { Histogram, Registry } from 'prom-client'
import type { Observation, Observe, Place, Request } from '../http/exchange.ts'
import type { Logger } from '../log/logger.ts'
import type { Meters, Observed, Recent, RecentExchange } from './observed.ts'
import { createProcessMetrics } from './process-metrics.ts'
import type { StatementCounts } from './statement-counts.ts'

/** How many requests are kept. */
const remembered = 100

export const createObserved = (clock: () => Date): Observed => {
  const meters = createMeters()
  return { meters, recent: createRecent(remembered, clock), process: createProcessMetrics(meters.registry) }
}

/** One callback for all of them. */
export const observeAll =
  (...all: readonly Observe[]): Observe =>
  done => {
    for (const observe of all) observe(done)
  }

type Labels = { method: string; route: string; status: string }

interface Tally {
  readonly labels: Labels
  readonly status: number
  count: number
  last: number
}

/** Requests without a route share one entry for each method and status: callers choose paths, and must not choose how much is kept. */
const nowhere = ''

export const createMeters = (): Meters & { readonly registry: Registry } => {
  const registry = new Registry()
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Request duration.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const byRoute = new Map<Place | null, Map<string, Tally>>()
  const tallyOf = ({ route, request, status }: Observation): Tally => {
    const tallies = byRoute.get(route) ?? new Map<string, Tally>()
    if (tallies.size === 0) byRoute.set(route, tallies)
    const key = `${knownMethod(request.method)} ${status}`
    const known = tallies.get(key)
    if (known) return known
    const labels = { method: knownMethod(request.method), route: route?.path ?? nowhere, status: String(status) }
    const tally = { labels, status, count: 0, last: 0 }
    tallies.set(key, tally)
    return tally
  }
  return {
    registry,
    observe: done => {
      const tally = tallyOf(done)
      tally.count += 1
      tally.last = done.ms
      durations.observe(tally.labels, done.ms / 1000)
    },
    list: () =>
      [...byRoute.values()].flatMap(tallies =>
        [...tallies.values()].map(({ labels: { method, route }, status, count, last }) => {
          return { method, route, status, count, last }
        }),
      ),
  }
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const knownMethod = (method: string): string => (methods.has(method) ? method : 'OTHER')

/** The headers that are kept, named one by one: one that is not listed is not kept, so credentials cannot be. */
const kept = [
  'host',
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'user-agent',
  'origin',
  'sec-fetch-site',
  'if-match',
  'if-none-match',
  'traceparent',
] as const

const keptOf = ({ headers }: Request): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const name of kept) {
    const value = headers[name]
    if (value !== undefined) found[name] = String(value)
  }
  return found
}

/** A ring: writing never moves what is there. */
export const createRecent = (size: number, clock: () => Date): Recent => {
  const ring: RecentExchange[] = []
  let next = 0
  return {
    observe: ({ request, status, ms }) => {
      const { id, method, path, remoteAddress } = request
      const callerPk = request.callerPk ?? null
      ring[next] = { at: clock(), id, method, path, status, ms, callerPk, remoteAddress, headers: keptOf(request) }
      next = (next + 1) % size
    },
    list: () => [...ring.slice(next), ...ring.slice(0, next)].reverse(),
  }
}

/** The statements of one request from which they most likely read records one by one. */
const manyStatements = 50

/** One line of the log for each request, with neither its query, headers nor body. `countOf`: its statements, in development. */
export const createRequestLog =
  (log: Logger, countOf?: StatementCounts['countOf']): Observe =>
  done => {
    if (!log.isLevelEnabled('info')) return
    const { request, status, ms, completed } = done
    const { id, method, path, callerPk } = request
    const statements = countOf?.(done)
    const fields = {
      requestId: id,
      method,
      path,
      status,
      ms: Math.round(ms * 10) / 10,
      ...(callerPk && { caller: callerPk }),
      ...(statements !== undefined && { statements }),
      // The caller left before the answer was whole.
      ...(!completed && { completed }),
    }
    log.info(fields, 'request')
    if (statements !== undefined && statements > manyStatements)
      log.warn(
        { requestId: id, statements },
        `${method} ${path} sent ${statements} statements to the database; read records together, with \`find\`, instead of one by one`,
      )
  }
