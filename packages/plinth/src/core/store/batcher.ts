// Work that arrives together and shares a journey to the database. What arrives in one turn of the event loop is sent as one. What arrives
// while as much is under way as may be waits for it, and is sent as one after it. So nothing waits while little is to do, and the more
// there is, the more is shared.

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result | PromiseLike<Result>) => void
  readonly reject: (reason: unknown) => void
}

export interface BatcherOptions<Item, Result> {
  /** Does the work of several items, and gives the result of each in their order. */
  run(items: readonly Item[]): Promise<readonly (Result | PromiseLike<Result>)[]>
  /** How many runs may be under way. */
  readonly atOnce: number
  /** The most items of one run. */
  readonly most: number
}

export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>
  #waiting: Waiting<Item, Result>[] = []
  #underWay = 0
  #isPlanned = false

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options
  }

  get isIdle(): boolean {
    return this.#underWay === 0 && this.#waiting.length === 0
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#plan()
    })
  }

  #plan(): void {
    if (this.#isPlanned || this.#underWay >= this.#options.atOnce) return
    this.#isPlanned = true
    setImmediate(() => void this.#send())
  }

  async #send(): Promise<void> {
    this.#isPlanned = false
    const some = this.#waiting.splice(0, this.#options.most)
    this.#underWay += 1
    if (this.#waiting.length > 0) this.#plan()
    try {
      const results = await this.#options.run(some.map(({ item }) => item))
      for (const [at, { resolve }] of some.entries()) resolve(results[at] as Result)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
    this.#underWay -= 1
    if (this.#waiting.length > 0) this.#plan()
  }
}
