// Work that is done again and again while the service runs.

import { setTimeout as sleep } from 'node:timers/promises'
import { guarded } from '../guarded.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { Records } from '../model/records.ts'
import type { Where } from '../model/row.ts'
import { isUnavailable } from '../problem.ts'
import type { Service } from './service.ts'

export interface Chore {
  /** For the log: what could not be done. */
  readonly name: string
  /** Between two rounds, in milliseconds. */
  readonly pause: number
  readonly round: (signal: AbortSignal) => Promise<void>
}

/** Begins at once; a round that fails is logged, and the next one tries again. Gives what ends it. */
export const repeatedly = ({ log }: Service, { name, pause, round }: Chore): (() => Promise<void>) => {
  const ending = new AbortController()
  const { signal } = ending
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      await guarded({ name, log }, () => round(signal))()
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const working = work()
  return () => {
    ending.abort()
    return working
  }
}

/** Each on its own: what fails is logged, and keeps nothing that comes after it waiting. */
export const oneByOne = async <T>(
  { log }: Service,
  { name, all }: { readonly name: string; readonly all: Iterable<T> },
  work: (one: T) => Promise<unknown>,
): Promise<void> => {
  for (const one of all)
    await work(one).catch(error => {
      // Everything else would fail likewise, and is better tried later.
      if (isUnavailable(error)) throw error
      log.error({ err: error }, `${name} failed`)
    })
}

export interface Expired<D extends ResourceDefinition> {
  readonly where: Where<D>
  /** Ends the work after the batch under way. */
  readonly signal?: AbortSignal
}

/** So few that a writer hardly notices the wait. */
const batchSize = 500
/** Between two batches others have the database to themselves. */
const restMs = 10

/** Deletes all matching records in small transactions. In a single one, other writers on SQLite would wait for all of them. */
export const removeInBatches = async <D extends ResourceDefinition>(
  records: Records,
  definition: D,
  { where, signal }: Expired<D>,
): Promise<void> => {
  while (!signal?.aborted) {
    const count = await records.removeWhere(definition, where, batchSize)
    if (count < batchSize) return
    await sleep(restMs, undefined, { ref: false })
  }
}
