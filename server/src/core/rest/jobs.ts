// Jobs: work that runs again and again in the background, while the service runs.

import { setTimeout as sleep } from 'node:timers/promises'
import { guarded } from '../guarded.ts'
import { isUnavailable } from '../problem.ts'
import type { Service } from './service.ts'

export interface Job {
  /** For the log and the metrics: what has failed. */
  readonly name: string
  /** Between two runs, in milliseconds. */
  readonly pauseMs: number
  readonly run: (service: Service, signal: AbortSignal) => Promise<void>
}

export const hourMs = 3600_000

/** Runs it at once and then after each pause. A failure is logged, and the next run tries again. Returns what ends it. */
export const startJob = (service: Service, { name, pauseMs, run }: Job): (() => Promise<void>) => {
  const ending = new AbortController()
  const { signal } = ending
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      await guarded({ name, log: service.log }, () => run(service, signal))()
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const working = work()
  return () => {
    ending.abort()
    return working
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
