// Values that many rows of a table have, as the statistics of the planner know them.

import type { ResultRows } from '../connection.ts'
import type { CommonValue } from '../driver.ts'

/** Rarer ones are left out, like columns that no index begins with. */
const leastShare = 0.01

const statistics = `WITH known AS (
    SELECT s.tablename::text, s.attname::text, s.null_frac, s.most_common_freqs, s.most_common_vals::text::text[] AS common
    FROM pg_stats s WHERE s.schemaname = current_schema() AND EXISTS (
      SELECT 1 FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[0]
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = s.tablename AND a.attname = s.attname))
  SELECT tablename, attname, value, share FROM known, unnest(common, most_common_freqs) AS v(value, share)
  WHERE share >= ${leastShare}
  UNION ALL SELECT tablename, attname, NULL, null_frac FROM known WHERE null_frac >= ${leastShare}`

export const readCommonValues = async (read: (sql: string) => Promise<ResultRows>): Promise<readonly CommonValue[]> => {
  const rows = await read(statistics)
  return rows.map(([table, column, value, share]) => ({
    table: String(table),
    column: String(column),
    value: value === null ? null : String(value),
    share: Number(share),
  }))
}
