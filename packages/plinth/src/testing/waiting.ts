// Waiting in tests. Everything that a test waits for has a name, so that a test that times out can say what it waited for.

import { setTimeout as delay } from 'node:timers/promises'

interface Wait {
  readonly what: string
  readonly since: number
}

const pending = new Set<Wait>()

/** Names a promise while it is pending. */
export const waitingFor = <T>(what: string, promise: Promise<T>): Promise<T> => {
  const wait = { what, since: performance.now() }
  pending.add(wait)
  return promise.finally(() => pending.delete(wait))
}

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>

/**
 * Asks again and again until the answer is truthy, and returns it. It has no time limit of its own: the test's limit ends it,
 * and `what` is printed then.
 */
export const until = async <T>(what: string, ask: () => T | Promise<T>): Promise<Truthy<T>> => {
  const wait = { what, since: performance.now() }
  pending.add(wait)
  let pauseMs = 5
  try {
    while (pending.has(wait)) {
      const answer = await ask()
      if (answer) return answer as Truthy<T>
      await delay(pauseMs)
      pauseMs = Math.min(100, pauseMs * 1.5)
    }
  } finally {
    pending.delete(wait)
  }
  throw new Error(`The test that waited for ${what} is over.`)
}

/** Everything that is waited for now, the longest wait first. Ends these waits: their test is over. */
export const abandonWaits = (): string[] => {
  const waits = [...pending].map(({ what, since }) => `${what} (${((performance.now() - since) / 1000).toFixed(1)} s)`)
  pending.clear()
  return waits
}

/** The clock of a service under test. It runs with the real time until it is set; then it is stopped. */
export class TestClock {
  #setTo: number | undefined

  constructor(now?: Date | string) {
    if (now !== undefined) this.set(now)
  }

  now(): Date {
    return new Date(this.#setTo ?? Date.now())
  }

  /** Stops the clock at this time. */
  set(moment: Date | string): void {
    const time = new Date(moment).getTime()
    if (Number.isNaN(time)) throw new Error(`'${moment}' is not a date`)
    this.#setTo = time
  }

  /** Moves the clock. One that ran with the real time is stopped afterwards. */
  advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }: TestDuration): void {
    this.#setTo = this.now().getTime() + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
  }
}

/** How far to move a clock. */
export interface TestDuration {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
}
