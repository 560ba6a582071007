// Tables and indexes on PostgreSQL: how they are made, and how the database shows what the current schema holds.

import type { Connection } from '../connection.ts'
import type { ConcurrentIndexes, SchemaDialect } from '../migrate/schema-dialect.ts'
import type { KeptColumn, TableChange } from '../migrate/table-change.ts'
import { addReference } from '../migrate/table-sql.ts'
import { quote, textOf } from '../sql/columns.ts'
import { columns, indexes, references } from './catalogue.ts'
import { columnTypes } from './column-types.ts'
import { postgresFormerNames } from './former-names.ts'
import { trigramSupport } from './trigram-support.ts'

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
  views: `SELECT c.relname::text, coalesce(obj_description(c.oid, 'pg_class'), '') FROM pg_class c
    WHERE c.relkind = 'v' AND c.relnamespace = current_schema()::regnamespace`,
  createView: ({ name, select, mark }) =>
    `CREATE VIEW ${quote(name)} AS ${select};\nCOMMENT ON VIEW ${quote(name)} IS ${textOf(mark)};`,
  columnTypes,
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
