// What runs beside the requests, from the moment the service listens until it ends.

import type { Module } from '../core/module.ts'
import { startForgettingKeys } from '../core/rest/forget-keys.ts'
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
      stops.push(startForgettingKeys(service))
      for (const module of modules) if (module.start) stops.push(await module.start(service))
    },
    stop: async () => {
      for (const stop of stops.reverse()) await stop()
    },
  }
}
