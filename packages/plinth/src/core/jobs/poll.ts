// A poll: work that each instance repeats at short intervals, without a record of its runs.

import { AsyncResource } from 'node:async_hooks'
import { repeat } from '../guarded.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { Service } from '../service.ts'
import { isInterruption } from './job.ts'

/** Work that each instance repeats at short intervals, such as sending what waits in a queue. Nothing is recorded. */
export interface Poll {
  /** The name for the log and the metrics. */
  readonly name: string
  /** The milliseconds from one start to the next. A run that lasts longer skips the next one. */
  readonly everyMs: number
  /** The resource whose records also start a run as soon as this instance has created or changed some. */
  readonly queue?: ResourceDefinition
  readonly run: (service: Service, signal: AbortSignal) => Promise<void>
}

/** Runs it now and at each interval. A failure is logged, and the next run tries again. Returns what ends it. */
export const startPolling = (service: Service, { name, everyMs, queue, run }: Poll): (() => Promise<void>) => {
  const ending = new AbortController()
  const work = unlessStopping(service, () => run(service, ending.signal))
  const { wake, stop } = repeat(everyMs, { name, log: service.log, startsNow: true }, work)
  const { store } = service.platform
  // The run is not part of the request that wakes it.
  const unwatch = queue && store.onWrite(store.resource(queue), AsyncResource.bind(wake))
  return () => {
    ending.abort()
    unwatch?.()
    return stop()
  }
}

const unlessStopping =
  ({ closing }: Service, work: () => Promise<void>) =>
  async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!isInterruption(error, closing)) throw error
    }
  }
