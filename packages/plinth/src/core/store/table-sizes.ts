// The sizes of all tables, measured when they are first needed and again after a minute of use.

import type { TableSizes } from '../model/transaction.ts'
import type { Driver } from './driver.ts'
import { historyTableOf } from './history/columns.ts'
import { linkTableOf, recordTableOf } from './sql/columns.ts'
import { trashTableOf } from './trash/columns.ts'

const keptFor = 60_000

export class TableSizeCache {
  readonly #driver: Driver
  #known: TableSizes | null = null
  #measuredAt = 0
  #measuring: Promise<TableSizes> | null = null

  constructor(driver: Driver) {
    this.#driver = driver
  }

  /** At once when they were ever measured: old sizes serve while new ones are on their way. */
  get(): TableSizes | Promise<TableSizes> {
    if (performance.now() - this.#measuredAt < keptFor && this.#known) return this.#known
    this.#measuring ??= this.#measure()
    return this.#known ?? this.#measuring
  }

  /** Without measuring; null before the first time. */
  get known(): TableSizes | null {
    return this.#known
  }

  async #measure(): Promise<TableSizes> {
    try {
      const rows = await this.#driver.tableSizes()
      this.#known = {
        records: resource => rows.get(recordTableOf(resource)) ?? 0,
        history: resource => rows.get(historyTableOf(resource)) ?? 0,
        trash: resource => rows.get(trashTableOf(resource.holder ?? resource)) ?? 0,
        pairs: links => rows.get(linkTableOf(links)) ?? 0,
      }
    } catch (error) {
      // The sizes of before are good enough: the database will say itself that it does not answer.
      if (!this.#known) throw error
    } finally {
      this.#measuredAt = performance.now()
      this.#measuring = null
    }
    return this.#known
  }
}
