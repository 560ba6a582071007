// Limits how much costly work runs at the same time. The rest waits in a queue, in which callers take turns.

import { Problem } from './problem.ts'

/** The limits of a queue; an absent number is no limit. */
export interface QueueLimits {
  /** How much runs at the same time. */
  readonly places?: number
  /** The places of one caller. */
  readonly placesPerCaller?: number
  /** How much waits; more is refused. */
  readonly waiting?: number
  readonly waitingPerCaller?: number
  /** How long work waits for a place, in milliseconds. */
  readonly patience?: number
}

export interface QueueRefusals {
  /** All places are taken, and as much waits as may, or has waited for as long. */
  busy(): Problem
  /** Makes the problem of a caller who has too much work waiting. */
  tooMany(waiting: number): Problem
  callerLeft(): Problem
  stopping(): Problem
}

const unavailable = (detail: string) => (): Problem =>
  new Problem('unavailable', { detail, headers: { 'Retry-After': '2' } })

const busy = unavailable('Too many requests are waiting; try again later.')

const usualRefusals: QueueRefusals = {
  busy,
  tooMany: busy,
  callerLeft: unavailable('The client disconnected.'),
  stopping: unavailable('The service is stopping.'),
}

export interface QueueEntry {
  /** The caller whose turn it takes; by default all work is of one caller. */
  readonly caller?: string
  /** The signal whose abort removes it from the queue. */
  readonly signal?: AbortSignal | undefined
  /** Says whether work may wait; if not, it is refused as soon as all places are taken. */
  readonly mayWait?: boolean
}

interface WaitingWork {
  readonly start: () => void
  readonly refuse: (reason: Problem) => void
}

export class FairQueue {
  readonly #limits: Required<QueueLimits>
  readonly #refusals: QueueRefusals
  /** What waits, by caller. The first caller has the next turn. */
  readonly #queues = new Map<string, WaitingWork[]>()
  readonly #running = new Map<string, number>()
  #waiting = 0
  #taken = 0
  #closed = false

  constructor(limits: QueueLimits, refusals: QueueRefusals = usualRefusals) {
    const unlimited = Number.POSITIVE_INFINITY
    this.#limits = {
      ...{ places: unlimited, placesPerCaller: unlimited, patience: unlimited },
      ...{ waiting: unlimited, waitingPerCaller: unlimited },
      ...limits,
    }
    this.#refusals = refusals
  }

  async run<T>(work: () => Promise<T>, entry: QueueEntry = {}): Promise<T> {
    const { caller = '' } = entry
    await this.#enter(caller, entry)
    try {
      return await work()
    } finally {
      this.#leave(caller)
    }
  }

  /** Refuses what waits and what comes from now on. What runs goes on. */
  close(): void {
    this.#closed = true
    for (const work of [...this.#queues.values()].flat()) work.refuse(this.#refusals.stopping())
  }

  #enter(caller: string, { signal, mayWait = true }: QueueEntry): Promise<void> | void {
    const { busy, tooMany, callerLeft, stopping } = this.#refusals
    if (this.#closed) throw stopping()
    if (signal?.aborted) throw callerLeft()
    if (this.#canStart(caller)) return this.#take(caller)
    if (!mayWait) throw busy()
    const own = this.#queues.get(caller) ?? []
    if (own.length >= this.#limits.waitingPerCaller) throw tooMany(own.length)
    if (this.#waiting >= this.#limits.waiting) throw busy()
    this.#queues.set(caller, own)
    return this.#wait(caller, own, signal)
  }

  #wait(caller: string, own: WaitingWork[], signal: AbortSignal | undefined): Promise<void> {
    const { patience } = this.#limits
    this.#waiting += 1
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiting -= 1
        clearTimeout(timer)
        signal?.removeEventListener('abort', left)
      }
      const work: WaitingWork = {
        start: () => {
          settle()
          this.#take(caller)
          resolve()
        },
        refuse: reason => {
          settle()
          own.splice(own.indexOf(work), 1)
          if (own.length === 0) this.#queues.delete(caller)
          reject(reason)
        },
      }
      const timer = Number.isFinite(patience)
        ? setTimeout(() => work.refuse(this.#refusals.busy()), patience)
        : undefined
      const left = () => work.refuse(this.#refusals.callerLeft())
      signal?.addEventListener('abort', left)
      own.push(work)
    })
  }

  #canStart(caller: string): boolean {
    const { places, placesPerCaller } = this.#limits
    return this.#taken < places && (this.#running.get(caller) ?? 0) < placesPerCaller
  }

  #take(caller: string): void {
    this.#taken += 1
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1)
  }

  #leave(caller: string): void {
    const wasFull = this.#taken >= this.#limits.places
    this.#taken -= 1
    const left = (this.#running.get(caller) ?? 1) - 1
    if (left === 0) this.#running.delete(caller)
    else this.#running.set(caller, left)
    if (this.#waiting === 0) return
    // Where places were free, the others wait for work of their own.
    for (const next of wasFull ? this.#queues.keys() : [caller]) this.#startOf(next)
  }

  #startOf(caller: string): void {
    const queue = this.#queues.get(caller)
    if (!queue || !this.#canStart(caller)) return
    const work = queue.shift()
    // The next turn of the caller comes after those of all others.
    this.#queues.delete(caller)
    if (queue.length > 0) this.#queues.set(caller, queue)
    work?.start()
  }
}
