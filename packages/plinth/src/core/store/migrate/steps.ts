// The steps of a migration: those that make tables which do not exist, and those that change tables which do, in an order in
// which each finds what it needs.

import { quote } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { KeptColumn, TableChange } from './compare.ts'
import {
  addColumn,
  addReference,
  allowNull,
  createIndex,
  createTable,
  dropIndex,
  fillColumn,
  forbidNull,
  renameColumn,
  renameTable,
} from './ddl.ts'
import type { MigrationStep } from './plan.ts'
import type { Table, TableIndex } from './tables.ts'

// New tables

export const createTables = (tables: readonly Table[], dialect: Dialect): MigrationStep[] => {
  const ordered = byReferences(tables)
  const later = dialect.schema.takesForwardReferences ? new Map<string, string[]>() : forwardReferences(ordered)
  const created = ordered.map(table => ({
    why: `${table.name}: new`,
    sql: [
      createTable(withoutReferences(table, later.get(table.name) ?? []), dialect),
      ...table.indexes.map(index => createIndex(table.name, index, dialect)),
    ].join('\n'),
  }))
  const closing = ordered.flatMap(({ name, columns }) =>
    columns.flatMap(({ name: column, references }) => {
      if (!references || !later.get(name)?.includes(column)) return []
      return [{ why: `${name}.${column}: refers to ${references.table}`, sql: addReference(name, column, references) }]
    }),
  )
  return [...created, ...closing]
}

/** Those that others refer to come first, as far as circles allow. */
export const byReferences = (tables: readonly Table[]): Table[] => {
  const byName = new Map(tables.map(table => [table.name, table]))
  const ordered = new Set<Table>()
  const visiting = new Set<Table>()
  const visit = (table: Table): void => {
    if (visiting.has(table)) return
    visiting.add(table)
    for (const { references } of table.columns) {
      const target = references && byName.get(references.table)
      if (target) visit(target)
    }
    ordered.add(table)
  }
  for (const table of tables) visit(table)
  return [...ordered]
}

/** By table: the columns that refer to a table which comes later. */
const forwardReferences = (ordered: readonly Table[]): ReadonlyMap<string, string[]> => {
  const coming = new Set(ordered.map(table => table.name))
  return new Map(
    ordered.map(({ name, columns }) => {
      coming.delete(name)
      const forward = columns.filter(({ references }) => references && coming.has(references.table))
      return [name, forward.map(column => column.name)]
    }),
  )
}

const withoutReferences = (table: Table, columns: readonly string[]): Table => ({
  ...table,
  columns: table.columns.map(column => (columns.includes(column.name) ? { ...column, references: null } : column)),
})

// Tables that exist

export const alterTable = (change: TableChange, dialect: Dialect): readonly MigrationStep[] => {
  const table = change.table.name
  return [
    ...renamed(change),
    ...change.droppedIndexes.map(({ name }) => ({
      why: `${table}: an index is no longer needed`,
      sql: dropIndex(name, dialect),
    })),
    ...change.added.map(column => ({ why: `${table}.${column.name}: new`, sql: addColumn(table, column, dialect) })),
    ...change.relaxed.map(({ name }) => ({ why: `${table}.${name}: no longer required`, sql: allowNull(table, name) })),
    ...change.tightened.map(({ found: { name } }) => ({
      why: `${table}.${name}: now required`,
      sql: forbidNull(table, name),
    })),
    ...change.rereferenced.map(pair => ({
      why: `${table}.${pair.found.name}: ${referenceReason(pair)}`,
      sql: dialect.schema.replaceReference(change, pair),
    })),
    ...change.renamed.map(({ column, found }) => ({
      why: `${table}.${column.name}: formerly ${found.name}`,
      sql: renameColumn(table, found.name, column.name),
    })),
    ...change.refolded.map(column => ({
      why: `${table}.${column.name}: the case-folded text of ${column.foldOf}`,
      sql: fillColumn(table, column.name, dialect.foldCase(quote(column.foldOf ?? column.name))),
    })),
    ...change.createdIndexes.map(index => ({
      why: `${table}: ${indexReason(index)}`,
      sql: createIndex(table, index, dialect),
    })),
  ]
}

const indexReason = ({ columns, unique, kind }: TableIndex): string => {
  if (kind === 'anyCase') return `${columns[0]} searched by prefix, case-insensitive`
  if (kind === 'trigrams') return `${columns[0]} searched by substring`
  return `${unique ? 'unique' : 'searched and sorted'} by ${columns.join(', ')}`
}

const renamed = ({ table, found }: TableChange): MigrationStep[] =>
  found.name === table.name
    ? []
    : [{ why: `${table.name}: formerly ${found.name}`, sql: renameTable(found.name, table.name) }]

const referenceReason = ({ column, found }: KeptColumn): string => {
  if (!column.references) return `no longer refers to ${found.reference?.table}`
  if (found.reference?.table !== column.references.table) return `refers to ${column.references.table}`
  return `on deletion of the record that it refers to: ${column.references.onDelete}`
}
