// The steps that create tables.

import type { DatabaseDialect } from '../driver.ts'
import type { MigrationStep } from './step.ts'
import type { Table } from './table.ts'
import { addReference, createIndex, createTable } from './table-sql.ts'

export const createTables = (tables: readonly Table[], dialect: DatabaseDialect): MigrationStep[] => {
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

/** Sorts tables so that those that others refer to come first, as far as circles allow. */
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

/** Returns, by table, the columns that refer to a table which comes later. */
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
