// Slow reads: they share a few places fairly, and end when their caller leaves or the service stops.

import type { Requester } from '../model/caller.ts'
import type { Problem } from '../problem.ts'
import { callerLeft, FairQueue, slowReadLimits, stopping } from './fair-queue.ts'

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

  /** `timeout`: how long a read may take, in milliseconds. The code that starts it ends it then. */
  constructor(places: number, timeout: number) {
    this.#queue = new FairQueue(slowReadLimits(places, timeout))
  }

  protected run<T>(requester: Requester | undefined, begin: () => SlowRead<T>): Promise<T> {
    return this.#queue.run(requester, async () => {
      const signal = requester?.signal()
      if (signal?.aborted) throw callerLeft()
      const read = begin()
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
