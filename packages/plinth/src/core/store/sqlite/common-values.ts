// Values that many rows of a table have. SQLite keeps no such numbers: a sample of the rows, spread evenly, shows them.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { ownTurn } from '../../pauses.ts'
import type { CommonValue } from '../driver.ts'
import { rowsOn, type SqliteSizes, spreadRowids } from './table-sizes.ts'

/** The rows below which the choice makes no difference. */
const smallTable = 1000
const sampled = 500
/** Rows that are read at a time: where a row is long, its columns lie far apart. */
const perTurn = 50
/** Values that fewer rows of the sample have may be there by chance. */
const leastSeen = 5

/** Columns that an index begins with, by table; those of unique values have no common ones. Link tables have no rowids. */
const leadingColumns = `SELECT DISTINCT t.name, c.name
  FROM pragma_table_list AS t, pragma_index_list(t.name) AS i, pragma_index_info(i.name) AS c
  WHERE t.schema = 'main' AND t.type = 'table' AND t.wr = 0 AND i."unique" = 0 AND c.seqno = 0 AND c.name IS NOT NULL`

export const readCommonValues = async (
  database: DatabaseSyncInstance,
  sizes: SqliteSizes,
): Promise<readonly CommonValue[]> => {
  const columns = new Map<string, string[]>()
  for (const [table, column] of rowsOn(database, leadingColumns)) {
    const known = columns.get(String(table))
    if (known) known.push(String(column))
    else columns.set(String(table), [String(column)])
  }
  const common: CommonValue[] = []
  for (const [table, names] of columns) {
    if (sizes.of(table) < smallTable) continue
    await ownTurn()
    if (!database.isOpen) break
    common.push(...(await commonIn(database, table, names)))
  }
  return common
}

const commonIn = async (
  database: DatabaseSyncInstance,
  table: string,
  columns: readonly string[],
): Promise<readonly CommonValue[]> => {
  const { rowids } = spreadRowids(database, table, sampled)
  const counts = columns.map(() => new Map<string | null, number>())
  const selected = columns.map(column => `"${column}"`).join(', ')
  const sql = `SELECT ${selected} FROM "${table}" WHERE rowid IN (SELECT value FROM json_each(?))`
  let rows = 0
  for (let from = 0; from < rowids.length; from += perTurn) {
    if (!database.isOpen) break
    for (const row of rowsOn(database, sql, JSON.stringify(rowids.slice(from, from + perTurn)))) {
      rows += 1
      for (const [at, count] of counts.entries()) {
        const value = row[at] === null ? null : String(row[at])
        count.set(value, (count.get(value) ?? 0) + 1)
      }
    }
    await ownTurn()
  }
  return columns.flatMap((column, at) =>
    [...(counts[at] ?? [])]
      .filter(([, seen]) => seen >= leastSeen)
      .map(([value, seen]) => ({ table, column, value, share: seen / rows })),
  )
}
