// All records of a database as they were at one moment, in a form that does not depend on the database: for backups, and for
// moving to another database. Described by the database itself, so that columns and tables that the model no longer has are kept.

import type { Registry } from '../model/registry.ts'
import { type ColumnType, columnTypes } from '../model/value-field.ts'
import type { Connection } from './connection.ts'
import type { DatabaseDialect } from './driver.ts'
import type { FoundColumn, FoundTable } from './migrate/catalogue.ts'
import { holdersOf } from './migrate/compare.ts'
import { readVersion } from './migrate/database-version.ts'
import { readTables } from './migrate/former-names.ts'
import { hasOurShape } from './migrate/plan.ts'
import type { ForeignKey, Table, TableColumn } from './migrate/table.ts'
import { referenceName } from './migrate/table-indexes.ts'
import { onDeleteOf } from './migrate/table-sql.ts'
import { tablesOf } from './migrate/tables.ts'
import { eventTable, type LastEvent } from './outbox/outbox-dialect.ts'
import { quote } from './sql/columns.ts'

export interface SnapshotColumn {
  readonly name: string
  readonly type: ColumnType
  readonly required: boolean
  readonly references: ForeignKey | null
}

export interface SnapshotTable {
  readonly name: string
  readonly columns: readonly SnapshotColumn[]
  readonly primaryKey: readonly string[]
}

/** The values of a record in the order of the columns, as JSON can hold them. */
export type SnapshotRow = readonly unknown[]

export interface SnapshotRows {
  /** Reads the rows in batches, ordered by primary key. May be called more than once. */
  rows(table: SnapshotTable): AsyncIterable<readonly SnapshotRow[]>
}

export interface DatabaseSnapshot extends SnapshotRows {
  /** The newest version of the service that has used the database. */
  readonly version: string | null
  readonly lastEvent: LastEvent | null
  readonly tables: readonly SnapshotTable[]
}

type SnapshotConnection = Pick<Connection, 'rows'>

export const readSnapshot = async (
  connection: SnapshotConnection,
  dialect: DatabaseDialect,
  registry: Registry,
): Promise<DatabaseSnapshot> => {
  const model = tablesOf(registry)
  const { tables: found } = await readTables(connection, dialect, model)
  return {
    version: await readVersion(connection, found),
    lastEvent: found.has('plinth_events') ? await readLastEvent(connection) : null,
    tables: snapshotTables(found, model, dialect),
    rows: table => readRows(connection, dialect, table),
  }
}

const readLastEvent = async (connection: SnapshotConnection): Promise<LastEvent | null> => {
  const newest = `SELECT "sequence", "type", "resource", "pk" FROM ${eventTable} ORDER BY "sequence" DESC LIMIT 1`
  const [row] = await connection.rows(newest, [])
  if (!row) return null
  return { sequence: Number(row[0]), type: String(row[1]), resource: String(row[2]), pk: String(row[3]) }
}

/**
 * Returns the tables of the model and of former models. Tables of other software in the same schema are not ours to
 * copy.
 */
export const snapshotTables = (
  found: ReadonlyMap<string, FoundTable>,
  model: readonly Table[],
  dialect: DatabaseDialect,
): readonly SnapshotTable[] => {
  const known = new Map([...holdersOf(model, found)].map(([table, holder]) => [holder, table]))
  return [...found.values()]
    .filter(table => (known.has(table) ? table.primaryKey.length > 0 : hasOurShape(table)))
    .map(table => toSnapshotTable(table, known.get(table)?.columns ?? [], dialect))
}

const toSnapshotTable = (found: FoundTable, model: readonly TableColumn[], dialect: DatabaseDialect): SnapshotTable => {
  const known = new Map([...holdersOf(model, found.columns)].map(([column, holder]) => [holder, column.type]))
  return {
    name: found.name,
    primaryKey: found.primaryKey,
    columns: [...found.columns.values()].map(column => ({
      name: column.name,
      type: typeOf(column, known.get(column), dialect),
      required: column.required,
      references: toForeignKey(found.name, column),
    })),
  }
}

/**
 * Finds the type of a column. Several may share one of the database: the model says which one it is. What no type fits
 * is copied as text.
 */
const typeOf = ({ type }: FoundColumn, declared: ColumnType | undefined, { schema }: DatabaseDialect): ColumnType => {
  const fits = (one: ColumnType): boolean => schema.columnTypes[one] === type
  if (declared && fits(declared)) return declared
  return columnTypes.find(fits) ?? 'text'
}

const toForeignKey = (table: string, { name, reference }: FoundColumn): ForeignKey | null =>
  reference && {
    name: reference.name ?? referenceName(table, name),
    table: reference.table,
    onDelete: onDeleteOf(reference.onDelete),
  }

// Rows

const batchSize = 500

async function* readRows(
  connection: SnapshotConnection,
  { placeholder, decode }: DatabaseDialect,
  { name, columns, primaryKey }: SnapshotTable,
): AsyncGenerator<readonly SnapshotRow[]> {
  // By the table: a selected expression goes by the name of its column.
  const key = primaryKey.map(column => `b.${quote(column)}`).join(', ')
  const selected = columns.map(column => (column.type === 'text' ? textCast(column.name) : quote(column.name)))
  const from = `SELECT ${selected.join(', ')} FROM ${quote(name)} AS b`
  const rest = `ORDER BY ${key} LIMIT ${batchSize}`
  const after = `WHERE (${key}) > (${primaryKey.map((_, at) => placeholder(at + 1)).join(', ')})`
  const places = primaryKey.map(column => columns.findIndex(one => one.name === column))
  const decoders = columns.map(({ type }) => decoderOf(type, decode[type]))
  let last: readonly string[] | null = null
  for (;;) {
    const rows = await connection.rows(last === null ? `${from} ${rest}` : `${from} ${after} ${rest}`, last ?? [])
    if (rows.length > 0) yield rows.map(row => row.map((cell, at) => decoders[at]?.(cell) ?? null))
    const end = rows.at(-1)
    if (!end || rows.length < batchSize) return
    last = places.map(at => String(end[at]))
  }
}

/** Casts a column to text, also columns of other types that are copied as text. */
const textCast = (column: string): string => `CAST(${quote(column)} AS text)`

type Decode = (cell: unknown) => unknown

const decoderOf = (type: ColumnType, decode: Decode = cell => cell): Decode =>
  type === 'json' ? cell => sorted(decode(cell)) : decode

/** Sorts the keys of JSON objects, which databases keep in different orders. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  )
}
