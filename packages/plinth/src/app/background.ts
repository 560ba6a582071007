// What runs in the background, from the moment the service listens until it ends.

import type { Module } from '../core/module.ts'
import { idempotencySweep } from '../core/rest/idempotency.ts'
import { startJob, sweeper } from '../core/rest/jobs.ts'
import type { Service } from '../core/rest/service.ts'

export interface Background {
  start(): Promise<void>
  /** The last to be started is the first to be stopped. */
  stop(): Promise<void>
}

export const createBackground = (service: Service, modules: readonly Module[]): Background => {
  const stops: (() => Promise<void>)[] = []
  return {
    start: async () => {
      stops.push(startJob(service, sweeper('core', [idempotencySweep])))
      for (const module of modules) {
        if (module.sweeps) stops.push(startJob(service, sweeper(module.name, module.sweeps)))
        for (const job of module.jobs ?? []) stops.push(startJob(service, job))
        if (module.start) stops.push(await module.start(service))
      }
    },
    stop: async () => {
      for (const stop of stops.reverse()) await stop()
    },
  }
}
