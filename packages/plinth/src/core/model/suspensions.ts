// Code that kept other transactions waiting until its deadline does not run for a while. Otherwise a hook that waits for a service that is
// away would take writing from everyone, one request after the other.

import { Problem } from '../problem.ts'

interface SuspendedCode {
  readonly name: string
  describe(): string
}

export interface Suspension {
  readonly code: SuspendedCode
  /** How long others had to wait, in milliseconds. */
  readonly waitedMs: number
  /** How long the code does not run, in milliseconds. */
  readonly pauseMs: number
}

/** The factor of the time that code of applications takes, for which others can write before it runs again. */
const pauseFactor = 3

export class Suspensions {
  readonly #deadlineMs: number
  readonly #onSuspend: (suspension: Suspension) => void
  /** The end of each suspension, by the name of the code. */
  readonly #ends = new Map<string, number>()

  /** `deadlineMs`: how long code may keep its transaction waiting. */
  constructor(deadlineMs: number, onSuspend: (suspension: Suspension) => void = () => {}) {
    this.#deadlineMs = deadlineMs
    this.#onSuspend = onSuspend
  }

  /** Problem `suspended` while the code does not run. After the pause one transaction tries it, and others are refused until that has ended. */
  enter(name: string): void {
    const end = this.#ends.get(name)
    if (end === undefined) return
    const now = performance.now()
    if (end > now) throw suspended(end - now)
    this.#ends.set(name, now + this.#deadlineMs)
  }

  /** The code has ended in time. */
  leave(name: string): void {
    if (this.#ends.size > 0) this.#ends.delete(name)
  }

  /** Suspends code, unless it ran shortly, as the last of many hooks that took long together. */
  suspend(code: SuspendedCode, ranMs: number): void {
    if (ranMs < this.#deadlineMs / 2) return
    const pauseMs = pauseFactor * this.#deadlineMs
    this.#ends.set(code.name, performance.now() + pauseMs)
    this.#onSuspend({ code, waitedMs: this.#deadlineMs, pauseMs })
  }
}

const suspended = (leftMs: number): Problem =>
  new Problem('suspended', {
    detail: 'The code behind the request kept others waiting, and does not run for a while.',
    headers: { 'Retry-After': String(Math.ceil(leftMs / 1000)) },
  })
