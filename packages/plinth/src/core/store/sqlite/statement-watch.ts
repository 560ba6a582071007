// Ends a statement that takes too long in the service's own thread. Nothing else can: SQLite runs it to its end. So conditions call
// a function for the rows that they are put to, and the function fails once the time is up. It is called for the rows that are
// returned, too: their texts may be long.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { startStopwatch } from '../../thread-clock.ts'

/** The SQL function. It is always true. */
export const watchFunction = 'plinth_watch'

/** The rows visited between two calls, on average: a call takes as long as a few simple rows. */
const rowsBetween = 32

const lightWatch = `(random() & ${rowsBetween - 1} OR ${watchFunction}())`

/** A condition that always holds. `isHeavy`: what is asked of each row takes longer than the call. */
export const watchSql = (isHeavy: boolean): string => (isHeavy ? `${watchFunction}()` : lightWatch)

/** The statement without its light watches, which take as long as a simple row does: for one whose number of rows is known. */
export const withoutLightWatches = (sql: string): string => sql.replaceAll(lightWatch, 'TRUE')

/** Removes the limit, where statements may take their time. */
export const allowAll = (database: DatabaseSyncInstance): void => database.function(watchFunction, {}, () => 1)

export class StatementWatch {
  readonly #limit: number
  /** The deadline by the clock on the wall. It is compared first, because that takes least. */
  #deadline = Number.POSITIVE_INFINITY
  #ownTime: (() => number) | null = null
  #isOver = false

  /** `limit`: how long a statement may hold the thread, in milliseconds. */
  constructor(database: DatabaseSyncInstance, limit: number) {
    this.#limit = limit
    database.function(watchFunction, {}, this.#look)
  }

  /** Returns null when the time was up before the end. `look` ends the work then. */
  runInTime<T>(work: (look: () => void) => T): T | null {
    this.#deadline = performance.now() + this.#limit
    try {
      return work(this.#look)
    } catch (error) {
      if (this.#isOver) return null
      throw error
    } finally {
      this.#deadline = Number.POSITIVE_INFINITY
      this.#ownTime = null
      this.#isOver = false
    }
  }

  readonly #look = (): number => {
    const now = performance.now()
    if (now < this.#deadline) return 1
    // From now on the thread's own time counts: other processes may have had the processor until now.
    this.#ownTime ??= startStopwatch()
    const left = this.#limit - this.#ownTime()
    if (left > 0) {
      this.#deadline = now + left
      return 1
    }
    this.#isOver = true
    throw new Error('the statement takes too long here')
  }
}
