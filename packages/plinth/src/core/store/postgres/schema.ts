// Tables and indexes on PostgreSQL: how they are made, and how the database shows what the current schema holds.

import type { Connection, ResultRows } from '../connection.ts'
import type { ConcurrentIndexes, SchemaDialect, TrigramSupport } from '../migrate/schema-dialect.ts'
import type { KeptColumn, TableChange } from '../migrate/table-change.ts'
import { addReference } from '../migrate/table-sql.ts'
import { quote } from '../sql/columns.ts'
import { postgresFormerNames } from './former-names.ts'

// The catalogue

// Views and foreign tables count too: they take the name that a table of ours would need.
const relations = `
    SELECT oid, relname::text FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')`

const columns = `SELECT t.relname, a.attname::text,
    format_type(a.atttypid, a.atttypmod)
      || CASE WHEN l.collname IS NULL OR l.collname = 'default' THEN '' ELSE ' COLLATE ' || quote_ident(l.collname) END,
    a.attnotnull::int, (a.atthasdef OR a.attidentity <> '')::int, coalesce(array_position(p.conkey, a.attnum), 0)
  FROM (${relations}) t
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    LEFT JOIN pg_constraint p ON p.conrelid = t.oid AND p.contype = 'p'
  ORDER BY t.relname, a.attnum`

const references = `SELECT t.relname, a.attname::text, c.conname::text, r.relname::text,
    CASE c.confdeltype WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE'
      WHEN 'n' THEN 'SET NULL' ELSE 'SET DEFAULT' END
  FROM (${relations}) t
    JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype = 'f' AND cardinality(c.conkey) = 1
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.conkey[1]
    JOIN pg_class r ON r.oid = c.confrelid`

// The option 2 is ascending with absent values first. Column 0 is an expression. The indexes of primary keys and
// other constraints belong to these.
const indexes = `SELECT t.relname, i.relname::text, x.indisunique::int,
    bool_and(x.indpred IS NULL AND k.attnum > 0 AND k.option = 2)::int,
    string_agg(coalesce(a.attname::text, ''), chr(10) ORDER BY k.place), pg_get_indexdef(i.oid), x.indisvalid::int
  FROM (${relations}) t
    JOIN pg_index x ON x.indrelid = t.oid
    JOIN pg_class i ON i.oid = x.indexrelid
    CROSS JOIN unnest(x.indkey::int2[], x.indoption::int2[]) WITH ORDINALITY k(attnum, option, place)
    LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum AND k.attnum > 0
  WHERE NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.oid AND c.contype IN ('p', 'u', 'x'))
  GROUP BY t.relname, i.oid, i.relname, x.indisunique, x.indisvalid`

// Trigrams

const trigramFaults: Readonly<Record<string, string>> = {
  folding: 'the server has no collations of ICU, or the database is not in UTF8',
  hidden: 'the extension pg_trgm is in a schema that is not in the search path',
  missing: 'the extension pg_trgm is not installed, and this role cannot create it',
}

// A trusted extension can be created by any role with the CREATE privilege on the database.
const trigramQuery = `SELECT CASE
    WHEN getdatabaseencoding() <> 'UTF8' OR NOT EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') THEN 'folding'
    WHEN EXISTS (SELECT FROM pg_opclass WHERE opcname = 'gin_trgm_ops' AND pg_opclass_is_visible(oid)) THEN 'ready'
    WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN 'hidden'
    WHEN EXISTS (SELECT FROM pg_available_extension_versions v, pg_roles r
      WHERE v.name = 'pg_trgm' AND r.rolname = current_user
        AND (r.rolsuper OR NOT v.superuser OR v.trusted)
        AND (r.rolsuper OR has_database_privilege(current_database(), 'CREATE'))) THEN 'creatable'
    ELSE 'missing' END`

const trigramSupport = async (connection: Connection): Promise<TrigramSupport> => {
  const [row] = await connection.rows(trigramQuery, [])
  const found = String(row?.[0])
  if (found === 'ready') return { kind: 'ready' }
  const step = { why: 'pg_trgm: for substring search', sql: 'CREATE EXTENSION IF NOT EXISTS "pg_trgm";' }
  return found === 'creatable' ? { kind: 'creatable', step } : { kind: 'missing', why: trigramFaults[found] ?? found }
}

// Changes

const replaceReference = ({ table }: TableChange, { column, found }: KeptColumn): string =>
  [
    ...(found.reference?.name
      ? [`ALTER TABLE ${quote(table.name)} DROP CONSTRAINT ${quote(found.reference.name)};`]
      : []),
    ...(column.references ? [addReference(table.name, found.name, column.references)] : []),
  ].join('\n')

/** A statement after the lock sees what the instance before us has done: each has a snapshot of its own. */
const lockMigrations = async (connection: Connection): Promise<void> => {
  await connection.script('SET TRANSACTION ISOLATION LEVEL READ COMMITTED')
  await connection.script("SELECT pg_advisory_xact_lock(hashtext('plinth_migrations'), hashtext(current_schema()))")
}

/** A smaller table, in bytes, has its index in milliseconds. */
const largeBytes = 2 * 1024 * 1024

const concurrentIndexes: ConcurrentIndexes = {
  isLarge: async (connection, table) => {
    const [row] = await connection.rows(`SELECT pg_relation_size('${quote(table)}'::regclass)`, [])
    return Number(row?.[0]) > largeBytes
  },
  create: sql => sql.replace('INDEX', 'INDEX CONCURRENTLY'),
  drop: name => `DROP INDEX CONCURRENTLY IF EXISTS ${quote(name)};`,
  begin: async connection => {
    await connection.script('SET statement_timeout = 0')
    await connection.script('SET lock_timeout = 0')
    // Not by waiting for the lock: a statement that waits would keep the build from ending.
    const lock = "SELECT pg_try_advisory_lock(hashtext('plinth_indexes'), hashtext(current_schema()))"
    return (await connection.rows(lock, []))[0]?.[0] === true
  },
}

/** `foldCase` as in the rest of the dialect. */
export const createPostgresSchema = (foldCase: (expression: string) => string): SchemaDialect => ({
  columnTypes: {
    // Byte order, as on SQLite: pages sort alike everywhere, and an index serves both prefixes and order.
    text: 'text COLLATE "C"',
    integer: 'bigint',
    boolean: 'boolean',
    timestamp: 'timestamp(3) with time zone',
    date: 'date',
    json: 'jsonb',
  },
  serialType: 'bigint GENERATED ALWAYS AS IDENTITY',
  now: 'now()',
  booleanSql: String,
  tableOptions: () => '',
  // An index is used only for an order that says the same of every key.
  indexKey: expression => `${expression} NULLS FIRST`,
  createTrigrams: ({ name, table, column }) => {
    const text = quote(column)
    const keys = [`lower(${text})`, foldCase(text)].map(key => `(${key}) gin_trgm_ops`)
    return `CREATE INDEX ${quote(name)} ON ${quote(table)} USING gin (${keys.join(', ')});`
  },
  dropTrigrams: name => `DROP INDEX ${quote(name)};`,
  trigramSupport,
  takesForwardReferences: false,
  replaceReference,
  // They are added when all records are there.
  deferReferences: '',
  dropTables: tables => (tables.length > 0 ? `DROP TABLE ${tables.map(({ name }) => quote(name)).join(', ')};` : ''),
  catalogue: { columns, references, indexes },
  lockMigrations,
  formerNames: postgresFormerNames,
  concurrentIndexes,
})

// About how many rows the tables have

/** As the planner reckons: rows for each page when the table was last analysed, and its pages now. */
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
