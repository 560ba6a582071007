// A database as it is. Each dialect asks its own catalogue; the answers have one shape.

import type { Connection } from '../connection.ts'

export interface FoundTable {
  readonly name: string
  readonly columns: ReadonlyMap<string, FoundColumn>
  readonly primaryKey: readonly string[]
  readonly indexes: readonly FoundIndex[]
  /** A former name of another table, which is used as it is. */
  readonly isView?: boolean
}

export interface FoundColumn {
  readonly name: string
  /** The type, in the spelling of `typeName`. */
  readonly type: string
  readonly required: boolean
  /** The database itself gives a value when a statement leaves the column out. */
  readonly filled: boolean
  readonly reference: FoundReference | null
}

export interface FoundReference {
  /** Is null on SQLite, which does not show it. */
  readonly name: string | null
  readonly table: string
  /** The action as SQL, such as SET NULL. */
  readonly onDelete: string
}

export interface FoundIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  /**
   * Says that the index has the form that `createIndex` makes: whole columns in its order, no condition, in working
   * state.
   */
  readonly plain: boolean
  /** Can it be used? Not while it is built, nor when that was cut off. */
  readonly valid: boolean
  /** What made it, without a semicolon. */
  readonly sql: string
}

/** Truths are 1 and 0, since not every dialect has others. */
export interface CatalogueQueries {
  /** table, column, type, required, filled, place in the primary key or 0; in order */
  readonly columns: string
  /** table, column, name or null, target table, ON DELETE action */
  readonly references: string
  /** table, index, unique, plain, columns parted by line feeds, sql, valid */
  readonly indexes: string
}

type CatalogueRow = readonly unknown[]

export const readCatalogue = async (
  connection: Pick<Connection, 'rows'>,
  queries: CatalogueQueries,
): Promise<ReadonlyMap<string, FoundTable>> => {
  const columns = byTable(await connection.rows(queries.columns, []))
  const references = byTable(await connection.rows(queries.references, []))
  const indexes = byTable(await connection.rows(queries.indexes, []))
  const tables = new Map<string, FoundTable>()
  for (const [name, rows] of columns) {
    const targets = new Map(references.get(name)?.map(row => [String(row[1]), toReference(row)]))
    const found = rows.map(row => toColumn(row, targets))
    tables.set(name, {
      name,
      columns: new Map(found.map(column => [column.name, column])),
      primaryKey: keyOf(rows),
      indexes: (indexes.get(name) ?? []).map(toIndex),
    })
  }
  return tables
}

const byTable = (rows: readonly CatalogueRow[]): ReadonlyMap<string, readonly CatalogueRow[]> => {
  const groups = new Map<string, CatalogueRow[]>()
  for (const row of rows) {
    const table = String(row[0])
    const group = groups.get(table)
    if (group) group.push(row)
    else groups.set(table, [row])
  }
  return groups
}

const isTrue = (cell: unknown): boolean => Number(cell) === 1

const toColumn = (row: CatalogueRow, targets: ReadonlyMap<string, FoundReference>): FoundColumn => ({
  name: String(row[1]),
  type: String(row[2]),
  required: isTrue(row[3]),
  filled: isTrue(row[4]),
  reference: targets.get(String(row[1])) ?? null,
})

const toReference = (row: CatalogueRow): FoundReference => ({
  name: row[2] === null ? null : String(row[2]),
  table: String(row[3]),
  onDelete: String(row[4]),
})

const toIndex = (row: CatalogueRow): FoundIndex => ({
  name: String(row[1]),
  unique: isTrue(row[2]),
  plain: isTrue(row[3]),
  columns: String(row[4]).split('\n'),
  sql: String(row[5]),
  valid: isTrue(row[6]),
})

const keyOf = (rows: readonly CatalogueRow[]): readonly string[] =>
  rows
    .filter(row => Number(row[5]) > 0)
    .sort((left, right) => Number(left[5]) - Number(right[5]))
    .map(row => String(row[1]))
