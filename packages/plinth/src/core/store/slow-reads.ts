// Slow reads: they share a few places fairly, and end when their caller leaves or the service stops. Callers take turns, and no
// caller can take all places or fill the queue.

import { FairQueue, type QueueRefusals } from '../fair-queue.ts'
import type { Requester } from '../model/caller.ts'
import { Problem } from '../problem.ts'

const callerLeft = (): Problem => unavailable('The client disconnected.')

const stopping = (): Problem => unavailable('The service is stopping.')

/** The deadline of a search, `app.api.queryTimeout`. */
export const queryTimeout = (ms: number): Problem =>
  new Problem('query_timeout', {
    detail: `The search took longer than ${ms / 1000} s and was cancelled. Use fewer conditions, or indexed ones.`,
    headers: { 'Retry-After': '5' },
  })

const busy = (): Problem => refusal(unavailable('Too many slow searches are running; try again later.'))

const tooManyWaiting = (count: number): Problem =>
  refusal(
    new Problem('too_many_requests', {
      detail: `You already have ${count} slow searches waiting; wait for their responses.`,
      headers: { 'Retry-After': '5' },
    }),
  )

const refusals = new WeakSet<object>()

const refusal = (problem: Problem): Problem => {
  refusals.add(problem)
  return problem
}

/** Was there no place for it? Then it has not begun. */
export const isRefusal = (error: unknown): boolean => error instanceof Problem && refusals.has(error)

const unavailable = (detail: string): Problem => new Problem('unavailable', { detail, headers: { 'Retry-After': '1' } })

const slowReadRefusals: QueueRefusals = { busy, tooMany: tooManyWaiting, callerLeft, stopping }

/** A read that has begun. */
export interface SlowRead<T> {
  readonly result: Promise<T>
  /** Ends it, and the result fails for this reason. Settles when the database works on it no more. */
  end(reason: Problem): Promise<void>
}

/**
 * The number of slow searches that run at once: each takes a connection of the pool, or a process where the database has no pool.
 * One caller has half of the places at most.
 */
export const slowReadPlaces = (poolSize?: number): number =>
  poolSize === undefined ? 2 : Math.max(1, Math.round(poolSize / 6))

/** The number of slow searches that wait, in all and of one caller. Further ones are refused. */
const waitingLimits = { waiting: 100, waitingPerCaller: 10 }

export class SlowReads {
  readonly #queue: FairQueue
  readonly #running = new Set<Pick<SlowRead<unknown>, 'end'>>()
  #ending: NodeJS.Timeout | null = null
  #startCount = 0

  /** `timeout`: how long a read may take, in milliseconds. The code that starts it ends it then. */
  constructor(places: number, timeout: number) {
    const limits = { places, placesPerCaller: Math.ceil(places / 2), ...waitingLimits }
    this.#queue = new FairQueue({ ...limits, patience: 4 * timeout }, slowReadRefusals)
  }

  /** How many reads have begun so far. */
  get startCount(): number {
    return this.#startCount
  }

  protected run<T>(requester: Requester | undefined, begin: () => SlowRead<T>): Promise<T> {
    const signal = requester?.signal()
    // Reads that the service makes for itself count as those of one caller.
    const caller = requester?.key() ?? 'service'
    const runRead = async (): Promise<T> => {
      if (signal?.aborted) throw callerLeft()
      const read = begin()
      this.#startCount += 1
      const leave = () => void read.end(callerLeft())
      signal?.addEventListener('abort', leave)
      this.#running.add(read)
      try {
        return await read.result
      } finally {
        signal?.removeEventListener('abort', leave)
        this.#running.delete(read)
      }
    }
    return this.#queue.run(runRead, { caller, signal })
  }

  /** Lets reads that run finish if they do so soon, and refuses all others. */
  drain(graceMs: number): void {
    this.#queue.close()
    this.#ending ??= setTimeout(() => void this.close(), graceMs).unref()
  }

  /** Settles when none runs any more. */
  async close(): Promise<void> {
    this.#queue.close()
    if (this.#ending) clearTimeout(this.#ending)
    await Promise.all([...this.#running].map(read => read.end(stopping())))
  }
}
