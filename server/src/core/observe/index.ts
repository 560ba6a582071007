// What the service notices of itself while it works.

import type { Observe } from '../http/exchange.ts'
import type { Meters } from './meters.ts'
import type { Recent } from './recent.ts'

export interface Observed {
  readonly meters: Meters
  readonly recent: Recent
}

/** One callback for all of them. */
export const observeAll =
  (...all: readonly Observe[]): Observe =>
  done => {
    for (const observe of all) observe(done)
  }
