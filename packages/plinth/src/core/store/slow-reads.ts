// Slow reads: they share a few places fairly, and end when their caller leaves or the service stops. Callers take turns, and no
// caller can take all places or fill the queue.

import type { Requester } from '../model/caller.ts'
import { Problem } from '../problem.ts'

export interface FairQueueLimits {
  /** Jobs at the same time. One caller has at most half of them, rounded up. */
  readonly places: number
  /** Jobs of all callers that wait; more are refused with 503. */
  readonly waiting: number
  /** Jobs of one caller that wait; more are refused with 429. */
  readonly waitingPerCaller: number
  /** How long a job waits for a place, in milliseconds. */
  readonly patience: number
}

/** For reads that have this many milliseconds each. */
const slowReadLimits = (places: number, timeout: number): FairQueueLimits => ({
  places,
  waiting: 100,
  waitingPerCaller: 10,
  patience: 4 * timeout,
})

interface QueuedRead {
  readonly start: () => void
  readonly refuse: (reason: Problem) => void
}

export class FairQueue {
  readonly #limits: FairQueueLimits
  readonly #share: number
  /** Waiting jobs by caller. The first caller has the next turn. */
  readonly #queues = new Map<string, QueuedRead[]>()
  readonly #running = new Map<string, number>()
  #waiting = 0
  #taken = 0
  #closed = false

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
    this.#share = Math.ceil(limits.places / 2)
  }

  /** Reads that the service makes for itself count as those of one caller. */
  async run<T>(requester: Requester | undefined, work: () => Promise<T>): Promise<T> {
    const caller = requester?.key() ?? 'service'
    await this.#enter(caller, requester?.signal())
    try {
      return await work()
    } finally {
      this.#leave(caller)
    }
  }

  /** Refuses what waits and what comes from now on. What runs goes on. */
  close(): void {
    this.#closed = true
    for (const job of [...this.#queues.values()].flat()) job.refuse(stopping())
  }

  #enter(caller: string, signal: AbortSignal | undefined): Promise<void> | void {
    if (this.#closed) throw stopping()
    if (signal?.aborted) throw callerLeft()
    if (this.#canStart(caller)) return this.#take(caller)
    const own = this.#queues.get(caller) ?? []
    if (own.length >= this.#limits.waitingPerCaller) throw tooManyWaiting(own.length)
    if (this.#waiting >= this.#limits.waiting) throw busy()
    this.#queues.set(caller, own)
    return this.#wait(caller, own, signal)
  }

  #wait(caller: string, own: QueuedRead[], signal: AbortSignal | undefined): Promise<void> {
    this.#waiting += 1
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiting -= 1
        clearTimeout(timer)
        signal?.removeEventListener('abort', left)
      }
      const job: QueuedRead = {
        start: () => {
          settle()
          this.#take(caller)
          resolve()
        },
        refuse: reason => {
          settle()
          own.splice(own.indexOf(job), 1)
          if (own.length === 0) this.#queues.delete(caller)
          reject(reason)
        },
      }
      const timer = setTimeout(() => job.refuse(busy()), this.#limits.patience)
      const left = () => job.refuse(callerLeft())
      signal?.addEventListener('abort', left)
      own.push(job)
    })
  }

  #canStart(caller: string): boolean {
    return this.#taken < this.#limits.places && (this.#running.get(caller) ?? 0) < this.#share
  }

  #take(caller: string): void {
    this.#taken += 1
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1)
  }

  #leave(caller: string): void {
    this.#taken -= 1
    const left = (this.#running.get(caller) ?? 1) - 1
    if (left === 0) this.#running.delete(caller)
    else this.#running.set(caller, left)
    this.#startNext()
  }

  #startNext(): void {
    for (const [next, jobs] of this.#queues) {
      if (!this.#canStart(next)) continue
      const job = jobs.shift()
      // Its next turn comes after those of all others.
      this.#queues.delete(next)
      if (jobs.length > 0) this.#queues.set(next, jobs)
      job?.start()
    }
  }
}

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

/** A read that has begun. */
export interface SlowRead<T> {
  readonly result: Promise<T>
  /** Ends it, and the result fails for this reason. Settles when the database works on it no more. */
  end(reason: Problem): Promise<void>
}

export class SlowReads {
  readonly #queue: FairQueue
  readonly #running = new Set<Pick<SlowRead<unknown>, 'end'>>()
  #ending: NodeJS.Timeout | null = null
  #begun = 0

  /** `timeout`: how long a read may take, in milliseconds. The code that starts it ends it then. */
  constructor(places: number, timeout: number) {
    this.#queue = new FairQueue(slowReadLimits(places, timeout))
  }

  /** How many reads have begun so far. */
  get begun(): number {
    return this.#begun
  }

  protected run<T>(requester: Requester | undefined, begin: () => SlowRead<T>): Promise<T> {
    return this.#queue.run(requester, async () => {
      const signal = requester?.signal()
      if (signal?.aborted) throw callerLeft()
      const read = begin()
      this.#begun += 1
      const leave = () => void read.end(callerLeft())
      signal?.addEventListener('abort', leave)
      this.#running.add(read)
      try {
        return await read.result
      } finally {
        signal?.removeEventListener('abort', leave)
        this.#running.delete(read)
      }
    })
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
