/** The clock of a service under test. It runs with the real time until it is set; then it is stopped. */
export class TestClock {
  #setTo: number | undefined

  constructor(now?: Date | string) {
    if (now !== undefined) this.set(now)
  }

  now(): Date {
    return new Date(this.#setTo ?? Date.now())
  }

  /** From here on the clock is stopped at this time. */
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
