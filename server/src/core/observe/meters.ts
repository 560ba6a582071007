// How often each endpoint was asked, how it answered and how long that took.

import { Histogram, Registry } from 'prom-client'
import type { Observation, Observe, Place } from '../http/exchange.ts'

export interface Meter {
  readonly method: string
  /** The path of the route; empty for requests that no route took. */
  readonly route: string
  readonly status: number
  readonly count: number
  /** Of the last answer, in milliseconds. */
  readonly last: number
}

export interface Meters {
  readonly observe: Observe
  list(): readonly Meter[]
  /** Holds the same numbers for Prometheus. */
  readonly registry: Registry
}

type Labels = { method: string; route: string; status: string }

interface Tally {
  readonly labels: Labels
  readonly status: number
  count: number
  last: number
}

/** What no route took has one place for each method and status: callers choose paths, and must not choose how much is kept. */
const nowhere = ''

export const createMeters = (): Meters => {
  const registry = new Registry()
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'How long requests took.',
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
