// The sizes of all tables, and somewhat later the values that many of their rows have: measured when they are first needed, and again
// after a minute of use.

import type { Resource } from '../model/resource.ts'
import { sourcesOf } from '../model/sql-view.ts'
import type { TableSizes } from '../model/transaction.ts'
import type { CommonValue, Driver } from './driver.ts'
import { historyTableOf } from './history/columns.ts'
import { linkTableOf, recordTableOf } from './sql/columns.ts'
import { trashTableOf } from './trash/columns.ts'

const keptFor = 60_000

type SharesByColumn = ReadonlyMap<string, ReadonlyMap<string | null, number>>

export class TableSizeCache {
  readonly #driver: Pick<Driver, 'tableSizes' | 'commonValues'>
  #known: TableSizes | null = null
  #shares: SharesByColumn = new Map()
  #measuredAt = 0
  #measuring: Promise<TableSizes> | null = null

  constructor(driver: Pick<Driver, 'tableSizes' | 'commonValues'>) {
    this.#driver = driver
  }

  /** Returns the sizes at once when they were ever measured: old ones serve while new ones are on their way. */
  get(): TableSizes | Promise<TableSizes> {
    if (performance.now() - this.#measuredAt < keptFor && this.#known) return this.#known
    this.#measuring ??= this.#measure()
    return this.#known ?? this.#measuring
  }

  /** The sizes without measuring; null before the first time. */
  get known(): TableSizes | null {
    return this.#known
  }

  async #measure(): Promise<TableSizes> {
    try {
      const rows = await this.#driver.tableSizes()
      this.#known = toSizes(rows, this.#shares)
      // The values are found in samples of large tables: no request waits for them.
      void this.#measureShares(rows)
    } catch (error) {
      // The sizes of before are good enough: the database will say itself that it does not answer.
      if (!this.#known) throw error
    } finally {
      this.#measuredAt = performance.now()
      this.#measuring = null
    }
    return this.#known
  }

  async #measureShares(rows: ReadonlyMap<string, number>): Promise<void> {
    try {
      this.#shares = sharesOf(await this.#driver.commonValues())
      this.#known = toSizes(rows, this.#shares)
    } catch {
      // Those of before are good enough, as the sizes are.
    }
  }
}

const toSizes = (rows: ReadonlyMap<string, number>, shares: SharesByColumn): TableSizes => ({
  records: resource => recordsOf(resource, rows),
  history: resource => rows.get(historyTableOf(resource)) ?? 0,
  trash: resource => rows.get(trashTableOf(resource.holder)) ?? 0,
  pairs: links => rows.get(linkTableOf(links)) ?? 0,
  share: ({ owner, name }, value) =>
    shares.get(columnKey(recordTableOf(owner), name))?.get(value === null ? null : String(value)) ?? null,
})

/** A view has to be read as a whole, with all tables that it is made of. */
const recordsOf = (resource: Resource, rows: ReadonlyMap<string, number>): number => {
  const { view } = resource.definition
  const tables = view ? sourcesOf(view.sql).map(({ name }) => name) : [recordTableOf(resource)]
  return tables.reduce((sum, name) => sum + (rows.get(name) ?? 0), 0)
}

const columnKey = (table: string, column: string): string => `${table} ${column}`

const sharesOf = (common: readonly CommonValue[]): SharesByColumn => {
  const shares = new Map<string, Map<string | null, number>>()
  for (const { table, column, value, share } of common) {
    const key = columnKey(table, column)
    const known = shares.get(key)
    if (known) known.set(value, share)
    else shares.set(key, new Map([[value, share]]))
  }
  return shares
}
