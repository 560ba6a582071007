// Jobs: work that runs again and again in the background, while the service runs.

import { every } from '../guarded.ts'
import { isUnavailable } from '../problem.ts'
import type { Service } from './service.ts'

export interface Job {
  /** For the log and the metrics: what has failed. */
  readonly name: string
  /** From one start to the next. A run that lasts longer skips the next one. */
  readonly everyMs: number
  readonly run: (service: Service, signal: AbortSignal) => Promise<void>
}

export const hourMs = 3600_000

/** Runs it now and at each interval. A failure is logged, and the next run tries again. Returns what ends it. */
export const startJob = (service: Service, { name, everyMs, run }: Job): (() => Promise<void>) => {
  const ending = new AbortController()
  const stop = every(everyMs, { name, log: service.log, startsNow: true }, () => run(service, ending.signal))
  return () => {
    ending.abort()
    return stop()
  }
}

/** Each on its own: a failure is logged, and the others go on. */
export const oneByOne = async <T>(
  { log }: Service,
  { name, all }: { readonly name: string; readonly all: Iterable<T> },
  work: (one: T) => Promise<unknown>,
): Promise<void> => {
  for (const one of all)
    await work(one).catch(error => {
      // The others would fail likewise, and are better tried later.
      if (isUnavailable(error)) throw error
      log.error({ err: error }, `${name} failed`)
    })
}
