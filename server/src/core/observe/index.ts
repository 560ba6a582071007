// What the service notices of itself while it works.

import type { Observe } from '../http/exchange.ts'
import { createMeters, type Meters } from './meters.ts'
import { createProcessMetrics, type ProcessMetrics } from './process-metrics.ts'
import { createRecent, type Recent } from './recent.ts'

export interface Observed {
  readonly meters: Meters
  readonly recent: Recent
  readonly process: ProcessMetrics
}

/** How many exchanges are remembered. */
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
