// Exports that run at the same time read in turns, a few batches in one turn of the event loop, so that other requests are served in
// between. A caller has few of them, so that none takes the turns of the others.

import { FairQueue } from '../fair-queue.ts'
import { ownTurn } from '../pauses.ts'
import { Problem } from '../problem.ts'

/** Batches that are read at the same time. */
const readAtOnce = 3
/** Exports under way, of one caller and of all. */
const [maxOfCaller, maxOfAll] = [4, 40]

export class ExportTurns {
  readonly #reads = new FairQueue({ places: readAtOnce })
  readonly #open = new Map<string, number>()
  #all = 0

  /** Problem `unavailable` when there is no place for another export of this caller. Before anything is sent. */
  mustHavePlace(caller: string): void {
    const own = this.#open.get(caller) ?? 0
    if (own < maxOfCaller && this.#all < maxOfAll) return
    const detail =
      own < maxOfCaller
        ? 'Too many exports are running: try again when one of them has ended.'
        : `You have ${own} exports running: try again when one of them has ended.`
    throw new Problem('unavailable', { detail, headers: { 'Retry-After': '10' } })
  }

  /** The same rows, each batch in its turn, for as long as they are read. */
  async *inTurn<T>(caller: string, batches: AsyncIterable<T>): AsyncGenerator<T> {
    this.#count(caller, 1)
    const reading = batches[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await this.#reads.run(async () => {
          const batch = await reading.next()
          await ownTurn()
          return batch
        })
        if (next.done) return
        yield next.value
      }
    } finally {
      this.#count(caller, -1)
      await reading.return?.()
    }
  }

  #count(caller: string, change: 1 | -1): void {
    this.#all += change
    const own = (this.#open.get(caller) ?? 0) + change
    if (own > 0) this.#open.set(caller, own)
    else this.#open.delete(caller)
  }
}
