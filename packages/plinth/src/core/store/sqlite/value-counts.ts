// How many rows of a table fulfil a condition that an index serves, counted up to where the number makes no difference any more. A
// guess would not do: nearly all records may share a value, such as a state or an owner.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import type { Cell } from '../connection.ts'
import type { IndexLookup, LookupCondition } from './query-plan.ts'
import { keptFor } from './table-sizes.ts'

const maxCounts = 5000
const maxStatements = 200
/** The longest value that is kept. */
const maxKeyLength = 1000
/** The most alternatives on the same index that are counted. */
const maxConditions = 10

export class ValueCounts {
  readonly #database: DatabaseSyncInstance
  /** The number beyond which rows are not counted. */
  readonly #most: number
  readonly #counts = new LRUCache<string, number>({ max: maxCounts, ttl: keptFor })
  readonly #statements = new LRUCache<string, StatementSyncInstance>({ max: maxStatements })

  constructor(database: DatabaseSyncInstance, most: number) {
    this.#database = database
    this.#most = most
  }

  /**
   * Returns the rows of the condition that has most. Infinity where there are too many to count; null where nothing can
   * be counted.
   */
  of({ table, conditions }: IndexLookup, cells: readonly Cell[]): number | null {
    if (conditions.length === 0 || conditions.length > maxConditions) return null
    return Math.max(...conditions.map(condition => this.#count(table, condition, cells)))
  }

  #count(table: string, { sql, cells: places }: LookupCondition, cells: readonly Cell[]): number {
    const own = places.map(at => cells[at] ?? null)
    const key = `${table} ${sql} ${JSON.stringify(own)}`
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    const [[counted = 0] = []] = this.#statementOf(table, sql).all(...own) as unknown as number[][]
    const count = counted > this.#most ? Number.POSITIVE_INFINITY : counted
    if (key.length <= maxKeyLength) this.#counts.set(key, count)
    return count
  }

  #statementOf(table: string, condition: string): StatementSyncInstance {
    const text = `SELECT count(*) FROM (SELECT 1 FROM "${table}" WHERE ${condition} LIMIT ${this.#most + 1})`
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.#database.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }
}
