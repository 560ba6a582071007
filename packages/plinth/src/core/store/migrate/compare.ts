// A database as it is, and what must change in its tables.

import type { Connection } from '../driver.ts'
import { indexPrefixes } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'
import { deleteAction } from './steps.ts'
import type { ForeignKey, Table, TableColumn, TableIndex } from './tables.ts'

// A database as it is. Each dialect asks its own catalogue; the answers have one shape.

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
  /** In the spelling of `typeName`. */
  readonly type: string
  readonly required: boolean
  /** The database itself gives a value when a statement leaves the column out. */
  readonly filled: boolean
  readonly reference: FoundReference | null
}

export interface FoundReference {
  /** Null on SQLite, which does not show it. */
  readonly name: string | null
  readonly table: string
  /** As SQL, such as SET NULL. */
  readonly onDelete: string
}

export interface FoundIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  /** Of the form that `createIndex` makes: whole columns in its order, no condition, in working state. */
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

// What must change in a table that exists, from its structure alone; whether the rows allow it is asked elsewhere.

/** Columns go by the names that they have in the database now: renaming comes last, right before new indexes. */
export interface TableChange {
  readonly table: Table
  readonly found: FoundTable
  readonly kept: readonly KeptColumn[]
  readonly added: readonly TableColumn[]
  readonly relaxed: readonly FoundColumn[]
  readonly tightened: readonly KeptColumn[]
  readonly rereferenced: readonly KeptColumn[]
  readonly renamed: readonly KeptColumn[]
  /** Folded columns whose rows need their text again: new ones, and those that no unique index has watched over. */
  readonly refolded: readonly TableColumn[]
  readonly unwanted: readonly FoundColumn[]
  readonly droppedIndexes: readonly FoundIndex[]
  readonly createdIndexes: readonly TableIndex[]
  /** Indexes of ours that cannot be used. */
  readonly invalidIndexes: readonly FoundIndex[]
  readonly refused: readonly string[]
  /** Instances of the earlier model go on using former names of columns. */
  readonly keepsFormerNames?: boolean
}

/** A column of the model together with the one that holds it. */
export interface KeptColumn {
  readonly column: TableColumn
  readonly found: FoundColumn
}

export const compareTable = (table: Table, found: FoundTable, dialect: Dialect): TableChange => {
  const holders = holdersOf(table.columns, found.columns)
  const kept = [...holders].map(([column, found]) => ({ column, found }))
  const held = new Set(holders.values())
  const unwanted = [...found.columns.values()].filter(column => !held.has(column))
  const createdIndexes = table.indexes.filter(index => !found.indexes.some(there => isSameIndex(there, index)))
  return {
    table,
    found,
    kept,
    added: table.columns.filter(column => !holders.has(column)),
    relaxed: [
      ...kept.filter(({ column, found }) => found.required && !column.required).map(({ found }) => found),
      // The store does not know these columns, so it could insert nothing while they insist on a value.
      ...unwanted.filter(column => column.required && !column.filled),
    ],
    tightened: kept.filter(({ column, found }) => column.required && !found.required),
    rereferenced: kept.filter(({ column, found }) => !isSameReference(found.reference, column.references)),
    renamed: kept.filter(({ column, found }) => column.name !== found.name),
    refolded: table.columns.filter(column => column.foldOf !== null && isIndexed(column, createdIndexes)),
    unwanted,
    droppedIndexes: found.indexes.filter(
      there => there.valid && isOurs(there) && !table.indexes.some(index => isSameIndex(there, index)),
    ),
    createdIndexes,
    invalidIndexes: found.indexes.filter(there => !there.valid && isOurs(there)),
    refused: kept.flatMap(pair => [...typeFaults(table, pair, dialect), ...pairFaults(table, pair)]),
  }
}

interface Renamable {
  readonly name: string
  /** In order of preference. */
  readonly formerNames: readonly string[]
}

/** What holds each thing of the model now. A name that the model still uses is no former name. */
export const holdersOf = <Wanted extends Renamable, Found>(
  wanted: readonly Wanted[],
  found: ReadonlyMap<string, Found>,
): ReadonlyMap<Wanted, Found> => {
  const used = new Set(wanted.map(one => one.name))
  const holders = new Map<Wanted, Found>()
  for (const one of wanted) {
    const former = one.formerNames.find(name => !used.has(name) && found.has(name))
    const holder = found.get(one.name) ?? found.get(former ?? '')
    if (holder) holders.set(one, holder)
  }
  return holders
}

const isSameReference = (found: FoundReference | null, wanted: ForeignKey | null): boolean => {
  if (!found || !wanted) return !found && !wanted
  return (
    found.table === wanted.table &&
    found.onDelete === deleteAction(wanted.onDelete) &&
    (found.name === null || found.name === wanted.name)
  )
}

/** Of indexes on expressions, databases show the names alone; the name says what the index is on. */
const isSameIndex = (found: FoundIndex, wanted: TableIndex): boolean =>
  found.valid &&
  found.name === wanted.name &&
  (wanted.kind !== 'columns' ||
    (found.plain && found.unique === wanted.unique && found.columns.join() === wanted.columns.join()))

const isOurs = ({ name }: FoundIndex): boolean => Object.values(indexPrefixes).some(prefix => name.startsWith(prefix))

const isIndexed = ({ name }: TableColumn, indexes: readonly TableIndex[]): boolean =>
  indexes.some(index => index.columns.includes(name))

const typeFaults = (table: Table, { column, found }: KeptColumn, dialect: Dialect): string[] => {
  const wanted = dialect.schema.columnTypes[column.type]
  if (found.type === wanted) return []
  return [
    `${table.name}.${column.name} is ${found.type} in the database and ${wanted} in the model: ` +
      'declare the field under a new name and move the values, or change the column manually',
  ]
}

/** Pairs say nothing of their own: once they mean records of another resource they are other pairs. */
const pairFaults = ({ name, pairs }: Table, { column, found }: KeptColumn): string[] => {
  if (!pairs || found.reference?.table === column.references?.table) return []
  return [
    `${name}.${column.name} refers to ${found.reference?.table ?? 'nothing'} in the database and to ` +
      `${column.references?.table} in the model: declare the links under a new name, or drop the table manually`,
  ]
}

// Columns and tables that the model does not know, beside new ones that look like them: they may have been renamed. Nothing is renamed by
// guessing, so a person is reported how to say so.

const ofColumns = ({ table, unwanted, added }: TableChange, dialect: Dialect): string[] =>
  unwanted.flatMap(column => {
    const alike = added.filter(one => one.foldOf === null && isAlike(one, column, dialect))
    const [first] = alike
    if (!first) return []
    const names = alike.map(({ name }) => `${table.name}.${name}`).join(' or ')
    return [
      `${table.name}.${column.name} is not in the model, and ${names} is new: if the field was renamed, ` +
        `declare renamedFrom: '${column.name}' before you migrate`,
    ]
  })

const isAlike = (added: TableColumn, { type, reference }: FoundColumn, dialect: Dialect): boolean =>
  dialect.schema.columnTypes[added.type] === type && reference?.table === added.references?.table

/** Nearly all tables have them. */
const usual = new Set(['pk', 'version', 'createdDate', 'lastModifiedDate', 'createdBy', 'lastModifiedBy'])

const isOwn = ({ name }: { readonly name: string }): boolean => !usual.has(name)

/** Most of the columns have to be the same. */
const ofTables = (missing: readonly Table[], strangers: readonly FoundTable[], dialect: Dialect): string[] =>
  strangers.flatMap(({ name, columns }) => {
    const found = [...columns.values()].filter(isOwn)
    const alike = missing.find(table => {
      const own = table.columns.filter(isOwn)
      const same = own.filter(column => columns.get(column.name)?.type === dialect.schema.columnTypes[column.type])
      return !table.pairs && same.length * 2 > Math.max(own.length, found.length)
    })
    if (!alike) return []
    return [
      `the table ${name} is not in the model, and ${alike.name} is new: if the resource was renamed, ` +
        `declare renamedFrom: '${name}' before you migrate`,
    ]
  })

export const renameHints = { ofColumns, ofTables }
