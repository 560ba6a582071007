// Deletes old entries of the history.

import type { Resource } from '../../model/resource.ts'
import type { Driver } from '../driver.ts'
import { quote } from '../sql/columns.ts'
import { historyTableOf } from './columns.ts'

/** So many at once that a writer hardly notices the wait. */
const batchSize = 1000

/** Answers how many were deleted. */
export const pruneHistory = (driver: Driver, resource: Resource, before: string): Promise<number> => {
  const table = quote(historyTableOf(resource))
  const old = `SELECT "_entry" FROM ${table} WHERE "_entry" < ${driver.dialect.placeholder(1)} ORDER BY "_entry" LIMIT ${batchSize}`
  const sql = `DELETE FROM ${table} WHERE "_entry" IN (${old}) RETURNING 1`
  return driver.transaction(async connection => (await connection.rows(sql, [before])).length)
}
