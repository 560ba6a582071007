// About how many rows the tables of a PostgreSQL database have.

import type { ResultRows } from '../connection.ts'
import { quote } from '../sql/columns.ts'

/** The size as the planner reckons it: rows for each page when the table was last analysed, and its pages now. */
const reckoned = `SELECT relname::text, pg_relation_size(oid), CASE
    WHEN reltuples <= 0 OR relpages = 0 THEN pg_relation_size(oid) / 200
    ELSE reltuples / relpages * (pg_relation_size(oid) / current_setting('block_size')::int) END::bigint
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`

/** Smaller tables, in bytes, are counted: they are cheap to count, and hardly ever analysed. */
const countedBelow = 500_000

export const readTableSizes = async (
  read: (sql: string) => Promise<ResultRows>,
): Promise<ReadonlyMap<string, number>> => {
  const tables = await read(reckoned)
  const sizes = new Map(tables.map(([name, , rows]) => [String(name), Number(rows)]))
  const small = tables.flatMap(([name, bytes]) => (Number(bytes) < countedBelow ? [String(name)] : []))
  if (small.length === 0) return sizes
  const [counts = []] = await read(`SELECT ${small.map(name => `(SELECT count(*) FROM ${quote(name)})`).join(', ')}`)
  for (const [at, name] of small.entries()) sizes.set(name, Number(counts[at]))
  return sizes
}
